"""Comparing what a case expects with what the rules found (CASE-FORMS, Comparison). Shared by both games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from adjudicator.engine.core import Problem


class NotBuilt(Exception):
    """The rule that a case needs is not built yet; the case is skipped and named, never passed."""


@dataclass(frozen=True)
class Check:
    """A found value that judges the expectation itself (``sets_ok``: every listed set is lawful).

    The function returns "" when the expectation holds, else what was found instead.
    """

    judge: Callable[[object], str]


@dataclass(frozen=True)
class Ordered:
    """A found list whose order counts."""

    items: Sequence[object]


@dataclass
class Found:
    """What the rules found: values by key of ``expect``, and the problems per order for the verdicts."""

    values: dict[str, object] = field(default_factory=dict)
    verdicts: list[list[Problem]] = field(default_factory=list)


@dataclass(frozen=True)
class CaseResult:
    """The end of one case: ``passed``, ``failed`` or ``skipped``, with expected and found of each difference."""

    id: str
    status: str
    lines: tuple[str, ...] = ()


def as_number(value: object) -> Fraction | None:
    """A number written as number or as text (``7/2``, ``3.5``); None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, Fraction)):
        return Fraction(value)
    if isinstance(value, float):
        return Fraction(str(value))
    if isinstance(value, str):
        try:
            return Fraction(value)
        except (ValueError, ZeroDivisionError):
            return None
    return None


def same(expected: object, found: object) -> str:
    """ "" where the two agree by the rules of comparison, else a short text of what was found."""
    if isinstance(found, Check):
        return found.judge(expected)
    if isinstance(expected, bool) or isinstance(found, bool):
        return _flag(expected, found)
    if isinstance(expected, Mapping):
        return _same_map(expected, found)
    if isinstance(expected, list):
        return _same_list(expected, found)
    a, b = as_number(expected), as_number(found)
    if a is not None and b is not None:
        return "" if a == b else show(found)
    return "" if show(expected) == show(found) else show(found)


def _flag(expected: object, found: object) -> str:
    words = {"true": True, "yes": True, "false": False, "no": False}
    a = words.get(expected.lower(), expected) if isinstance(expected, str) else expected
    b = words.get(found.lower(), found) if isinstance(found, str) else found
    return "" if a is b else show(found)


def _same_map(expected: Mapping[object, object], found: object) -> str:
    if not isinstance(found, Mapping):
        return show(found)
    by_text = {str(key): value for key, value in found.items()}
    faults = []
    for key, value in expected.items():
        if str(key) not in by_text:
            faults.append(f"{key}: nothing")
        else:
            fault = same(value, by_text[str(key)])
            if fault:
                faults.append(f"{key}: {fault}")
    return "{" + ", ".join(faults) + "}" if faults else ""


def _same_list(expected: list[object], found: object) -> str:
    if isinstance(found, Ordered):
        items = list(found.items)
        if len(items) == len(expected) and not any(same(e, f) for e, f in zip(expected, items, strict=True)):
            return ""
        return show(items)
    if not isinstance(found, (list, tuple)) or len(found) != len(expected):
        return show(found)
    left = list(found)
    for item in expected:
        match = next((i for i, other in enumerate(left) if not same(item, other)), None)
        if match is None:
            return show(found)
        left.pop(match)
    return ""


def show(value: object) -> str:
    """A value as the report of a failing case writes it."""
    if isinstance(value, Ordered):
        return show(list(value.items))
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {show(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(show(item) for item in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Fraction):
        return str(value)
    return str(value)


def cites(rules: Sequence[str], problem: Problem) -> bool:
    """True where a problem names one of the rules, or one above or under it in the numbering."""
    cited = problem.rule.split(" ", 1)[-1]
    return any(_related(rule, cited) for rule in rules)


def _related(a: str, b: str) -> bool:
    return a == b or a.startswith(b + ".") or b.startswith(a + ".")


def judge(case_id: str, rules: Sequence[str], expect: Mapping[str, object], found: Found) -> CaseResult:
    """Compare the keys under ``expect`` only; a verdict must match and cite a fitting rule."""
    lines: list[str] = []
    for key, wanted in expect.items():
        if key == "verdict":
            lines += _verdict(key, wanted, [p for problems in found.verdicts for p in problems], rules)
        elif key == "verdicts":
            lines += _verdicts(wanted, found, rules)
        elif key not in found.values:
            lines.append(f"{key}: expected {show(wanted)}, found nothing")
        else:
            fault = same(wanted, found.values[key])
            if fault:
                lines.append(f"{key}: expected {show(wanted)}, found {fault}")
    return CaseResult(case_id, "failed" if lines else "passed", tuple(lines))


def _verdicts(wanted: object, found: Found, rules: Sequence[str]) -> list[str]:
    if not isinstance(wanted, list) or len(wanted) != len(found.verdicts):
        return [f"verdicts: expected {show(wanted)}, found {len(found.verdicts)} orders"]
    lines: list[str] = []
    for number, (word, problems) in enumerate(zip(wanted, found.verdicts, strict=True), 1):
        lines += _verdict(f"verdict {number}", word, problems, rules)
    return lines


def _verdict(key: str, wanted: object, problems: Sequence[Problem], rules: Sequence[str]) -> list[str]:
    said = "; ".join(f"[{p.rule}] {p.text}" for p in problems)
    if wanted == "legal":
        return [f"{key}: expected legal, found illegal: {said}"] if problems else []
    if not problems:
        return [f"{key}: expected illegal, found legal"]
    if not any(cites(rules, problem) for problem in problems):
        return [f"{key}: illegal, but cites {said}; the case is about {', '.join(rules)}"]
    return []
