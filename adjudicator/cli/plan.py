"""Planning a turn: ``moves``, ``supply``, ``odds``. They look at a game folder and change nothing in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli.common import WRONG, Fail, Game, Json, print_json, problem_line, read_bytes, say

if TYPE_CHECKING:
    from adjudicator.engine.core import Problem
    from adjudicator.engine.game import Table
    from adjudicator.engine.queries import Reply
    from adjudicator.match.draft import Draft
    from adjudicator.match.match import Match
    from adjudicator.match.plan import Planned

After = Annotated[
    Path | None,
    typer.Option("--after", metavar="FILE", help="As after the orders of this turn file.", show_default=False),
]
For = Annotated[str, typer.Option("--for", metavar="SIDE", help="Ask as this side; else as the folder's player.")]
MEND_OPTION = "leave the option out; `template` shows what orders of this game look like"


def add_to(app: typer.Typer) -> None:
    """Enter the commands."""
    app.command()(moves)
    app.command()(supply)
    app.command()(odds)


def moves(
    unit: Annotated[str, typer.Argument(metavar="UNIT", help="The unit, by id or name.", show_default=False)],
    to: Annotated[str, typer.Option("--to", metavar="PLACE", help="The way to this hex or space, or why not.")] = "",
    path: Annotated[str, typer.Option("--path", metavar="PLACES", help="This way, place by place.")] = "",
    by: Annotated[str, typer.Option("--by", metavar="MEANS", help="Only by foot, road or rail.")] = "",
    mode: Annotated[str, typer.Option("--mode", metavar="MODE", help="Kind of movement, as admin.")] = "",
    transport: Annotated[str, typer.Option("--transport", metavar="UNIT", help="The counter that carries it.")] = "",
    later: Annotated[bool, typer.Option("--next", help="In its next turn, as if that began now.")] = False,
    after: After = None,
    game: Game = None,
    side: For = "",
    as_json: Json = False,
) -> None:
    """Where a unit can go, and at what cost.

    Every place in reach with its cost, what it is spent on, and what is left; --to shows the cheapest way, or the
    first step that fails. Where it is not the unit's phase, its next movement is looked at as if it began now.
    """
    asked = {"subject": unit, "to": to, "path": path, "by": by, "mode": mode, "transport": transport}
    asked["next"] = "yes" if later else ""
    _put("moves", asked, game, side, after, as_json)


def supply(
    what: Annotated[str, typer.Argument(metavar="[WHAT]", help="A unit, hex or place.", show_default=False)] = "",
    everything: Annotated[bool, typer.Option("--all", help="All units of the side.")] = False,
    after: After = None,
    game: Game = None,
    side: For = "",
    as_json: Json = False,
) -> None:
    """Who is in supply, and why.

    The line traced, its source, who bars it where, what would mend it, and the supply counters in reach.
    """
    if bool(what) == everything:
        raise Fail("error[usage]: name a unit or place, or add --all, not both; see `adjudicator supply --help`")
    _put("supply", {"subject": what, "all": "yes" if everything else ""}, game, side, after, as_json)


def odds(
    place: Annotated[str, typer.Argument(metavar="PLACE", help="The hex or space attacked.", show_default=False)],
    units: Annotated[str, typer.Option("--with", metavar="UNITS", help="The attackers; else all who may.")] = "",
    supplied: Annotated[str, typer.Option("--supply", metavar="COUNTERS", help="Attack supply, as NAME:STEPS.")] = "",
    neutral: Annotated[str, typer.Option("--neutral", metavar="UNITS", help="Taken as neutral for AECA.")] = "",
    losses: Annotated[str, typer.Option("--losses", metavar="UNITS", help="Given up first if it costs losses.")] = "",
    never: Annotated[str, typer.Option("--never", metavar="UNITS", help="Spared if it costs losses.")] = "",
    retreat: Annotated[str, typer.Option("--retreat", metavar="WISHES", help="Where to, if driven back.")] = "",
    advance: Annotated[str, typer.Option("--advance", metavar="UNITS", help="Who advances; or all.")] = "",
    overrun: Annotated[bool, typer.Option("--overrun", help="Not an attack but an overrun, out of one hex.")] = False,
    mission: Annotated[str, typer.Option("--mission", metavar="ORDER", help="An air mission, as bomb_port.")] = "",
    cargo: Annotated[str, typer.Option("--cargo", metavar="UNITS", help="Carried on the mission.")] = "",
    tow: Annotated[str, typer.Option("--tow", metavar="UNITS", help="Gliders towed on the mission.")] = "",
    hits: Annotated[str, typer.Option("--hits", metavar="WHAT", help="Of Valletta: status or port.")] = "",
    night: Annotated[bool, typer.Option("--night", help="The mission is flown at night.")] = False,
    extended: Annotated[bool, typer.Option("--extended", help="The mission is flown at extended range.")] = False,
    together: Annotated[bool, typer.Option("--together", help="All bombers make one attack.")] = False,
    flank: Annotated[bool, typer.Option("--flank", help="Try a flank attack.")] = False,
    rommel: Annotated[bool, typer.Option("--rommel", help="Rommel takes part.")] = False,
    after: After = None,
    game: Game = None,
    side: For = "",
    as_json: Json = False,
) -> None:
    """The exact chances of a combat.

    Each unit's strength with every modifier and its rule, the column, the die, the chance of each result as fraction
    and percent, and the losses to be expected of both sides, by the code that adjudicates. With --mission what patrols,
    antiaircraft, bombs, drops or an interception may come to.
    """
    asked = {
        "subject": place,
        "with": units,
        "supply": supplied,
        "neutral": neutral,
        "losses": losses,
        "never": never,
        "retreat": retreat,
        "advance": advance,
        "mission": mission,
        "cargo": cargo,
        "tow": tow,
        "hits": hits,
    }
    flags = {"flank": flank, "rommel": rommel, "night": night, "extended": extended, "together": together}
    asked |= {name: "yes" for name, set_ in flags.items() if set_}
    _put("mission" if mission else "overrun" if overrun else "odds", asked, game, side, after, as_json)


# --- putting the question ---------------------------------------------------------------------------------------


def _put(
    question: str, asked: Mapping[str, str], game: Path | None, side: str, after: Path | None, as_json: bool
) -> None:
    from adjudicator.match.plan import answer, folder_of, quietly

    match = quietly(folder_of(game if game is not None or after is None else _folder_at(after)))
    who = side_of(match, side)
    draft = draft_of(match, after, who)
    given = {name: text for name, text in asked.items() if text}
    planned, reply = answer(match, question, who, given, draft)
    if planned.problems:
        _refuse(match.table, planned, after, as_json)
    if reply.problems:
        lines = [_line(match.table, problem) for problem in reply.problems]
        raise Fail(*lines, code=WRONG)
    if as_json:
        print_json({"ok": True, "side": who, "notes": planned.notes, **reply.tree, "reasons": _reasons(match, reply)})
        return
    for text in lines_of(match.table, planned.notes, reply):
        say(text)


def _folder_at(file: Path) -> Path | None:
    """The game folder that a draft lies in; None where it lies in none."""
    from adjudicator.match.folder import FolderError, locate

    try:
        return locate(file)
    except FolderError:
        return None


def side_of(match: Match, side: str) -> str:
    """Who asks: the side named, else the folder's player. Raises Fail."""
    who = side.lower() or match.me
    if who not in match.table.sides:
        said = f"--for {side}: there is no such side" if side else "this folder belongs to no player: say who asks"
        raise Fail(f"error[usage]: {said}; add --for {' or --for '.join(match.table.sides)}")
    return who


def draft_of(match: Match, file: Path | None, side: str) -> Draft | None:
    """The draft that a question goes by. Raises Fail where it would be the other side's."""
    from adjudicator.match.draft import read_draft

    if file is None:
        return None
    if side != match.me:
        raise Fail(f"error[usage]: --after goes with the orders of this folder's player, not with --for {side}")
    return read_draft(read_bytes(file))


def _refuse(table: Table, planned: Planned, file: Path | None, as_json: bool) -> None:
    """Say what is wrong with the draft, or that there is no position yet."""
    if file is None:
        raise Fail(*(_line(table, problem) for problem in planned.problems), code=WRONG)
    lines = [problem_line(file, _spoken(table, problem)) for problem in planned.problems]
    raise Fail(*lines, f"the question goes by {file}, which must be sound: `check` it", code=WRONG)


def _spoken(table: Table, problem: Problem) -> Problem:
    return replace(problem, text=table.spoken(problem.text), hint=table.spoken(problem.hint))


def _line(table: Table, problem: Problem) -> str:
    """A fault of the question: `error[names]: ...`; an option of another game says so."""
    if problem.code == "missing":
        return f"error[usage]: --{problem.field} is missing: {problem.text.partition('(')[2].rstrip(')')}"
    if problem.code == "field":
        return f"error[usage]: --{problem.field} means nothing here; {MEND_OPTION}"
    found = _spoken(table, problem)
    text = f"{found.text}; {found.hint}" if found.hint else found.text
    return f"error[{found.rule or found.code}]: {text}"


def _reasons(match: Match, reply: Reply) -> list[dict[str, Any]]:
    found = [_spoken(match.table, problem) for problem in reply.reasons]
    return [{"code": p.code, "rule": p.rule, "text": p.text, "mend": p.hint} for p in found]


def lines_of(table: Table, notes: Sequence[str], reply: Reply) -> list[str]:
    """An answer in lines, in players' names, with the rules that say no below."""
    lines = [f"{note}." for note in notes] + list(reply.lines)
    for problem in reply.reasons:
        hint = f"; {problem.hint}" if problem.hint else ""
        lines.append(f"No ({problem.rule}): {problem.text}{hint}.")
    return [table.spoken(text) for text in lines]


