"""Fields within fields: their form, the names in them, and where a problem in them stands."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from adjudicator.engine.core import Order, texts_of
from adjudicator.engine.names import NameBook, Resolver
from adjudicator.engine.schema import Field, OrderType, changed, shape_problems, short_parts

CLAUSES = {
    "losses": {"order": Field("units", "who goes first"), "when": Field("word", "when", words=("now", "later"))},
    "retreat": {"to": Field("hexes", "where to", words=("any",))},
}
ROW = {"counter": Field("counter", "which", True), "steps": Field("number", "how many"), "units": Field("units", "who")}
KIND = OrderType(
    "plan",
    "",
    "T 1",
    "a plan",
    {
        "topic": Field("word", "of what", words=tuple(CLAUSES)),
        "rules": Field("rows", "clauses", tables=CLAUSES, by="topic"),
        "supply": Field("rows", "counters", tables={"": ROW}, short=("counter", "steps")),
        "with": Field("units", "who", all=True),
        "unit": Field("unit", "who"),
        "wish": Field("text", "a wish", built=False),
    },
)
TYPES = {"plan": KIND}


def book(what: str, **names: str) -> NameBook:
    found = NameBook(what)
    for ident, name in names.items():
        found.add(ident, [name])
    return found


UNITS = book("unit", u1="7th Armoured", u2="4 Arm X", u3="1 Inf", u4="1st Inf")
BOOKS = {"unit": UNITS, "counter": book("counter", c1="Allied supply 1"), "hex": book("hex", h1="Bardia")}


def resolved(**data: Any) -> tuple[dict[str, Any], list[str]]:
    resolver = Resolver(TYPES, BOOKS, lambda _order, _field, found: found, lambda _book, ident: ident)
    order, problems = resolver.order(Order(0, "plan", data))
    return dict(order.data), [f"{p.field} {p.code}" for p in problems]


def faults(**data: Any) -> list[str]:
    problems = shape_problems(TYPES, Order(0, "plan", data))
    assert all(problem.hint for problem in problems)
    return [f"{p.field} {p.code}" for p in problems]


def test_names_are_resolved_however_deep() -> None:
    data, problems = resolved(
        topic="losses",
        rules=[{"order": "7th Armoured, 4 Arm X", "when": "now"}],
        supply="Allied supply 1:2, Allied supply 1",
    )
    assert problems == []
    assert data["rules"] == [{"order": ["u1", "u2"], "when": "now"}]
    assert data["supply"] == ["c1:2", "c1"]
    assert resolved(supply={"counter": "Allied supply 1", "units": ["7 armored", "u2"]})[0]["supply"] == {
        "counter": "c1",
        "units": ["u1", "u2"],
    }


def test_names_that_are_near_are_written_as_players_know_them() -> None:
    near = NameBook("unit")
    near.add("it-62", ["IT 62", "Italian 62nd Division"])
    near.add("halfaya", ["Halfaya"])
    assert near.near("it 63") == ["IT 62"]
    assert near.near("italian 62 divison") == ["Italian 62nd Division"]
    assert near.near("halfway") == ["Halfaya"]
    assert near.near("nobody at all") == []


def test_words_stand_for_themselves() -> None:
    data, problems = resolved(topic="retreat", rules=[{"to": "any"}, {"to": "Bardia, any"}], **{"with": "all"})
    assert (data["rules"], data["with"], problems) == ([{"to": "any"}, {"to": ["h1", "any"]}], "all", [])


def test_each_name_that_is_not_resolved_is_told_with_its_path() -> None:
    rules = [{"order": ["u1", "nobody"]}, {"order": "u1, 1 Inf"}]
    assert resolved(topic="losses", rules=rules)[1] == ["rules[0].order[1] unknown", "rules[1].order[1] ambiguous"]
    assert resolved(supply=["c1:1", "c9:1"])[1] == ["supply[1] unknown"]
    assert resolved(unit="##")[1] == ["unit unknown"]


def test_the_form_of_rows_is_judged_by_their_own_fields() -> None:
    assert faults(topic="losses", rules=[{"order": "u1"}], supply=["c1:1", {"counter": "c1"}]) == []
    assert faults(topic="losses", rules=[]) == []
    assert faults(topic="losses", rules=[{"order": {"a": "b"}}, "hold", {"to": "h1"}]) == [
        "rules[0].order form",
        "rules[1] form",
        "rules[2].to field",
    ]
    assert faults(supply=["c1:x", ["c1"], {"steps": "1"}, {"counter": "c1", "steps": "many"}]) == [
        "supply[0] form",
        "supply[1] form",
        "supply[2].counter missing",
        "supply[3].steps form",
    ]
    assert faults(topic="losses", rules=[{"when": "never"}]) == ["rules[0].when word"]
    assert faults(wish="a stop") == ["wish unbuilt"]


def test_a_path_falls_back_to_what_it_stands_in() -> None:
    places = {"": (1, 1), "rules": (2, 3), "rules[1]": (4, 5), "rules[1].order[0]": (5, 9)}
    order = Order(0, "plan", {}, places)
    assert order.place("rules[1].order[0]") == (5, 9)
    assert order.place("rules[1].order[7]") == (4, 5)
    assert order.place("rules[0].order") == (2, 3)
    assert order.place("with") == (1, 1)
    assert Order(0, "plan", {}).place("with") is None


def test_a_row_written_short_has_its_number_last() -> None:
    assert short_parts("Allied supply 1:2") == ("Allied supply 1", "2")
    assert short_parts(" S1 ") == ("S1", "")
    assert short_parts("a:b:3") == ("a:b", "3")


TREES = st.recursive(
    st.text(max_size=5),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.sampled_from(sorted(KIND.fields)), part, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from([*sorted(KIND.fields), "other"]), TREES, max_size=4))
def test_any_tree_is_judged_and_what_is_sound_passes_through(data: dict[str, Any]) -> None:
    """No form of data raises; names that stay as they are leave sound data as it reads."""
    problems = shape_problems(TYPES, Order(0, "plan", data))
    kept = changed(KIND.fields, data, lambda _path, _field, text: text)
    resolved(**data)
    if not problems:
        assert flat(kept) == flat(data)


def flat(tree: Any) -> Any:
    """Data with every list of texts written out."""
    if isinstance(tree, dict):
        return {key: flat(value) for key, value in tree.items()}
    if isinstance(tree, str):
        return texts_of(tree)
    return [part for item in tree for part in (flat(item) if isinstance(item, str) else [flat(item)])]
