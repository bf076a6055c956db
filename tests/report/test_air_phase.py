"""How reports cut what happens into parts: stages of an air phase, attacks with fire at their defensive support."""

from __future__ import annotations

from adjudicator.engine.core import Event, Tree
from adjudicator.report.western_desert.airphase import stages_of
from adjudicator.report.western_desert.battle import engagements


def told(kind: str, **data: Tree) -> Event:
    """An event of which only kind and place count."""
    return Event(kind, "WD 16", data)


def cut(*events: Event, reacting: bool = False) -> list[tuple[str, str, list[str]]]:
    """The stages of events: name, hex, kinds."""
    return [(one.name, one.hex, [event.kind for event in one.events]) for one in stages_of(events, reacting)]


def test_an_air_phase_is_told_in_stages() -> None:
    found = cut(
        told("air-landed"),
        told("void"),
        told("flight", mission="bomb_port"),
        told("patrol-attack"),
        told("air-step"),
        told("flight", mission="intercept"),
        told("air-combat", hex="A"),
        told("air-shot", hex="A"),
        told("air-hit", hex="A"),
        told("eliminated", hex="C"),
        told("air-combat", hex="B"),
        told("aa-fire", hex="A"),
        told("air-hit", hex="A"),
        told("bombing", hex="A"),
        told("port-hit", hex="A"),
        told("malta-status", hex="A"),
        told("skipped", hex="B", order=""),
        told("dropped", hex="B"),
        told("captured", hex="B"),
        told("cargo-back", hex="C"),
        told("air-landed"),
        told("unloaded", hex="D"),
    )
    assert found == [
        ("home", "", ["air-landed"]),
        ("flights", "", ["void", "flight", "patrol-attack"]),
        ("reaction", "", ["air-step", "flight"]),
        ("battle", "A", ["air-combat", "air-shot", "air-hit", "eliminated"]),
        ("battle", "B", ["air-combat"]),
        ("missions", "A", ["aa-fire", "air-hit", "bombing", "port-hit", "malta-status"]),
        ("missions", "B", ["skipped", "dropped", "captured"]),
        ("home", "", ["cargo-back", "air-landed", "unloaded"]),
    ]


def test_cargo_without_room_is_told_where_it_happens() -> None:
    found = cut(told("dropped", hex="B"), told("cargo-back", hex="C", why="no room in B"))
    assert found == [("missions", "B", ["dropped", "cargo-back"])]


def test_a_message_with_the_reaction_begins_in_it() -> None:
    assert cut(told("void"), told("flight", mission="scramble"), reacting=True) == [
        ("reaction", "", ["void", "flight"])
    ]


def test_fire_at_defensive_support_belongs_to_the_attack_that_follows() -> None:
    events = [
        told("supply-used", use="attack"),
        told("attack", hex="A"),
        told("result", hex="A"),
        told("aa-fire", hex="B"),
        told("air-hit", hex="B"),
        told("attack", hex="B"),
        told("result", hex="B"),
        told("air-landed"),
        told("air-landed"),
    ]
    found = [[event.kind for event in one.events] for one in engagements(events)]
    assert found == [
        ["supply-used", "attack", "result"],
        ["aa-fire", "air-hit", "attack", "result"],
        ["air-landed", "air-landed"],
    ]
