"""Orders of any form in a signed body break nothing, and what `check` lets pass is void nowhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from adjudicator.engine.schema import LISTS, Field, Fields
from adjudicator.western_desert.orders import TYPES
from tests.western_desert.surprise import ALLIED, AXIS, Body, Played, drafted, signed, voids

EXAMPLES = settings(max_examples=max(20, settings().max_examples // 2), phases=(Phase.explicit, Phase.generate))
BUILT = sorted(name for name, kind in TYPES.items() if kind.built)
WORDS = (
    "br-16", "in-5", "in-11", "br-7rt", "transport-1", "it-62", "it-1lib", "nobody", "16 Inf X", "19/0726", "19/0826",
    "18/9999", "Bardia", "supply-allied-1", "supply-allied-1:1", "supply-allied-captured-1:2", "supply-axis-1:0", "all",
    "any", "none", "N", "rough", "toward_supply", "yes", "no", "0", "7", "999999999999", "movement", "combat", "losses",
    "retreat", "supply", "foot", "rail", "road", "admin", "carried", "2:1", "losses/19.0726/allied", "", ",", ":",
    "a:b:1", "retreat/19.0726/br-16/2", "supply/19.1225/supply-allied-1", "skip", "attack", "always", "allowed",
)

Known = Mapping[str, Sequence[str]]
UNITS = ("br-16", "in-5", "in-11", "br-7rt", "br-w-art", "br-7-arm-a", "transport-1", "au-16", "it-62", "br-1m")
NAMES: Known = {
    "unit": UNITS,
    "hex": ("19/0726", "19/0826", "19/0725", "19/1225", "19/0926", "18/4818", "19/1127"),
    "counter": ("supply-allied-1", "supply-allied-2", "supply-allied-captured-1", "supply-axis-1"),
    "wish": ("N", "SE", "rough", "toward_supply", "19/0926"),
    "number": ("0", "1", "2", "9"),
    "air": ("air-blen-4-1", "air-glad-1", "air-well-1c-1", "air-bombay-1", "air-sm-79-1", "air-cr-42-1", "nobody"),
    "model": ("any", "towing", "fighters", "B", "SM.79"),
    "target": ("any", "weakest", "transports", "air-sm-79-1"),
    "mission": ("any", "harass", "ground_support"),
}


def tree(chance: Random, fields: Fields, depth: int = 0) -> Any:
    """A value of any shape."""
    kind = chance.random()
    if kind < 0.5 or depth > 2:
        return chance.choice(WORDS)
    if kind < 0.65:
        return ", ".join(chance.sample(WORDS, chance.randint(1, 4)))
    if kind < 0.85:
        return [tree(chance, fields, depth + 1) for _ in range(chance.randint(0, 3))]
    names = sorted(fields) or ["x"]
    return {chance.choice(names): tree(chance, fields, depth + 1) for _ in range(chance.randint(0, 3))}


def value(chance: Random, spec: Field, row: Body, known: Known = NAMES) -> Any:
    """A value for a field: as a rule of the form that is wanted, now and then of any."""
    fields = spec.row_fields(row)
    if chance.random() < 0.15:
        return tree(chance, fields)
    if spec.kind == "rows":
        short = [f"{chance.choice(known['counter'])}:{chance.choice('0129')}"] if spec.short else []
        return short + [filled(chance, fields, known) for _ in range(chance.randint(0, 3))]
    if spec.words and (spec.kind == "word" or chance.random() < 0.2):
        return chance.choice(spec.words)
    names = known.get(spec.book, WORDS)
    if spec.kind in LISTS:
        some = chance.sample(names, min(len(names), chance.randint(1, 3)))
        return "all" if spec.all and chance.random() < 0.3 else some
    return chance.choice(names)


def filled(chance: Random, fields: Fields, known: Known = NAMES) -> Body:
    """Some fields of an order or row; those that are needed as a rule."""
    row: Body = {}
    for name, spec in fields.items():
        if chance.random() < (0.95 if spec.required else 0.35):
            row[name] = value(chance, spec, row, known)
    return row


def junk(seed: int) -> list[Body]:
    """Orders of known types with fields of any shape, in sections or not."""
    chance, rows = Random(seed), list[Body]()
    for _ in range(chance.randint(1, 12)):
        kind = TYPES[chance.choice(BUILT)]
        rows.append({"type": kind.name, **filled(chance, kind.fields)})
        if chance.random() < 0.05:
            rows[-1]["other"] = tree(chance, {})
        if chance.random() < 0.4:
            rows.append({"type": "section", "name": chance.choice(("movement", "combat", "air", "exploitation"))})
    return rows


@EXAMPLES
@given(st.integers(0, 10**9))
def test_nothing_that_is_signed_breaks_the_rules(seed: int) -> None:
    for side in (AXIS, ALLIED):
        rows = junk(seed)
        played = Played.begun(rows if side == AXIS else ())
        if side == ALLIED:
            played.send(rows)
        else:
            played.send()
        played.send()
        assert played.resolver.last is not None


@EXAMPLES
@given(st.integers(0, 10**9))
def test_what_check_lets_pass_is_void_nowhere(seed: int) -> None:
    """Junk as a draft: what is called legal runs as it would be signed, alone or beside the rest."""
    played = Played.begun()
    rows = junk(seed)
    result = played.check(drafted(rows))
    legal = {verdict.order.index for verdict in result.verdicts if verdict.verdict == "legal"}
    body = signed(result)
    void = {int(event["order"]) for event in voids(played.send(body))}
    assert not {index for index in legal & void if rows[index]["type"] != "section"}
