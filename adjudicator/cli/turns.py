"""Writing a turn: ``template``, ``check``, ``sign``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli.common import (
    WRONG,
    Armor,
    Fail,
    Game,
    GameFolder,
    Json,
    Note,
    Yes,
    ask,
    game_of,
    graded,
    leave,
    must_be_mine,
    player_side,
    playing,
    print_json,
    problem_line,
    problem_lines,
    problem_tree,
    read_bytes,
    say,
    write_result,
)
from adjudicator.cli.endings import AcceptDraw, AllowLost, OfferDraw, Resign, asked_for, must_have_no_orders, tell
from adjudicator.cli.upgrade import (
    AcceptUpgrade,
    OfferUpgrade,
    UpgradeFrom,
    read_back_upgrade,
    told_of_rules,
    wanted_upgrade,
)
from adjudicator.engine.counting import counted

if TYPE_CHECKING:
    from adjudicator.match.match import Match
    from adjudicator.match.preview import CheckResult, OrderVerdict

TurnFile = Annotated[Path, typer.Argument(metavar="FILE", help="The turn file, not signed yet.", show_default=False)]


def add_to(app: typer.Typer) -> None:
    """Enter the commands."""
    app.command()(template)
    app.command()(check)
    app.command()(sign)


def template(
    folder: GameFolder,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write it there.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over an existing file.")] = False,
) -> None:
    """Make a turn file to fill in.

    It lists own units with place, MPs and supply, and each open choice with its default.
    """
    from adjudicator.match.blank import blank

    with playing(folder) as match:
        text = blank(match)
    if output is None:
        say(text.rstrip("\n"))
        return
    if output.exists() and not output.is_dir() and not force:
        raise Fail(f"{output}: error[file]: there is a file of that name; choose another, or add --force")
    write_result(output, text.encode())
    say(f"Turn file: {output}")
    say(f"Next: fill it in, then `adjudicator check {output} --game {folder}`.")


def check(
    file: TurnFile,
    game: Game = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Read every order back as a sentence.")] = False,
    as_json: Json = False,
) -> None:
    """Check a turn file.

    All problems of all orders at once, each with line, column, rule and mend.
    """
    with playing(game_of(file, game)) as match:
        result = _checked(match, file)
        rules = told_of_rules(match)
    if as_json:
        print_json({**_check_tree(file, result), "notes": rules})
    else:
        _show_check(file, result)
        if verbose:
            _show_orders(result)
        say(_count(result))
        for line in rules:
            say(line)
    leave(0 if result.legal else WRONG)


def sign(
    file: TurnFile,
    game: Game = None,
    yes: Yes = False,
    note: Note = "",
    armor: Armor = False,
    resign: Resign = False,
    offer_draw: OfferDraw = False,
    accept_draw: AcceptDraw = False,
    allow_lost: AllowLost = False,
    offer_upgrade: OfferUpgrade = False,
    upgrade_from: UpgradeFrom = None,
    accept_upgrade: AcceptUpgrade = False,
    as_json: Json = False,
) -> None:
    """Seal a turn file as your next message.

    Reads the orders back in words first and asks; refuses illegal orders. It can
    end the game, too, and offer or accept other rules.
    """
    from adjudicator.cli.mail import sealed

    with playing(game_of(file, game)) as match:
        must_be_mine(match)
        asked = asked_for(match, resign, offer_draw, accept_draw, allow_lost)
        asked = asked._replace(upgrade=wanted_upgrade(match, offer_upgrade, upgrade_from, accept_upgrade))
        result = _checked(match, file)
        must_have_no_orders(match, len(result.orders))
        if not result.legal:
            _refuse(file, result, as_json)
        if not as_json:
            _read_back(match, file, result)
            tell(match, asked)
            if asked.upgrade is not None:
                read_back_upgrade(match, asked.upgrade, accept_upgrade)
        if not yes and not ask(f"Sign and seal this as message {match.verifier.next_seq}? It can't be taken back."):
            raise Fail("error[stopped]: not signed; nothing was changed", code=WRONG)
        sealed(match, result, note or result.note, armor, as_json, asked)


def _checked(match: Match, file: Path) -> CheckResult:
    from adjudicator.match.draft import read_draft

    if not match.me:
        must_be_mine(match)
    return match.check(read_draft(read_bytes(file)))


def _refuse(file: Path, result: CheckResult, as_json: bool) -> None:
    if as_json:
        print_json(_check_tree(file, result))
        raise typer.Exit(WRONG)
    raise Fail(*problem_lines(file, result.problems), f"not signed: {_faults(result)}; mend and sign again", code=WRONG)


def _show_check(file: Path, result: CheckResult) -> None:
    for line in problem_lines(file, result.problems):
        say(line)
    for warning in result.warnings:
        say(_warning(file, warning))


def _warning(file: Path, warning: Any) -> str:
    line = problem_line(file, warning, "warning")
    return f"{line} (hangs on the roll {warning.depends})" if warning.depends else line


def _count(result: CheckResult) -> str:
    kinds = [verdict.verdict for verdict in result.verdicts if verdict.order.type != "section"]
    parts = [f"{kinds.count('legal')} legal"]
    if kinds.count("depends"):
        parts.append(f"{kinds.count('depends')} depends on dice")
    parts.append(f"{kinds.count('illegal')} illegal")
    orders = counted(len(kinds), "order")
    return f"{orders}: {', '.join(parts)}; {_faults(result)}"


def _faults(result: CheckResult) -> str:
    count = sum(severity == "error" for _, severity in graded(result.problems))
    return counted(count, "problem")


def _read_back(match: Match, file: Path, result: CheckResult) -> None:
    for warning in result.warnings:
        say(_warning(file, warning))
    seq = match.verifier.next_seq
    say(f"Message {seq} of {match.verifier.genesis.body['title']}, {player_side(match.me)}. You order:")
    _show_orders(result)


def _show_orders(result: CheckResult) -> None:
    shown = [verdict for verdict in result.verdicts if verdict.sentence]
    if not shown:
        say("  nothing")
    number = 0
    for verdict in shown:
        if verdict.order.type == "section":
            say(f"  {verdict.sentence}")
            continue
        number += 1
        say(f"  {number:3}. {verdict.sentence}{_hangs(verdict)}")


def _hangs(verdict: OrderVerdict) -> str:
    return f" [unless the roll {verdict.depends} goes the other way]" if verdict.verdict == "depends" else ""


def _check_tree(file: Path, result: CheckResult) -> dict[str, Any]:
    problems = [problem_tree(problem, severity) for problem, severity in graded(result.problems)]
    warnings = [problem_tree(problem, "warning") for problem in result.warnings]
    orders = [
        {
            "order": verdict.order.index,
            "type": verdict.order.type,
            "verdict": verdict.verdict,
            **({"depends": verdict.depends} if verdict.depends else {}),
            **({"sentence": verdict.sentence} if verdict.sentence else {}),
        }
        for verdict in result.verdicts
    ]
    return {"ok": result.legal, "file": str(file), "problems": problems + warnings, "orders": orders}
