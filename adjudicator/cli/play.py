"""Letting programs play each other: ``play``."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.common import WRONG, Fail, Json, leave, print_json, say

if TYPE_CHECKING:
    from adjudicator.match.play import Played, Scene, Settings, Tally

SHOWN = 12


def add_to(app: typer.Typer) -> None:
    """Enter the command."""
    app.command()(play)


def play(
    system: Annotated[str, typer.Argument(metavar="SYSTEM", help="The game, as western-desert.")],
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="The scenario, as compass.")],
    allied: Annotated[str, typer.Option(metavar="PLAYER", help="The program that plays the Allies.")] = "random",
    axis: Annotated[str, typer.Option(metavar="PLAYER", help="The program that plays the Axis.")] = "random",
    games: Annotated[int, typer.Option(min=1, metavar="N", help="How many games.")] = 1,
    seed: Annotated[str, typer.Option(metavar="SEED", help="The same seed gives the same games.")] = "1",
    messages: Annotated[int, typer.Option(min=0, metavar="N", help="Messages a game; 0 plays on.")] = 0,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the games that fail are kept, as game folders.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Let programs play whole games, and watch them.

    Each game runs over the real protocol between two seats in memory: turn files are written, checked, signed,
    received and proved at the end. After every message what must always hold is held against it. A game that
    fails is kept with what was wrong. Exit code 1 if one failed. The players: random (any lawful orders), sealing
    (the same, with many sealed standing orders), simple (simple aims).
    """
    from adjudicator.match.games import table
    from adjudicator.match.play import Pairing, Settings, pairings, unseen

    players = {"allied": allied, "axis": axis}
    _known(system, scenario, players.values())
    bouts = pairings(Pairing(system, scenario, (), seed), games)
    settings = [Settings(bout, players, messages, (told,)) for bout in bouts]
    tally, broken = _play_all(settings, out)
    never = unseen(table(system, scenario, ()), tally)
    if as_json:
        about = {"ok": not broken, "system": system, "scenario": scenario, "seed": seed}
        print_json({**about, **tally.tree(), "unseen": never})
    else:
        for line in (*tally.lines(), *(f"never: {what} {', '.join(names)}" for what, names in never.items() if names)):
            say(line)
    leave(WRONG if broken else 0)


def _known(system: str, scenario: str, players: Iterable[str]) -> None:
    """Raise Fail for a game, scenario or player that there is not."""
    from adjudicator.match.games import table
    from adjudicator.match.play import player

    try:
        table(system, scenario, ())
        for name in players:
            player(name)
    except ValueError as error:
        raise Fail(f"error[usage]: {error}") from None


def _play_all(settings: Sequence[Settings], out: Path | None) -> tuple[Tally, list[Played]]:
    """Play game after game with a line of progress; failed ones are told and kept at once."""
    from adjudicator.match.play import Tally, play_game

    total, broken, started = Tally(), [], time.monotonic()
    for number, one in enumerate(settings, 1):
        played = play_game(one)
        total.add(played.tally)
        if not played.sound:
            broken.append(played)
            _clear()
            _tell(played, out)
        _progress(number, len(settings), len(broken), time.monotonic() - started)
    _clear()
    return total, broken


def _tell(played: Played, out: Path | None) -> None:
    """What was wrong with a game, and where it is kept."""
    from adjudicator.match.play import save_failure

    say(f"{played.pairing.scenario}, seed {played.pairing.seed}, message {played.seq}: error[play]:")
    for fault in played.faults[:SHOWN]:
        say(f"    {fault}")
    if len(played.faults) > SHOWN:
        say(f"    and {len(played.faults) - SHOWN} more")
    if out is not None:
        say(f"    kept in {save_failure(played, out)}")


def _progress(number: int, games: int, broken: int, seconds: float) -> None:
    """One line on the error output, overwritten; nothing where nobody looks at it."""
    if sys.stderr.isatty():
        left = seconds / number * (games - number)
        text = f"\rgame {number} of {games}, {broken} failed, {seconds:.0f} s, {left:.0f} s left "
        typer.echo(text, nl=False, err=True)


def _clear() -> None:
    if sys.stderr.isatty():
        typer.echo("\r" + " " * 70 + "\r", nl=False, err=True)


# --- the story of a message -------------------------------------------------------------------------------------


def told(scene: Scene) -> list[str]:
    """What is wrong with the report of a message: that it can't be made, or says nothing."""
    from adjudicator.report import document_of
    from adjudicator.report.chapter import Chapter, Opening, visible
    from adjudicator.report.games import teller
    from adjudicator.report.render import markdown

    verifier, n = scene.verifier, scene.seq
    genesis, sides = verifier.genesis.body, scene.table.sides
    body = verifier.body(n) if n else {}
    orders = body.get("orders")
    carried = n + 1 if n < verifier.head else None
    opener = sides[1] if n % 2 else sides[0]
    chapter = Chapter(
        seq=n,
        author=sides[0] if n % 2 else sides[1],
        message_id=verifier.id(n),
        game_id=verifier.game_id,
        viewer="public",
        title=str(genesis["title"]),
        scenario=scene.table.title,
        note="",
        orders=len(orders) if isinstance(orders, list) else 0,
        link=int(str(body.get("link", "0"))),
        local=False,
        opening=Opening(opener, n // 2 + 1, verifier.seed(n), carried),
        events=visible(scene.events, "public"),
        sides=sides,
    )
    words = teller(str(genesis["system"]))
    unknown = sorted({event.kind for event in scene.events} - words.kinds())
    text = markdown(document_of(scene.table, chapter, scene.before, words))
    return [f"the report has no words for {kind}" for kind in unknown] + ([] if text.strip() else ["no report"])
