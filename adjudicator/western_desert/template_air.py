"""The air war in the turn file to fill in: air units and bases, the sections air and reaction (see template.py)."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.counting import counted
from adjudicator.western_desert.air.airbase import take_offs_left
from adjudicator.western_desert.air.book import book_of
from adjudicator.western_desert.air.craft import SUPPRESS, SUPPRESSION, craft_of
from adjudicator.western_desert.air.defending import Raid, Watch, raided
from adjudicator.western_desert.air.facts import side_air
from adjudicator.western_desert.air.flying import may_fly
from adjudicator.western_desert.air.orders import AIR_ORDERS
from adjudicator.western_desert.air.staging import OPTION as STAGING
from adjudicator.western_desert.air.words import FATE_WORDS, air_names, figures
from adjudicator.western_desert.bases import base_capacity
from adjudicator.western_desert.control import region_holder
from adjudicator.western_desert.sea.voyages import MALTA
from adjudicator.western_desert.state import State, World
from adjudicator.western_desert.world import text

NAME_WIDTH, FIGURES_WIDTH = 22, 18
AIR_KEY, REACTION_KEYS = "orders/air", ("orders/reaction", "orders/scramble")
STANDING = (
    ("escape", "do: try", "air units whose base the enemy enters: try or stay; to: bases"),
    ("patrol", "attack: transports, bombers", "whom fighters on patrol attack; spare, min_chance, within"),
    ("intercept", "hex: ports", "hexes to defend; min_ratio, most, keep, per_escort, targets"),
    ("scramble", "do: fly_off", "fighters at a base under attack: fly_off or stay; to: bases"),
    ("jettison", "when: outnumbered", "fighters with bombs that are intercepted: never, outnumbered, always"),
    ("escorts", "join: none", "spare escorts: all or none join the fight at the screen; targets"),
)
"""Topics of standing orders on the air war, each with a clause and what it may say (pbem M1, A1 to A8)."""


def air_said(world: World, aid: str) -> str:
    """An air unit as an order may name it: by what players say where that is one unit's, else by id."""
    named = text(world.air[aid], "short")
    same = sum(text(row, "short") == named for row in world.air.values())
    return named if named and same == 1 else aid


# --- what stands where ------------------------------------------------------------------------------------------


def own_air(state: State, side: str) -> list[str]:
    """Own air units by base: figures, state, what they fly; with how many may still take off there."""
    by_base: dict[int, list[str]] = {}
    for aid in side_air(state, side):
        by_base.setdefault(state.air[aid].hex, []).append(aid)
    if not by_base:
        return []
    used = book_of(state).used
    lines = ["#", "# Your air units, by base: type, air attack-defense, tactical/strategic bombing, range."]
    for h, ids in sorted(by_base.items()):
        left = take_offs_left(base_capacity(state, h), used.get(h, 0))
        lines.append(f"#   {state.board.feature_names(h)}, {counted(left, 'take-off')} left")
        lines += [_air_line(state, aid) for aid in ids]
    return lines


def _air_line(state: State, aid: str) -> str:
    unit = state.air[aid]
    marks = [] if unit.operative else ["inoperative"]
    marks += ["may not fly in this turn (WD 29.C.1)"] if aid in state.still else []
    if unit.sortie:
        fate = f", {FATE_WORDS[unit.sortie.fate]}" if unit.sortie.fate else ""
        marks.append(f"over {state.board.feature_names(unit.sortie.over)}{fate}")
    shown = figures(craft_of(state.world, aid))
    return f"#     {air_said(state.world, aid):{NAME_WIDTH}} {shown:{FIGURES_WIDTH}} {', '.join(marks)}".rstrip()


def raid_lines(state: State, side: str) -> list[str]:
    """What the enemy flies in this air phase, hex by hex, and the fighters that reach it."""
    watch = Watch(state, side)
    lines = ["  # Enemy air units over their target hexes:"] if watch.raids else []
    for raid in watch.raids:
        lines += _raid(state, watch, raid)
    hit = [air_said(state.world, aid) for aid in raided(watch)]
    return [*lines, f"  # At bases that they fly to, and may scramble: {', '.join(hit)}"] if hit else lines


def _raid(state: State, watch: Watch, raid: Raid) -> list[str]:
    night = " by night" if raid.night else ""
    who = air_names(state.world, [flight.id for flight in raid.flights])
    near = [air_said(state.world, aid) for aid in watch.near(raid)]
    return [
        f"  #   {state.board.feature_names(raid.hex)}{night}: {who}",
        f"  #     your fighters in reach: {', '.join(near) or 'none'}",
    ]


# --- the sections -----------------------------------------------------------------------------------------------


def air_section(state: State, side: str) -> list[str]:
    """The section ``air`` of a player who has air units; nothing for one who has none that may fly."""
    if not may_fly(state, side):
        return []
    able = [aid for aid in side_air(state, side) if state.air[aid].operative and aid not in state.still]
    known = state.world.plays(SUPPRESSION)
    staging = ["  # `stage` flies air units from an island base to Europe, with `hex:` back (WD 33.F)."]
    kinds = [kind.name for kind in AIR_ORDERS if kind.section == "air" and (known or kind.name != SUPPRESS)]
    return [
        "",
        "  - type: section",
        "    name: air",
        "  # Flights, in the order in which they take off (WD 16.C.1). Missions:",
        *_wrapped(kinds),
        *(staging if side == "axis" and state.world.plays(STAGING) else []),
        "  # Each air unit flies by itself; bombers of an order with `together: yes` make one attack. `escort` goes to",
        "  # the hex of those whom it escorts. Default: nobody flies.",
        *_siege(state, side),
        "  # - type: bomb_port",
        f"  #   air: {air_said(state.world, max(able, key=lambda aid: craft_of(state.world, aid).strategic))}"
        if able
        else "  #   air: BOMBER",
        "  #   hex: 19/0000",
    ]


def _siege(state: State, side: str) -> list[str]:
    """What the Axis player may do to Malta (WD 28.D.bomb)."""
    if side != "axis" or region_holder(state, MALTA) == "axis":
        return []
    return [
        f"  # Each hit of `bomb_port` on Valletta raises the status of Malta, now {state.malta}, by 1 up to 15;",
        "  # with `hits: port` it damages the port instead (WD 28.D).",
    ]


def _wrapped(words: Sequence[str], most: int = 100) -> list[str]:
    lines = ["  #  "]
    for number, word in enumerate(words):
        part = f" {word}" + ("," if number < len(words) - 1 else "")
        if len(lines[-1] + part) > most:
            lines.append("  #  ")
        lines[-1] += part
    return lines


def reaction_section(state: State, side: str) -> list[str]:
    """The section ``reaction`` of the side that is not phasing, with what it may react to."""
    watch = Watch(state, side)
    able = next((near[0] for raid in watch.raids if (near := watch.near(raid))), "")
    over = state.board.name(watch.raids[0].hex) if watch.raids else "19/0000"
    return [
        "  - type: section",
        "    name: reaction",
        *raid_lines(state, side),
        "  # What stands here is all that flies; take the section away for your standing orders, else the defaults.",
        "  # - type: intercept",
        f"  #   air: {air_said(state.world, able) if able else 'FIGHTER'}",
        f"  #   hex: {over}",
        "  # - type: scramble",
        "  #   air: FIGHTER",
        "  #   hex: 19/0000               # the base that it flies to",
        "  # - type: split",
        f"  #   hex: {over}",
        "  #   per_escort: 1               # or `screen: FIGHTER, FIGHTER`; the others try to pass the escorts",
        "  # - type: targets",
        f"  #   hex: {over}",
        "  #   order: transports, highest_tactical",
    ]


def air_standing() -> list[str]:
    """Standing orders on the air war."""
    lines = ["  # The air war (WD 16 to 24):"]
    for topic, clause, about in STANDING:
        head = f"  #   {f'topic: {topic}':27} # {about}"
        lines += ["  # - type: standing", head, "  #   rules:", f"  #     - {clause}"]
    return lines


def sealed_standing() -> list[str]:
    """How losses and retreats in the combats to come are settled ahead by the side that reacts (PROTOCOL 9.1)."""
    return [
        "",
        "  # Losses and retreats in the combats to come are settled by standing orders above the section; sealed, the",
        "  # other side does not see them before it attacks.",
        "  # - type: standing",
        "  #   topic: losses               # or retreat",
        "  #   sealed: yes",
        "  #   rules:",
        "  #     - stack: 19/0000",
        "  #       order: UNIT, UNIT",
    ]
