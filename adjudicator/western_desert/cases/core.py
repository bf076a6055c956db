"""Loading, running and counting Western Desert cases (CASE-FORMS 1 and 2). One runner per form stands in FORMS."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import cast

from adjudicator.engine.casecheck import CaseResult, Found, NotBuilt, judge
from adjudicator.engine.dice import Scripted, ScriptFault
from adjudicator.western_desert.cases import fields
from adjudicator.western_desert.switches import OPTIONS, OPTIONS_BUILT

Record = Mapping[str, object]


@dataclass
class Case:
    """One case, its templates at hand. ``dice`` is None when the case gives none (CASE-FORMS 2.7)."""

    id: str
    area: str
    form: str
    rules: list[str]
    given: Record
    orders: list[Record]
    expect: Record
    dice: Scripted | None
    assumes: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)
    templates: Record = field(default_factory=dict)
    faults: tuple[str, ...] = ()
    unread: str = ""
    made: int = 0  # units built so far: gives nameless ones an id of their own

    @property
    def switches(self) -> dict[str, str]:
        """The switches of a game that plays the options of the case (DESIGN 4.3)."""
        return {OPTIONS: " ".join(self.options)} if self.options else {}


FORM_MODULES = ("ground", "fighting", "flying")
_forms: dict[str, Callable[[Case], Found]] = {}


def form(name: str) -> Callable[[Callable[[Case], Found]], Callable[[Case], Found]]:
    """Register the runner of a form."""

    def register(function: Callable[[Case], Found]) -> Callable[[Case], Found]:
        _forms[name] = function
        return function

    return register


def forms() -> dict[str, Callable[[Case], Found]]:
    """The runners by form; imported when first asked for."""
    if not _forms:
        for module in FORM_MODULES:
            import_module(f"adjudicator.western_desert.cases.{module}")
    return _forms


def as_record(value: object) -> Record:
    """A mapping, or an empty one."""
    return cast(Record, value) if isinstance(value, dict) else {}


def as_records(value: object) -> list[Record]:
    """The mappings of a list, or none."""
    return [cast(Record, item) for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def as_texts(value: object) -> list[str]:
    """The items of a list as texts; one text alone is a list of it."""
    if isinstance(value, list):
        return [str(item) for item in value]
    return [] if value is None else [str(value)]


def is_case_file(tree: object) -> bool:
    """True for a file of this game's cases: they name their form."""
    return isinstance(tree, dict) and any("form" in row for row in as_records(tree.get("cases")))


def cases_of(tree: object) -> list[Case]:
    """The cases of a loaded file, in its order."""
    root = as_record(tree)
    templates = as_record(root.get("templates"))
    return [_case(row, templates) for row in as_records(root.get("cases"))]


def _case(row: Record, templates: Record) -> Case:
    dice, form = row.get("dice"), str(row.get("form", ""))
    faults = fields.faults(form, row.get("given"), row.get("orders"), row.get("expect"), dice)
    return Case(
        id=str(row.get("id", "?")),
        area=str(row.get("area", "")),
        form=form,
        rules=as_texts(row.get("rules")),
        given=as_record(row.get("given")),
        orders=as_records(row.get("orders")),
        expect=as_record(row.get("expect")),
        dice=Scripted(_dice(as_record(dice))) if dice is not None and not faults else None,
        assumes=as_texts(row.get("assumes")),
        options=as_texts(row.get("options")),
        templates=templates,
        faults=tuple(faults),
        unread=fields.unread(form, row.get("given")),
    )


def _dice(lists: Record) -> dict[str, list[int]]:
    return {
        kind: [int(str(v)) for v in values] if isinstance(values, list) else [int(str(values))]
        for kind, values in lists.items()
    }


def run_case(case: Case) -> CaseResult:
    """Play one case. A form or rule that is not built yet skips it, by name."""
    runner = forms().get(case.form)
    if runner is None:
        return CaseResult(case.id, "skipped", (f"form {case.form} is not built yet",))
    missing = [rule for rule in case.options if rule not in OPTIONS_BUILT]
    if missing:
        return CaseResult(case.id, "skipped", (f"optional rule {', '.join(missing)} is not built yet",))
    if case.faults:
        return CaseResult(case.id, "failed", case.faults)
    left_out = f"{case.unread} is not read in the form {case.form} in this version" if case.unread else ""
    try:
        found = runner(case)
    except NotBuilt as why:
        return CaseResult(case.id, "skipped", (str(why),))
    except ScriptFault as fault:
        return CaseResult(case.id, "failed", (str(fault),))
    except (LookupError, ValueError, TypeError, AttributeError, ArithmeticError, StopIteration) as fault:
        said = f"the position can't be built or played: {type(fault).__name__}: {fault}"
        return CaseResult(case.id, "skipped" if left_out else "failed", (left_out or said,))
    if left_out:
        return CaseResult(case.id, "skipped", (left_out,))
    result = judge(case.id, case.rules, case.expect, found)
    left = case.dice.left_over() if case.dice else {}
    if left:
        return CaseResult(case.id, "failed", (*result.lines, f"dice left over: {left}"))
    return result


def run_cases(tree: object, only: Sequence[str] = ()) -> list[CaseResult]:
    """Play all cases of a loaded file, or those named."""
    return [run_case(case) for case in cases_of(tree) if not only or case.id in only]
