"""Loading, running and counting Shifting Sands cases: one form, boards and typed orders (docs/cases.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from adjudicator.engine.casecheck import CaseResult, NotBuilt

Record = Mapping[str, object]
BOARDS = ("none", "mini", "real", "campaign", "sonnenblume")


class CaseFault(ValueError):
    """A case that can't be played: it names a unit or space that is not there, or lacks what an order needs."""


@dataclass(frozen=True)
class Case:
    """One case. ``dice`` holds unmodified dice by kind: attacker, defender, flank."""

    id: str
    area: str
    rules: tuple[str, ...]
    given: Record
    orders: tuple[Record, ...]
    dice: Mapping[str, int]
    expect: Record

    @property
    def independent(self) -> bool:
        """Each order is tried from the given position, not after the one before."""
        return as_flag(self.given.get("independent"))


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


def as_text(value: object, default: str = "") -> str:
    """A scalar as text."""
    return default if value is None else str(value)


def as_number(value: object, default: int = 0) -> int:
    """A whole number."""
    return default if value is None else int(str(value))


def as_flag(value: object) -> bool:
    """A yes or no of a case file, as YAML reads it or as text."""
    return value is True or str(value).lower() in ("yes", "true")


def is_case_file(tree: object) -> bool:
    """True for a file of this game's cases: they name no form, and a board under ``given``."""
    rows = as_records(tree.get("cases")) if isinstance(tree, dict) else []
    return any("form" not in row and as_record(row.get("given")).get("board") in BOARDS for row in rows)


def cases_of(tree: object) -> list[Case]:
    """The cases of a loaded file, in its order."""
    return [_case(row) for row in as_records(as_record(tree).get("cases"))]


def _case(row: Record) -> Case:
    dice = {str(kind): as_number(value) for kind, value in as_record(row.get("dice")).items()}
    return Case(
        id=as_text(row.get("id"), "?"),
        area=as_text(row.get("area")),
        rules=tuple(as_texts(row.get("rules"))),
        given=as_record(row.get("given")),
        orders=tuple(as_records(row.get("orders"))),
        dice=dice,
        expect=as_record(row.get("expect")),
    )


def run_case(case: Case) -> CaseResult:
    """Play one case. What is not built yet skips it, by name."""
    from adjudicator.shifting_sands.cases.play import play_case

    try:
        lines = play_case(case)
    except NotBuilt as missing:
        return CaseResult(case.id, "skipped", (str(missing),))
    except CaseFault as fault:
        return CaseResult(case.id, "failed", (str(fault),))
    except (KeyError, ValueError) as fault:
        return CaseResult(case.id, "failed", (f"the case can't be played as it stands: {fault!r}",))
    return CaseResult(case.id, "failed" if lines else "passed", tuple(lines))


def run_cases(tree: object, only: Sequence[str] = ()) -> list[CaseResult]:
    """Play all cases of a loaded file, or those named."""
    return [run_case(case) for case in cases_of(tree) if not only or case.id in only]
