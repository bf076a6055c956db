"""Orders that are wrong in every way players manage: each is refused or warned of at its line, with a way out."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import adjudicator.shifting_sands
from adjudicator.engine.core import Order, Tree
from adjudicator.shifting_sands.oddities import remarks
from adjudicator.shifting_sands.redeploy import rd_problems
from adjudicator.shifting_sands.replacement import rebuild_problems
from tests.shifting_sands.rounds import HIGHEST, Rounds
from tests.shifting_sands.support import ALLIED, AXIS, Row, mini, tree, unit
from tests.shifting_sands.test_combat import LIBYA

FOLDER = Path(adjudicator.shifting_sands.__file__).parent
HEAD = "orders:\n  - {type: section, name: round}\n"


def test_whatever_the_rules_refuse_they_tell_a_way_out() -> None:
    """DESIGN: what is wrong, why, how to mend it. The hint is the fourth thing that a problem is made of."""
    bare = []
    for path in [*sorted(FOLDER.glob("*.py")), *sorted((FOLDER / "queries").glob("*.py"))]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != "Problem":
                continue
            if len(node.args) < 4 and "hint" not in {keyword.arg for keyword in node.keywords}:
                bare.append(f"{path.name}:{node.lineno}")
    assert not bare


# --- redeployment -----------------------------------------------------------------------------------------------------


def told(order: str) -> list[tuple[int, str, str]]:
    """What `check` says of an order in the first round, by line, text and hint; the order begins in line 4."""
    text = HEAD + f"  - {{type: play_card, card: {HIGHEST}, use: rd}}\n" + order
    found = Rounds("sands").check(text)
    return [((problem.place or (0, 0))[0], problem.text, problem.hint) for problem in found.problems]


def rd(**fields: str) -> str:
    """A redeployment as it is typed, a field in a line from line 5 on."""
    return "  - type: rd\n" + "".join(f"    {name}: {value}\n" for name, value in fields.items())


@pytest.mark.parametrize(
    ("order", "line", "what", "mend"),
    [
        (rd(unit="BR 7 Arm", path="Mersa Matruh, Halfaya"), 5, "not one of your units", "leave"),
        (rd(unit="VF inf BG 1", path="Beirut, Damascus"), 5, "not released", "leave"),
        (rd(unit="IT 17", path="Tripoli, El Agheila"), 6, "no line joins Tripoli and El Agheila", "every space"),
        (rd(unit="IT 17", path="Tripoli, Malta"), 6, "no unit redeploys to Malta", "two ports"),
        (rd(unit="IT 17", path="Tripoli, Misurata, Tripoli"), 6, "comes back to Tripoli", "once"),
        (rd(unit="IT 17", path="Tripoli, Tripoli"), 6, "comes back to Tripoli", "once"),
        (rd(unit="IT 17", path="Tripoli, Tripoli", mode="sea"), 6, "comes back to Tripoli", "once"),
        (rd(unit="IT 17", path=", ".join(["Tripoli", "Misurata"] * 900)), 6, "comes back to Tripoli", "once"),
        (rd(unit="IT 17", path="Tripoli, Misurata", to="Benghazi"), 7, "the path ends in Misurata", "one of the two"),
        (rd(unit="IT 17", path="Tripoli, Misurata", to="'@reserve'"), 7, "the path ends in Misurata", "one of the two"),
        (rd(unit="IT 17", to="'@replacement'"), 6, "into the reserve box alone", "@reserve"),
        (rd(unit="IT 17", path="Buerat, Benghazi"), 6, "stands in Tripoli", "begin"),
        (rd(unit="IT arm BG 1", path="Tripoli, Misurata"), 6, "stands in the reserve box", "to: Misurata"),
        (rd(unit="IT arm BG 1", to="Cairo"), 6, "enemy units stand in Cairo", "name another space"),
        (rd(unit="IT 62", path="Bardia, Halfaya"), 6, "not under your control", "another way"),
        (rd(unit="IT 17", to="Halfaya"), 6, "no line joins", "every space"),
    ],
)
def test_a_redeployment_that_can_t_be_is_told_at_its_line(order: str, line: int, what: str, mend: str) -> None:
    ((place, text, hint),) = told(order)
    assert place == line and what in text and mend in hint, (place, text, hint)


def test_a_redeployment_to_a_space_alone_takes_the_shortest_way_by_land_else_by_sea() -> None:
    for to, path in (("Buerat", ["Tripoli", "Misurata", "Buerat"]), ("Tobruk", None)):
        text = HEAD + f"  - {{type: play_card, card: {HIGHEST}, use: rd}}\n" + rd(unit="IT 17", to=to)
        found = Rounds("sands").check(text)
        (order,) = [order for order in found.orders if order.type == "rd"]
        assert not found.problems and "to" not in order.data
        assert path is None or order.texts("path") == path
        assert order.texts("path")[0] == "Tripoli" and order.texts("path")[-1] == to


def test_forged_redeployments_are_void_whatever_they_hold() -> None:
    """The engine is asked for what `check` would have stopped: boxes, two answers in one, nothing at all."""
    spaces: dict[str, Row] = {name: {**LIBYA, "control": "axis", "source": ["axis"], "port": True} for name in "AB"}
    state = mini(spaces, (("A", "B"),), units=[unit("b", "GE", "A"), unit("r", "GE", "@reserve")], active=AXIS, round=1)
    forged: tuple[dict[str, Tree], ...] = (
        {"path": []}, {"to": "@replacement"}, {"to": "@eliminated"}, {"path": ["A", "B"], "to": "@reserve"},
        {"path": ["A", "A"]}, {"path": ["A", "B", "A"]}, {"mode": "land"}, {"mode": "fly", "path": ["A", "B"]},
        {"unit": "r", "path": ["A"]}, {"unit": "r", "to": ""}, {"unit": "x", "to": "A"}, {"to": "A", "mode": "lrdg"},
    )
    for data in forged:
        problems = rd_problems(state, AXIS, Order(0, "rd", {"unit": "b", **data}))
        assert problems and all(problem.hint for problem in problems), data


# --- replacements -----------------------------------------------------------------------------------------------------


def test_what_can_t_be_rebuilt_is_told_by_where_it_is() -> None:
    spaces: dict[str, Row] = {"A": {**LIBYA, "control": "axis", "source": ["axis"]}}
    units = [unit("b", "GE", "A", step="reduced"), unit("c", "GE", "@replacement"), unit("e", "GE", "@eliminated")]
    state = mini(spaces, (), units=units, rp={"GE": "0.5"})
    for kind, uid, said, mend in (
        ("replace", "c", "is in the replacement box", "order recreate"),
        ("replace", "e", "is lost for good", "leave it out"),
        ("recreate", "e", "is lost for good", "leave it out"),
        ("recreate", "c", "costs 1 GE, 0.5 are left", "steps: 1"),
    ):
        (problem,) = rebuild_problems(state, AXIS, Order(0, kind, {"unit": uid, "to": "@reserve"}))
        assert said in problem.text and mend in problem.hint and "@" not in problem.text


# --- words that can do nothing ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "data", "field", "what"),
    [
        ("losses", {"first": ["d"]}, "first", "d is not one of your units"),
        ("standing", {"topic": "losses", "rules": [{"keep": ["d"]}]}, "rules[0].keep", "not one of your units"),
        ("standing", {"topic": "losses", "rules": [{"first": ["b"]}, {"keep": ["b"]}]}, "rules[1]", "never reached"),
        ("standing", {"topic": "hold", "rules": [{"unit": ["b"]}, {"at": ["A"]}]}, "rules[1]", "never reached"),
        ("standing", {"topic": "retreat", "rules": [{"near": ["A"]}, {"to": ["A"]}]}, "rules[1]", "never reached"),
        ("answer", {"to": "foo bar", "say": "no"}, "to", "no choice goes by the key"),
        ("answer", {"to": "losses/1", "units": ["b"]}, "to", "no choice goes by the key"),
        ("answer", {"to": "hold/1", "units": ["b"]}, "units", "is not answered by units"),
        ("answer", {"to": "retreat/1/b"}, "to", "is not answered by nothing"),
        ("section", {"name": "round", "ask": "losses"}, "ask", "asks for nothing"),
    ],
)
def test_words_that_can_do_nothing_are_warned_of(kind: str, data: Row, field: str, what: str) -> None:
    spaces: dict[str, Row] = {"A": {**LIBYA, "control": "axis"}, "T": {**LIBYA, "control": "allied"}}
    state = mini(spaces, (("A", "T"),), units=[unit("b", "GE", "A"), unit("d", "BR", "T")])
    (problem,) = remarks(state, AXIS, Order(0, kind, tree(data)))  # type: ignore[arg-type]
    assert problem.field == field and what in problem.text and problem.hint


def test_what_says_something_is_not_warned_of() -> None:
    spaces: dict[str, Row] = {"A": {**LIBYA, "control": "axis"}, "T": {**LIBYA, "control": "allied"}}
    state = mini(spaces, (("A", "T"),), units=[unit("b", "GE", "A"), unit("d", "BR", "T")])
    for kind, data in (
        ("losses", {"first": ["d"]}),
        ("standing", {"topic": "hold", "rules": [{"at": ["T"]}, {"difference": "2"}]}),
        ("standing", {"topic": "retreat", "rules": [{"to": ["T"]}, {"near": ["T"]}]}),
        *(("answer", {"to": key, "say": "default"}) for key in ("losses/1/attacker", "hold/2", "captured/1/tobruk")),
        ("section", {"name": "reaction", "ask": "losses"}),
    ):
        assert remarks(state, ALLIED, Order(0, kind, tree(data))) == []  # type: ignore[arg-type]


def test_a_fate_that_there_is_not_is_refused() -> None:
    text = HEAD + (
        "  - type: advance\n    unit: IT 62\n    path: Bardia, Halfaya\n    if: retreat1, maybe\n"
    )
    (problem,) = [problem for problem in Rounds("sands").check(text).problems if problem.code == "word"]
    assert problem.place is not None and problem.place[0] == 6 and "'maybe' is not one of retreat1" in problem.text
