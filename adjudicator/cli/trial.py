"""``try``: a turn file played many times with local dice, nothing of it kept."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli.common import (
    WRONG,
    Fail,
    Game,
    Json,
    game_of,
    player_side,
    print_json,
    problem_lines,
    problem_tree,
    read_bytes,
    say,
)

if TYPE_CHECKING:
    from adjudicator.match.match import Match
    from adjudicator.match.trial import Depends, Tally, Trial

TIMES, MOST = 100, 10_000
SHOWN = 12
LOCAL = "Local dice, of this command only: nothing is written, and the game's own dice will be others."


def add_to(app: typer.Typer) -> None:
    """Enter the command."""
    app.command("try")(try_)


def try_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The turn file to try.", show_default=False)],
    game: Game = None,
    times: Annotated[int, typer.Option("--times", metavar="N", help="How many times.", min=1, max=MOST)] = TIMES,
    seed: Annotated[
        str, typer.Option("--seed", metavar="TEXT", help="For the same dice again; else fresh.", show_default=False)
    ] = "",
    as_json: Json = False,
) -> None:
    """Play a turn file many times with local dice.

    What each combat comes to and how often, the losses, what is taken and lost, and on which combat it hangs. The
    file is checked first. Standing orders of both sides count; where a side is asked on the way, it says nothing.
    """
    from adjudicator.match.draft import read_draft
    from adjudicator.match.plan import NOT_SET_UP, quietly
    from adjudicator.match.resolver import SETUP_MESSAGES
    from adjudicator.match.trial import try_draft

    match = quietly(game_of(file, game))
    if not match.me:
        raise Fail("error[usage]: this folder belongs to no player: only a player's own turn can be tried")
    if match.resolver.done < SETUP_MESSAGES:
        raise Fail(f"error[{NOT_SET_UP.rule}]: {NOT_SET_UP.text}; {NOT_SET_UP.hint}", code=WRONG)
    if match.verifier.failed is not None:
        raise Fail(match.verifier.failed.show(), code=WRONG)
    trial = try_draft(match, read_draft(read_bytes(file)), times, seed or _fresh())
    if not trial.checked.legal:
        _refuse(file, trial, as_json)
    if as_json:
        print_json(_tree(file, match, trial))
        return
    for line in _lines(file, match, trial):
        say(match.table.spoken(line))


def _fresh() -> str:
    import secrets

    return secrets.token_hex(4)


def _refuse(file: Path, trial: Trial, as_json: bool) -> None:
    problems = trial.checked.problems
    if as_json:
        print_json({"ok": False, "file": str(file), "problems": [problem_tree(p, "error") for p in problems]})
        raise typer.Exit(WRONG)
    raise Fail(*problem_lines(file, problems), "not tried: mend the file first", code=WRONG)


# --- for people -------------------------------------------------------------------------------------------------


def _lines(file: Path, match: Match, trial: Trial) -> Iterator[str]:
    whose = f"message {match.my_next_seq} of {player_side(match.me)}"
    yield f"{file}: {whose}, tried {trial.times} times, seed {trial.seed}."
    yield LOCAL
    if match.verifier.next_side != match.me:
        yield f"Message {match.verifier.next_seq} of the other side comes first: taken as if it ordered nothing."
    if not trial.rolls:
        yield "No die is rolled in this turn: every try is the same."
    if trial.assumed:
        times = f"{trial.assumed} time{'' if trial.assumed == 1 else 's'}"
        yield f"On the way a side is asked up to {times}: standing orders answer, else the defaults."
    for number, tally in enumerate(trial.clashes.values(), 1):
        yield f"{number}. {tally.title}, fought in {sum(tally.results.values())} of {trial.times}:"
        yield from _clash_lines(tally)
    for group, marks in trial.marks.items():
        yield f"{group}:"
        listed = marks.most_common()
        for what, count in listed[:SHOWN]:
            yield f"  {_share(count, trial.times)}  {what}{_hangs(trial.depends.get((group, what)))}"
        if len(listed) > SHOWN:
            yield f"  and {len(listed) - SHOWN} more, each in {listed[SHOWN][1]} or fewer; --json lists all"
    yield from _idle_lines(file, trial)
    ends = "; ".join(f"{what}, {count} of {trial.times}" for what, count in trial.waits.most_common(3))
    yield f"Then it waits for {ends}."


def _share(count: int, times: int) -> str:
    return f"{count:>{len(str(times))}} of {times}"


def _clash_lines(tally: Tally) -> Iterator[str]:
    """Each result with its count and mean losses, then the losses over all tries with their range."""
    fought = sum(tally.results.values())
    pairs = sorted(tally.losses)
    for result, count in tally.results.most_common():
        lost = "; ".join(_side(tally, side, result) for side in dict.fromkeys(side for side, _m in pairs))
        yield f"  {_share(count, fought)}  {result}: {lost}"
    said = []
    for side, measure in pairs:
        found = tally.losses[(side, measure)]
        if any(found):
            said.append(f"{player_side(side)} {_of(tally.mean(side, measure), measure)} ({_range(found)})")
    yield f"  on average {', '.join(said) or 'nothing is lost'}"


def _side(tally: Tally, side: str, result: str) -> str:
    means = [(measure, tally.mean(side, measure, result)) for who, measure in sorted(tally.losses) if who == side]
    if not any(mean for _measure, mean in means):
        return f"{player_side(side)} loses nothing"
    return f"{player_side(side)} loses {', '.join(_of(mean, measure) for measure, mean in means)}"


def _range(found: list[Fraction]) -> str:
    low, high = min(found), max(found)
    return f"always {_number(low)}" if low == high else f"{_number(low)} to {_number(high)}"


def _of(value: Fraction, measure: str) -> str:
    return f"{_number(value)} {measure[:-1] if value == 1 and measure.endswith('s') else measure}"


def _number(value: Fraction) -> str:
    return f"{float(value):.2f}".rstrip("0").rstrip(".")


def _hangs(depends: Depends | None) -> str:
    """On which combat a thing hangs: ``, by attack on 19/0726: 17 of 17 DR; 2 of 9 HX``."""
    if depends is None:
        return ""
    parts = [f"{n} of {of} {_code(result)}" for result, (n, of) in depends.with_result.items() if n]
    return f", by {depends.title[:1].lower()}{depends.title[1:]}: {'; '.join(parts)}"


def _code(result: str) -> str:
    """``DR`` of ``DR, defender retreats``; a result without a code as it is."""
    code, _comma, _rest = result.partition(",")
    return code if code.isupper() else result


def _idle_lines(file: Path, trial: Trial) -> Iterator[str]:
    orders = {order.index: order for order in trial.checked.orders}
    rows = [(index, what, count) for (index, what), count in sorted(trial.idle.items()) if index in orders]
    if rows:
        yield "Orders that came to nothing:"
    for index, what, count in rows:
        order = orders[index]
        line = (order.place() or (0, 0))[0]
        hangs = _hangs(trial.depends.get((f"order {index}", what)))
        yield f"  {_share(count, trial.times)}  {file}:{line} {order.type}: {what}{hangs}"


# --- for programs -----------------------------------------------------------------------------------------------


def _tree(file: Path, match: Match, trial: Trial) -> dict[str, Any]:
    return {
        "ok": True,
        "file": str(file),
        "seq": match.my_next_seq,
        "side": match.me,
        "times": trial.times,
        "seed": trial.seed,
        "dice": "local",
        "assumed_silences": trial.assumed,
        "combats": [_clash_tree(key, tally) for key, tally in trial.clashes.items()],
        "marks": [
            {"what": group, "which": what, "times": count, **_depends_tree(trial.depends.get((group, what)))}
            for group, marks in trial.marks.items()
            for what, count in marks.most_common()
        ],
        "orders": [
            {"order": index, "what": what, "times": n, **_depends_tree(trial.depends.get((f"order {index}", what)))}
            for (index, what), n in sorted(trial.idle.items())
        ],
        "waits": dict(trial.waits),
    }


def _clash_tree(key: str, tally: Tally) -> dict[str, Any]:
    def means(result: str = "") -> dict[str, dict[str, str]]:
        found: dict[str, dict[str, str]] = {}
        for side, measure in sorted(tally.losses):
            found.setdefault(side, {})[measure] = str(tally.mean(side, measure, result))
        return found

    return {
        "key": key,
        "title": tally.title,
        "fought": sum(tally.results.values()),
        "results": [{"result": r, "times": count, "loses": means(r)} for r, count in tally.results.most_common()],
        "loses": means(),
    }


def _depends_tree(depends: Depends | None) -> dict[str, Any]:
    if depends is None:
        return {}
    with_result = {result: {"times": n, "of": of} for result, (n, of) in depends.with_result.items()}
    return {"depends": {"combat": depends.clash, "results": with_result}}
