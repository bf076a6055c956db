"""Checking a draft: the same rules, run on assumed dice (DESIGN, One rule, four uses)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from adjudicator.engine.core import Event, Order, Problem, Roll
from adjudicator.engine.dice import Assume, Opened
from adjudicator.engine.driver import Message, Run
from adjudicator.engine.game import Table
from adjudicator.engine.planning import NOTHING_PLANNED, Planning
from adjudicator.engine.sections import out_of_order, sections
from adjudicator.match.draft import Draft, resolve_orders
from adjudicator.match.facedown import NO_FACES, Faces, as_seen, in_own_words, laid_down, used_twice
from adjudicator.match.resolver import FREE_TYPES, SETUP_MESSAGES, MatchResolver, table_of_run
from adjudicator.match.secretplans import Kept, nothing_kept, planned_message, planning_of
from adjudicator.match.sheets import open_orders
from adjudicator.protocol.dice import pick
from adjudicator.protocol.dice import roll as labelled_roll

PROFILES = ("assume", "low", "high")
SECTION = "section"
STOPS_AT_MOST = 8
"""How many stops a draft is followed beyond; a player turn has fewer."""


def _no_words() -> str:
    return ""


@dataclass(frozen=True)
class OrderVerdict:
    """An order's verdict: ``legal``, ``illegal`` or ``depends``, with the roll it hangs on, and how to say it."""

    order: Order
    verdict: str
    depends: str = ""
    read_back: Callable[[], str] = _no_words

    @property
    def sentence(self) -> str:
        """The order as a sentence for the player to confirm; empty for an illegal one."""
        return self.read_back()


@dataclass
class CheckResult:
    """All that is known of a draft before it is signed. ``orders`` are resolved to ids; ``planning`` is what they make
    of secret plans."""

    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)
    verdicts: list[OrderVerdict] = field(default_factory=list)
    orders: list[Order] = field(default_factory=list)
    planning: Planning = NOTHING_PLANNED
    run: Run[Any] | None = None
    note: str = ""

    @property
    def legal(self) -> bool:
        """True where nothing stands in the way of signing."""
        return not self.problems


class PreviewDice:
    """Opened seeds where they are known, assumptions beyond."""

    def __init__(self, seeds: dict[int, bytes], profile: str) -> None:
        self._seeds = seeds
        self._opened = Opened(seeds, labelled_roll, pick)
        self._assume = Assume(profile)

    def __call__(self, seq: int, roll: Roll) -> tuple[int, ...]:
        return self._opened(seq, roll) if seq in self._seeds else self._assume(seq, roll)


def check_draft(
    resolver: MatchResolver,
    before: Sequence[Message],
    seq: int,
    side: str,
    draft: Draft,
    kept: Kept = nothing_kept,
    faces: Faces = NO_FACES,
) -> CheckResult:
    """Check a draft as message ``seq`` of ``side`` after the messages before it. ``kept`` reads his secret plans,
    ``faces`` are his face-down cards."""
    result = CheckResult(problems=list(draft.problems), warnings=list(draft.warnings))
    table = resolver.table_at(seq)
    first = resolver.run(before, PreviewDice(resolver.seeds, "assume"))
    state = state_for(resolver, first, table)
    resolved = resolve_orders(table, as_seen(table, state, side, faces), side, draft.orders)
    result.problems += resolved.problems
    result.warnings += [*resolved.warnings, *_misplaced(table, resolved.orders)]
    named = {order.index: order for order in resolved.orders}
    orders = result.orders = laid_down(table, state, side, resolved.orders, faces)
    twice = used_twice(table, state, side, orders)
    result.problems += twice
    bad = resolved.bad | _unopened(table, orders) | {p.order for p in twice if p.order is not None}
    sound = [order for order in orders if order.index not in bad]
    planning = result.planning = planning_of(table, first.waits, state, side, sound, kept)
    bad |= _plan_faults(table, result, orders)
    usable = tuple(o for o in open_orders(orders, table.order_types) if o.index not in bad or o.type == SECTION)
    message = planned_message(seq, side, usable, planning)
    runs = _runs(resolver, [*before, message])
    result.run = runs["assume"]
    unasked = _unasked(usable, seq, runs)
    result.problems += unasked
    bad |= {problem.order for problem in unasked if problem.order is not None}
    runs = _beyond(resolver, [*before, message], runs)
    main = runs[PROFILES[0]]
    words = _Words(table_of_run(main, resolver.table), side, faces, named)
    result.verdicts = _verdicts([*orders, *planning.orders], bad, seq, runs, words)
    _collect(result, seq, runs, resolved.bad, table)
    result.problems = [in_own_words(table, problem, faces) for problem in result.problems]
    result.warnings = [in_own_words(table, warning, faces) for warning in result.warnings]
    result.problems.sort(key=lambda p: p.place or (0, 0))
    return result


def _plan_faults(table: Table, result: CheckResult, orders: Sequence[Order]) -> set[int]:
    """Note what is wrong with secret plans; returns the orders that are."""
    by_index = {order.index: order for order in orders}
    for index, problems in result.planning.problems.items():
        order = by_index[index]
        placed = [replace(p, order=index, place=p.place or order.place(p.field)) for p in problems]
        result.problems += [_spoken(table, problem) for problem in placed]
    result.warnings += [_spoken(table, problem) for problem in result.planning.warnings]
    return set(result.planning.problems)


def state_for(resolver: MatchResolver, run: Run[Any], table: Table) -> Any:
    """The state that a run came to as the rules of the message after it hold it."""
    ended = table_of_run(run, table)
    return run.state if ended is table else resolver.eras.carry(run.state, ended, table)


def _spoken(table: Table, problem: Problem) -> Problem:
    """A problem that the rules found, as players speak."""
    return replace(problem, text=table.spoken(problem.text), hint=table.spoken(problem.hint))


def _misplaced(table: Table, orders: Sequence[Order]) -> list[Problem]:
    """Sections that stand behind one of a later phase: the phases are played in their own order all the same."""
    names = table.order_types[SECTION].fields["name"].words
    found = []
    for late, before in out_of_order(orders, names):
        assert late.head is not None
        text = f"the section {late.name} stands behind {before.name}, but is played before it"
        hint = f"put it above {before.name}; the order of play is {', '.join(names)}"
        found.append(Problem("section_order", "file", text, hint, late.head.place("name"), late.head.index))
    return found


def _unopened(table: Table, orders: Sequence[Order]) -> set[int]:
    """Orders below the head of a section that there is not: the head is told, they would only repeat it."""
    known = table.order_types[SECTION].fields["name"].words
    return {
        order.index
        for part in sections(orders)
        if part.head is not None and part.name not in known
        for order in part.orders
    }


def _runs(resolver: MatchResolver, messages: Sequence[Message]) -> dict[str, Run[Any]]:
    """The run under each profile. What lies before the step with the first closed roll is the same and runs once."""
    head = resolver.run(messages, Opened(resolver.seeds, labelled_roll, pick), remarks=True)
    if head.waits.why != "opening":
        return dict.fromkeys(PROFILES, head)
    runs = {}
    for profile in PROFILES:
        dice = PreviewDice(resolver.seeds, profile)
        run = resolver.go_on(head.checkpoint, messages, dice, remarks=profile == PROFILES[0])
        runs[profile] = _joined(head, run)
    return runs


def _beyond(resolver: MatchResolver, messages: Sequence[Message], runs: dict[str, Run[Any]]) -> dict[str, Run[Any]]:
    """The runs, and on behind the stops that a message is written beyond, as if nobody said anything at them.

    Orders for a phase after a stop bind (PROTOCOL 5), so that they are judged now as far as that can be.
    """
    table = table_of_run(runs["assume"], resolver.table)
    if not _written_ahead(table, messages[-1], runs["assume"]):
        return runs
    found = {}
    for profile, run in runs.items():
        found[profile] = _gone_on(resolver, table, list(messages), run, PreviewDice(resolver.seeds, profile))
    return found


def _gone_on(
    resolver: MatchResolver, table: Table, messages: list[Message], run: Run[Any], dice: PreviewDice
) -> Run[Any]:
    first, second = table.sides
    draft = messages[-1]
    for _ in range(STOPS_AT_MOST):
        if not _written_ahead(table, draft, run):
            break
        last = messages[-1]
        messages.append(Message(last.seq + 1, second if last.side == first else first))
        onward = resolver.go_on(run.checkpoint, messages, dice, remarks=True)
        run = _joined(run, onward)
    return run


def _written_ahead(table: Table, draft: Message, run: Run[Any]) -> bool:
    """Whether a draft holds a section for a phase that lies behind the stop of a run, in the same player turn."""
    names = table.order_types[SECTION].fields["name"].words
    if run.ask is None or run.ask.fresh or run.step not in names:
        return False
    later = names[names.index(run.step) + 1 :]
    return any(part.name in later for part in sections(draft.orders))


def _joined(run: Run[Any], onward: Run[Any]) -> Run[Any]:
    """A run that went on from the checkpoint of another, with what that one had come to before it."""
    onward.events = [*run.events[: run.kept], *onward.events]
    onward.problems = [*run.problems[: run.kept_problems], *onward.problems]
    onward.rolls, onward.hanging = run.rolls | onward.rolls, run.hanging | onward.hanging
    onward.remarks = [*run.remarks, *(r for r in onward.remarks if r not in run.remarks)]
    onward.finished = run.finished | onward.finished
    onward.kept, onward.kept_problems = onward.kept + run.kept, onward.kept_problems + run.kept_problems
    return onward


def _unasked(orders: Sequence[Order], seq: int, runs: dict[str, Run[Any]]) -> list[Problem]:
    """Orders in a message that nothing asks for would all be void (PROTOCOL 4.1, 5)."""
    if any(seq in run.answered for run in runs.values()):
        return []
    text, hint = "this side is not asked for anything now", "send a bare message with `open`"
    rule = "PROTOCOL 5"
    if seq <= SETUP_MESSAGES:
        text, hint = "messages 1 and 2 carry no orders, they open the set-up", "send it with `open`"
        rule = "PROTOCOL 4.1"
    return [
        Problem("unasked", rule, f"{order.type}: {text}", hint, order.place(), order.index)
        for order in orders
        if order.type not in FREE_TYPES or seq <= SETUP_MESSAGES
    ]


@dataclass(frozen=True)
class _Words:
    """Says orders to their author, with his own cards by name."""

    table: Table
    side: str
    faces: Faces
    named: Mapping[int, Order]

    def say(self, state: Any, order: Order, events: Sequence[Event]) -> str:
        """An order as a sentence."""
        seen = as_seen(self.table, state, self.side, self.faces)
        return self.table.read_back(seen, self.named.get(order.index, order), events)


def _verdicts(
    orders: Sequence[Order], bad: set[int], seq: int, runs: dict[str, Run[Any]], words: _Words
) -> list[OrderVerdict]:
    """The verdict of each order over all runs."""
    main = runs["assume"]
    events: dict[object, list[Event]] = defaultdict(list)
    for event in main.events:
        if event.on == seq or seq in event.by:
            events[event.data.get("order")].append(event)
    faults = [_faults(run, seq) for run in runs.values()]
    found = []
    for order in orders:
        of_order = [problems.get(order.index, []) for problems in faults]
        if order.index in bad or all(of_order):
            found.append(OrderVerdict(order, "illegal"))
            continue
        first = next((problems[0] for problems in of_order if problems), None)
        hangs = main.hanging.get((seq, order.index), "")
        read_back = partial(words.say, main.state, order, events[str(order.index)])
        depends = first.depends or "an earlier roll" if first else hangs
        found.append(OrderVerdict(order, "depends" if depends else "legal", depends, read_back))
    return found


def _faults(run: Run[Any], seq: int) -> dict[int | None, list[Problem]]:
    """The problems of a message's orders in one run, by order."""
    found: dict[int | None, list[Problem]] = defaultdict(list)
    for problem in run.problems:
        if problem.seq == seq:
            found[problem.order].append(problem)
    return found


def _collect(result: CheckResult, seq: int, runs: dict[str, Run[Any]], told: set[int], table: Table) -> None:
    """Faults that are there whatever the dice are problems; the others are warnings that name the roll, and so is what
    the rules remark of lawful orders. Orders whose form is wrong are ``told`` of already."""
    illegal = {verdict.order.index for verdict in result.verdicts if verdict.verdict == "illegal"}
    seen: set[tuple[int | None, str, str]] = set()
    for run in runs.values():
        for problem in run.problems:
            mark = (problem.order, problem.code, problem.text)
            if problem.seq != seq or problem.order in told or mark in seen:
                continue
            seen.add(mark)
            if problem.order in illegal:
                if run is runs["assume"]:
                    result.problems.append(_spoken(table, replace(problem, depends=None)))
            else:
                result.warnings.append(_spoken(table, problem))
    remarks = [r for r in runs["assume"].remarks if r.seq == seq and r.order not in illegal]
    result.warnings += [_spoken(table, remark) for remark in remarks]
