"""``explain``: why a thing came out as it did, and what the program does for a rule."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli.common import WRONG, Fail, Json, print_json, say, viewer_of
from adjudicator.engine.counting import counted

if TYPE_CHECKING:
    from adjudicator.match.match import Match
    from adjudicator.match.rulebook import Place, RuleFacts
    from adjudicator.report.explain import Detail, Explained

MESSAGE = re.compile(r"(?:message )?(\d{1,6})(?::(\d{1,6}))?")
RULE = re.compile(r"(?:([A-Za-z]+) ?(?=\d)|([A-Za-z]+) )?((?:\d|chart\.|faq\.)[\w.-]*)")
SHOWN = 15
HOW = (
    "name a message (10), a line of it (10:3), a rule (WD 9.F.1), a ruling or switch (ODDS-LOW), or a code (E_STATE)"
)


def add_to(app: typer.Typer) -> None:
    """Enter the command."""
    app.command()(explain)


def explain(
    what: Annotated[
        list[str],
        typer.Argument(metavar="WHAT", help="MESSAGE[:LINE], a rule, a ruling or switch, a code.", show_default=False),
    ],
    game: Annotated[
        Path | None, typer.Option("--game", metavar="DIR", help="The game folder; else this one.", show_default=False)
    ] = None,
    viewer: Annotated[str, typer.Option("--for", metavar="SIDE", help="As this side, or the public, may see it.")] = "",
    as_json: Json = False,
) -> None:
    """Why a result came out as it did, or what a rule means here.

    Of a message, as 10: all that happened, in numbered lines with their rules. Of a line, as 10:3: every number behind
    it, every die with label and opening, the order, who made the choice. Of a rule, as "WD 9.F.1": what the program
    does for it, which orders and rulings speak of it. Of a ruling or a switch: its text and values. Of a code: what it
    means and the way out.
    """
    text = " ".join(" ".join(what).split())
    message = MESSAGE.fullmatch(text)
    if message is not None:
        _message(_folder(game), int(message[1]), int(message[2] or 0), viewer, as_json)
        return
    tree, lines = _of_text(text, game)
    if as_json:
        print_json({"ok": True, **tree})
        return
    for line in lines:
        say(line)


def _folder(game: Path | None) -> Match:
    from adjudicator.match.plan import folder_of, quietly

    return quietly(folder_of(game))


# --- a message --------------------------------------------------------------------------------------------------


def _message(match: Match, seq: int, number: int, viewer: str, as_json: bool) -> None:
    from adjudicator.report.explain import detail, explained

    found = explained(match, seq, viewer_of(match, viewer))
    chosen = detail(match, found, number) if number else None
    if as_json:
        print_json({"ok": True, **_message_tree(found), **(_detail_tree(chosen) if chosen is not None else {})})
        return
    for line in _message_lines(found) if chosen is None else _detail_lines(found, chosen):
        say(line)


def _message_lines(found: Explained) -> list[str]:
    seq = found.chapter.seq
    lines = [f"Message {seq}. {found.headline}. {found.opened}."]
    wide = len(str(len(found.lines)))
    lines += [f"{line.number:>{wide}}  {line.text}" for line in found.lines] or ["Nothing happened in it."]
    return [*lines, f"`adjudicator explain {seq}:LINE` tells all about a line."] if found.lines else lines


def _detail_lines(found: Explained, chosen: Detail) -> list[str]:
    line, seq = chosen.line, found.chapter.seq
    lines = [f"Message {seq}, line {line.number}. {found.headline}.", line.text]
    lines += [f"  {text}" for text in chosen.behind]
    if chosen.dice_lines:
        lines += [f"{found.opened}; seed {found.chapter.opening.seed.hex()}:", *(f"  {t}" for t in chosen.dice_lines)]
    lines += [f"Choice: {chosen.choice}."] if chosen.choice else []
    lines += [f"Order: {chosen.order.rstrip('.')}."] if chosen.order else []
    if chosen.followed:
        lines += ["What followed:", *(f"  {later.number}  {later.text}" for later in chosen.followed)]
    return [*lines, f"Rule: {line.event.rule}; `adjudicator explain {line.event.rule}`."] if line.event.rule else lines


def _message_tree(found: Explained) -> dict[str, Any]:
    opening = found.chapter.opening
    return {
        "seq": found.chapter.seq,
        "headline": found.headline,
        "opened": {"side": opening.side, "link": opening.link},
        "lines": [
            {"line": line.number, "rule": line.event.rule, "kind": line.event.kind, "text": line.text}
            for line in found.lines
        ],
    }


def _detail_tree(chosen: Detail) -> dict[str, Any]:
    dice = [
        {"label": die.label, "faces": die.faces, "values": list(die.values), "blocks": list(die.blocks)}
        for die in chosen.dice
    ]
    return {
        "line": chosen.line.number,
        "event": chosen.line.event.tree(),
        "behind": chosen.behind,
        "dice": dice,
        "choice": chosen.choice,
        "order": chosen.order,
        "followed": [later.number for later in chosen.followed],
    }


# --- rules, rulings, codes --------------------------------------------------------------------------------------


def _of_text(text: str, game: Path | None) -> tuple[dict[str, Any], list[str]]:
    """What is known of a rule, ruling, switch or code. Raises Fail for a text that is none."""
    rule = RULE.fullmatch(text)
    if rule is not None:
        return _rule((rule[1] or rule[2] or "").upper(), rule[3].rstrip("."), game)
    from adjudicator.match.rulebook import verdict_of

    verdict = verdict_of(text)
    if verdict is not None:
        kind, meaning, way_out = verdict
        line = f"{text.upper()} ({kind}): {meaning}{f'; {way_out}' if way_out else ''} (PROTOCOL 4.8)."
        return {"code": text.upper(), "class": kind, "means": meaning, "mend": way_out}, [line]
    found = _ruling(text, game) or _problem_code(text)
    if found is None:
        raise Fail(f"error[usage]: {text!r} is nothing that can be explained; {HOW}", code=WRONG)
    return found


def _rule(prefix: str, short: str, game: Path | None) -> tuple[dict[str, Any], list[str]]:
    from adjudicator.match.rulebook import PROTOCOL, facts_of, prefixes

    known = prefixes()
    if not prefix:
        system = _system_of(game)
        prefix = next((name for name, slug in known.items() if slug == system), "")
        if not prefix:
            listed = ", ".join(f"{name} {short}" for name in sorted(known))
            raise Fail(f"error[usage]: {short}: of which game? write it as one of: {listed}", code=WRONG)
    if prefix not in known and prefix != PROTOCOL:
        listed = ", ".join([*sorted(known), PROTOCOL])
        raise Fail(f"error[usage]: {prefix} {short}: addresses begin with one of: {listed}", code=WRONG)
    facts = facts_of(f"{prefix} {short}", known.get(prefix, ""))
    if not (facts.places or facts.orders or facts.rulings):  # wd15.a is understood as well
        short = re.sub(r"(?<=[.])[a-z](?=[.]|$)", lambda letter: letter[0].upper(), short)
        facts = facts_of(f"{prefix} {short}", known.get(prefix, ""))
    if not facts.known:
        raise Fail(f"error[usage]: nothing in the program cites {facts.rule}; see docs/rulings.md", code=WRONG)
    return _rule_tree(facts), _rule_lines(facts)


def _system_of(game: Path | None) -> str:
    """The game of the folder named or here; "" where there is none."""
    from adjudicator.match.folder import FolderError

    try:
        return str(_folder(game).verifier.genesis.body["system"])
    except FolderError:
        if game is not None:
            raise
        return ""


def _rule_lines(facts: RuleFacts) -> list[str]:
    lines = [f"{facts.rule}:"]
    for name, about in facts.orders:
        lines.append(f"  Order `{name}`: {about} (docs/orders-{facts.system}.md).")
    for place in facts.places[:SHOWN]:
        lines.append(f"  {place.says} [{_where(place)}]{_makes(place, facts.rule)}")
    if len(facts.places) > SHOWN:
        lines.append(f"  and {counted(len(facts.places) - SHOWN, 'more place')}; --json lists all")
    lines += [f"  {line}" for row in facts.rulings for line in _ruling_lines(row)]
    if not facts.places and not facts.orders and not facts.rulings:
        lines.append("  nothing cites it by itself.")
    return [*lines, f"  See also: {', '.join(facts.near[:SHOWN])}."] if facts.near else lines


def _where(place: Place) -> str:
    return f"{place.module}.{place.name}" if place.name else place.module


def _makes(place: Place, rule: str) -> str:
    """The problems that a place gives by a rule, and the events."""
    codes = [code.partition("@")[0] for code in place.codes if code.endswith(f"@{rule}")]
    events = [event.partition("@")[0] for event in place.events if event.endswith(f"@{rule}")]
    said = [f"refuses: {', '.join(codes)}"] if codes else []
    said += [f"events: {', '.join(events)}"] if events else []
    return f"; {'; '.join(said)}" if said else ""


def _rule_tree(facts: RuleFacts) -> dict[str, Any]:
    return {
        "rule": facts.rule,
        "system": facts.system,
        "places": [_place_tree(place) for place in facts.places],
        "orders": [{"type": name, "about": about} for name, about in facts.orders],
        "rulings": [dict(row) for row in facts.rulings],
        "near": facts.near,
    }


def _place_tree(place: Place) -> dict[str, Any]:
    codes, events = list(place.codes), list(place.events)
    return {"module": place.module, "name": place.name, "line": place.line, "says": place.says} | {
        name: made for name, made in (("codes", codes), ("events", events)) if made
    }


def _ruling(text: str, game: Path | None) -> tuple[dict[str, Any], list[str]] | None:
    """A ruling by name or switch, with the value it has in the game at hand."""
    from adjudicator.match.rulebook import prefixes, ruling_of

    here = _system_of(game)
    for system in sorted(set(prefixes().values()), key=lambda slug: (slug != here, slug)):
        row = ruling_of(system, text)
        if row is not None:
            now = _set_to(row, game) if system == here else ""
            lines = [*_ruling_lines(row), f"It speaks of {', '.join(row.get('rules', ()))}; docs/rulings.md lists all."]
            lines += [f"In this game: {now}."] if now else []
            return {"ruling": dict(row), "system": system, "set": now}, lines
    return None


def _set_to(row: Mapping[str, Any], game: Path | None) -> str:
    switch = row.get("switch")
    if not switch:
        return ""
    switches: Any = _folder(game).verifier.genesis.body.get("switches") or {}
    return f"{switch['name']} = {switches.get(switch['name'], _text(switch['default']))}"


def _ruling_lines(row: Mapping[str, Any]) -> list[str]:
    lines = [f"Ruling {row['id']}: {row['ruling']}"]
    switch = row.get("switch")
    if switch:
        values = ", ".join(_text(value) for value in switch["values"])
        lines.append(f"  switch {switch['name']} = {_text(switch['default'])}, of {values}")
    return lines


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _problem_code(text: str) -> tuple[dict[str, Any], list[str]] | None:
    """A code of a problem, as `check --json` gives it: by which rules orders are refused with it."""
    from adjudicator.match.rulebook import coded, prefixes

    systems: Sequence[str] = [*sorted(set(prefixes().values())), ""]
    found = [(system, rule, place) for system in systems for rule, place in coded(system, text)]
    if not found:
        return None
    lines = [f"{text}, a fault of orders:", *(f"  {rule}: {place.says} [{_where(place)}]" for _s, rule, place in found)]
    return {"code": text, "rules": [{"rule": rule, **_place_tree(place)} for _s, rule, place in found]}, lines
