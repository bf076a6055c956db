"""Planning in a game folder: the position that a question is about, read without writing or opening anything.

Only what was resolved before is known here, and what the player himself has sealed: nothing else of `private/` is read,
so nothing can come out that he may not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from adjudicator.engine.core import Problem, Tree
from adjudicator.engine.dice import Opened
from adjudicator.engine.driver import Checkpoint, Message, play
from adjudicator.engine.queries import Asked, Queries, Reply, Scene, put
from adjudicator.match.draft import Draft, resolve_orders
from adjudicator.match.facedown import as_seen, faces_of, laid_down, names_of
from adjudicator.match.folder import Folder, locate
from adjudicator.match.match import Match
from adjudicator.match.preview import state_for
from adjudicator.match.resolver import SETUP_MESSAGES, author
from adjudicator.match.secretplans import kept_plans, planned_message, planning_of
from adjudicator.match.sheets import Known, book_of, is_secret
from adjudicator.protocol.dice import pick, roll
from adjudicator.protocol.own import OwnBooks

NOT_SET_UP = Problem(
    "set_up", "PROTOCOL 4.1", "nothing is set up yet", "the set-up is opened by the first messages; see `status`"
)


def quietly(root: Path) -> Match:
    """A game folder opened for questions: nothing in it is changed, not even what could be made again. Raises
    FolderError."""
    return Match.load(root, still=True)


@dataclass
class Planned:
    """The scene of a question, and what must be known of it: notes, and problems of the draft it goes by."""

    scene: Scene | None = None
    notes: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def scene_of(match: Match, queries: Queries, question: str, side: str, draft: Draft | None = None) -> Planned:
    """The position as far as it is known, and with a draft after the draft's orders up to the question's moment."""
    resolver, verifier = match.resolver, match.verifier
    found = Planned(notes=_notes(match))
    if resolver.done < SETUP_MESSAGES or resolver.checkpoint.state.step == "setup":
        found.problems.append(NOT_SET_UP)
        return found
    messages = resolver.messages_up_to(verifier.head if verifier.failed is None else resolver.done, verifier.bodies)
    if draft is not None:
        messages = _with_draft(match, found, messages, draft)
    if found.problems:
        return found
    game = queries.rehearsal(question, side, draft is not None)
    run = play(game, _point(match), messages, Opened(resolver.seeds, roll, pick), books=resolver.sheets)
    for problem in run.problems if draft is not None else ():
        if problem.seq == match.my_next_seq:
            found.problems.append(problem)
    if run.waits.why == "opening" and draft is not None:
        found.notes.append(f"The draft is followed up to the roll {run.waits.key}, whose die nobody knows")
    found.scene = Scene(run.state, side, messages, run.at, run.answered, _known(match))
    return found


def _known(match: Match) -> Known:
    """The sealed standing orders that this player knows; without his own where their contents are not kept here."""
    writes = partial(author, match.table)
    sealed = match.verifier.history.in_force(match.me, match.my_next_seq)
    kept = match.own_books() if sealed else OwnBooks()
    books = [book for one in sealed.values() if (book := kept.find(one.book, one.seq, one.root)) is not None]
    own = {topic: (book.seq, rules) for book in books for topic, rules in book.rules.items()}
    return Known(match.resolver.sheets, match.me, writes, own, partial(_own_history, match, kept))


def _own_history(match: Match, kept: OwnBooks, topic: str, since: int) -> list[tuple[int, Tree]]:
    """What the own books from a message on say on a topic, oldest first."""
    book = book_of(match.verifier.layout, topic)
    told = (one for one in match.verifier.history.sealed if (one.side, one.book) == (match.me, book))
    found = (kept.find(book, one.seq, one.root) for one in told if one.seq >= since)
    return [(one.seq, one.rules.get(topic, "")) for one in found if one is not None]


def _point(match: Match) -> Checkpoint[Any]:
    """Where the newest step begins, as the rules of the next message hold it: those that are asked here."""
    resolver = match.resolver
    point, held = resolver.checkpoint, resolver.table_at(resolver.checkpoint.at)
    if held is match.table:
        return point
    return replace(point, state=resolver.eras.carry(point.state, held, match.table))


def _notes(match: Match) -> list[str]:
    verifier = match.verifier
    if verifier.failed is not None:
        return [f"The game stands at message {verifier.failed.seq} ({verifier.failed.code}): the position before it"]
    if match.my_turn and verifier.resolved < verifier.head:
        return [f"Message {verifier.head} is not opened here yet (`status` opens it): this is the position before it"]
    return []


def _with_draft(match: Match, found: Planned, messages: Sequence[Message], draft: Draft) -> list[Message]:
    """The messages with the draft as the next own one; off turn the other side is taken to order nothing before."""
    found.problems += draft.problems
    seq, side = match.my_next_seq, match.me
    before = match.before_draft()
    if len(before) > len(messages):
        found.notes.append(f"Message {match.verifier.head + 1} of the other side comes before: taken as if empty")
    table = match.resolver.table_at(seq)
    first = match.resolver.run(before, Opened(match.resolver.seeds, roll, pick))
    state = state_for(match.resolver, first, table)
    faces = faces_of(match)
    resolved = resolve_orders(table, as_seen(table, state, side, faces), side, draft.orders)
    found.problems += resolved.problems
    laid = laid_down(table, state, side, resolved.orders, faces)
    usable = tuple(order for order in laid if order.index not in resolved.bad)
    kept = partial(kept_plans, table, match.verifier, side, match.own_books)
    planning = planning_of(table, first.waits, state, side, usable, kept)
    said = [order for order in usable if not is_secret(order, table.order_types)]
    return [*before, planned_message(seq, side, said, planning)]


def answer(match: Match, question: str, side: str, asked: Asked, draft: Draft | None = None) -> tuple[Planned, Reply]:
    """Put a question about the game. Where the draft it goes by is at fault the reply is empty."""
    queries = match.table.queries()
    found = scene_of(match, queries, question, side, draft)
    if found.scene is None or found.problems:
        return found, Reply()
    return found, put(queries, question, found.scene, asked)


def own_hand(match: Match) -> tuple[list[str], Reply]:
    """The hand of the folder's player, with notes on the position it is about. Raises FolderError where his secret,
    without which nobody knows his cards, is not here. Only for a game with face-down cards."""
    resolver, table = match.resolver, match.table
    match.secret()
    if table.facedown is None or resolver.done < SETUP_MESSAGES:
        return [], Reply(problems=[NOT_SET_UP])
    upto = match.verifier.head if match.verifier.failed is None else resolver.done
    messages = resolver.messages_up_to(upto, match.verifier.bodies)
    run = play(table, _point(match), messages, Opened(resolver.seeds, roll, pick), books=resolver.sheets)
    names = names_of(faces_of(match))
    return _notes(match), table.facedown.hand(run.state, match.me, names, run.waits, table.spoken)


def folder_of(path: Path | None) -> Path:
    """The game folder named, or the one that the current folder is or lies in. Raises FolderError."""
    root = path if path is not None else locate(Path.cwd() / "here")
    Folder(root).require()
    return root
