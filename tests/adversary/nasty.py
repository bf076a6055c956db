"""Orders that `sign` would never write, out of one stream of chance: wrong in type, field, value, place and number.

They start from lawful orders, so that they reach deep into the rules before they go wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Tree
from adjudicator.engine.driver import Run
from adjudicator.engine.game import Table
from adjudicator.engine.schema import Field, OrderType

Row = dict[str, Any]

ODD = (
    "", " ", ",", ",,,", "-", "0", "1", "2", "-1", "+1", "007", "1.5", "1e9", "²", "½", "9" * 30, "1" * 5000,
    "all", "any", "none", "ask", "yes", "no", "true", "null", "~", "None", "{}", "[]", "a\nb", "\n", "x" * 3000,
    "á", "Ж", "Ω", "☃", "🌍", "'", '"', "\\", "\\u0000", "../../etc/passwd", "$(id)", "%s%n", "<b>&amp;",
    "@replacement", "@eliminated", "@reserve", "1:1", ":1", "1:", "::", "a:b:c", "toward_supply", "N", "default",
    "always", "never", "orders/movement", "react/1", "followup/1", "losses/1/defender", "retreat/1/order", "hold/1",
)
NAMES = ("type", "unit", "units", "to", "path", "hex", "with", "rules", "topic", "by", "combat", "say", "zz", "order")
TOPICS = (
    "losses", "retreat", "supply", "hold", "relocate", "replace", "react", "captured", "patrol", "jettison", "split",
    "engage", "join", "chase", "strike", "sequence", "land", "escape", "orders",
)
DEEP = 8


class Maker:
    """Makes nasty rows for one table. ``pools`` holds ids by kind, own and foreign ones alike."""

    def __init__(self, table: Table, pools: Mapping[str, Sequence[str]], chance: Chance) -> None:
        self.table, self.pools, self.chance = table, pools, chance
        self.kinds = list(table.order_types.values())
        self.keys: list[str] = []

    def message(self, run: Run[Any], side: str) -> list[Row]:
        """The orders of one message: lawful ones of chance for what is asked, then spoiled."""
        chance = self.chance
        rows: list[Row] = []
        ask = run.ask
        if ask is not None:
            self.keys.append(ask.key)
            if ask.side == side and chance.likely(0.9):
                rows = [dict(row) for row in self.table.bot_orders(run.state, side, ask, chance)]
        for _ in range(chance.below(3)):
            rows[:0] = [dict(row) for row in self.table.bot_standing(run.state, side, chance)]
        return self.spoil(rows)

    def spoil(self, rows: list[Row]) -> list[Row]:
        """Spoil some of the rows, add others, mix them."""
        chance = self.chance
        rate = chance.pick((0.0, 0.1, 0.4))
        rows = [self.spoiled(row) if chance.likely(rate) else row for row in rows]
        for _ in range(chance.pick((0, 0, 1, 4, 12))):
            rows.insert(chance.below(len(rows) + 1), self.row())
        for _ in range(chance.pick((0, 0, 1, 3))):
            if rows:
                rows.insert(chance.below(len(rows) + 1), dict(chance.pick(rows)))
        if rows and chance.likely(0.08):
            rows = chance.mixed(rows)
        if rows and chance.likely(0.08):
            rows = rows * 2
        return rows

    # -- one row -------------------------------------------------------------------------------------------------

    def spoiled(self, row: Row) -> Row:
        """A row with one thing wrong."""
        chance = self.chance
        found = dict(row)
        fields = [name for name in found if name != "type"]
        name = chance.pick(fields) if fields else "to"
        kind = self.table.order_types.get(str(row["type"]))
        what = chance.below(5)
        if what == 0:
            found.pop(name, None)
        elif what == 1:
            found[name] = self.value()
        elif what == 2 and kind is not None and name in kind.fields:
            found[name] = self.fitting(kind.fields[name], found)
        elif what == 3:
            found[chance.pick(NAMES[1:])] = self.value()
        else:
            found["type"] = chance.pick(self.kinds).name
        return found

    def row(self) -> Row:
        """A row of chance: a known type with fields that fit, partly fit or do not."""
        chance = self.chance
        if chance.likely(0.1):
            return {"type": chance.pick(("zz", "orders", "a-b", "a" * 64)), chance.pick(NAMES[1:]): self.value()}
        kind = chance.pick(self.kinds if chance.likely(0.3) else [kind for kind in self.kinds if kind.built])
        return self.of_kind(kind)

    def of_kind(self, kind: OrderType) -> Row:
        """A row of one type; each field there or not, each value good or bad."""
        chance = self.chance
        row: Row = {"type": kind.name}
        for name, field in kind.fields.items():
            if chance.likely(0.75):
                row[name] = self.fitting(field, row) if chance.likely(0.85) else self.value()
        if chance.likely(0.05):
            row[chance.pick(NAMES[1:])] = self.value()
        return row

    def fitting(self, field: Field, row: Row) -> Tree:
        """A value that the form of a field allows, most of the time."""
        chance = self.chance
        if field.words and chance.likely(0.6):
            return chance.pick(field.words)
        if field.kind == "rows":
            fields = field.row_fields(row)
            return [self.clause(fields) for _ in range(chance.below(4))]
        if field.kind == "number":
            return chance.pick(("0", "1", "2", "3", "9", "999999999", "9" * 30, "1" * 5000, "²"))
        if field.kind == "text":
            return self.key() if chance.likely(0.6) else chance.pick(ODD)
        pool = self.pools.get(field.book)
        if not pool:
            return self.value()
        if field.kind == field.book and field.kind not in ("units", "hexes", "spaces"):
            return chance.pick(pool)
        names = [chance.pick(pool) for _ in range(chance.pick((1, 1, 2, 3, 8)))]
        return ", ".join(names) if chance.likely(0.3) else [*names]

    def clause(self, fields: Mapping[str, Field]) -> Tree:
        """A clause of a standing order."""
        chance = self.chance
        if not fields or chance.likely(0.15):
            return self.value()
        return {name: self.fitting(field, {}) for name, field in fields.items() if chance.likely(0.6)}

    def key(self) -> str:
        """The key of a choice: one that was asked, or one made up."""
        chance = self.chance
        if self.keys and chance.likely(0.4):
            return chance.pick(self.keys)
        places = [*self.pools.get("hex", ()), *self.pools.get("space", ())]
        where = chance.pick(places).replace("/", ".") if places else "1"
        fliers = self.pools.get("air", ())
        who = chance.pick([*self.pools.get("unit", ()), *fliers, *self.table.sides, "order-axis", "order-allied"])
        topic = chance.pick(TOPICS)
        number = chance.pick((where, "1", "2", "0", "99"))
        return f"{topic}/{number}/{who}" + chance.pick(("", "", "/2", "/9", "/"))

    def value(self, depth: int = 0) -> Tree:
        """Any value at all."""
        chance = self.chance
        what = chance.below(10)
        if what < 5 or depth >= DEEP:
            pool = chance.pick([ODD, *self.pools.values()])
            return chance.pick(pool)
        if what < 7:
            return [self.value(depth + 1) for _ in range(chance.pick((0, 1, 2, 5)))]
        if what < 9:
            return {chance.pick(NAMES): self.value(depth + 1) for _ in range(chance.pick((0, 1, 3)))}
        deep: Tree = "x"
        for _ in range(max(0, DEEP - depth)):
            deep = [deep] if chance.likely(0.5) else {"a": deep}
        return deep
