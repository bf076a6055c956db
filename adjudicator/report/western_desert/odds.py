"""How an attack was reckoned: strengths with every effect and its rule, odds, armour, die modifiers, chances."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from adjudicator.engine.core import Event, Tree
from adjudicator.report.document import Item, Words, item, strong
from adjudicator.report.western_desert.names import spoken
from adjudicator.report.western_desert.scene import Scene, get, items, record, records, rule, texts, word
from adjudicator.report.words import capital, chance, faces_words, figure, joined, ratio, signed
from adjudicator.western_desert.battle import charts_of
from adjudicator.western_desert.combat_charts import RESULT_NAMES, CombatCharts
from adjudicator.western_desert.state import State

DIE = (1, 2, 3, 4, 5, 6)
_PROPORTION = re.compile(r"^(AECA|AECD|ATEC) (\S+)$")
NO_DIE = ("auto", "none")
ARMOR = (("aeca", "AECA", "WD 10.C.1"), ("aecd", "AECD", "WD 10.C.2"), ("atec", "ATEC", "WD 10.C.3"))


def reckoning(scene: Scene, event: Event) -> list[Item]:
    """All that decided the attack before the die."""
    found = [_side_item(scene.state, event, "attackers", "strength", "Attack strength", "ground_support")]
    found.append(_side_item(scene.state, event, "defending", "against", "Defence strength", "defensive_support"))
    sharing = items(event, "sharing")
    if sharing:
        names = joined([spoken(scene.state, uid) for uid in sharing])
        found.append(item(f"{names} retreated into the hex: no strength, but a share in any adverse result."))
    found.append(_odds_item(event))
    if get(event, "column") in NO_DIE:
        return found
    return [*found, *_armor_items(scene.state, event), _modifier_item(event)]


# --- strengths --------------------------------------------------------------------------------------------------


def _side_item(state: State, event: Event, key: str, sum_key: str, title: str, air_key: str) -> Item:
    rows = sorted(records(event, key), key=lambda row: (-Fraction(word(row, "value", "0")), word(row, "unit")))
    below = [item(*_share_words(state, row)) for row in rows]
    air = get(event, air_key)
    if air:
        below.append(item(f"air support: {figure(air)}", rule("WD 20.F.2"), "."))
    return item(f"{title} ", strong(figure(get(event, sum_key, "0"))), rule("WD 9.A"), ":", below=below)


def _share_words(state: State, row: Mapping[str, Tree]) -> list[Words]:
    """``11th Indian Brigade: 2 × 1/2 unsupported (WD 11) = 1``."""
    uid, printed, value = word(row, "unit"), word(row, "printed", "0"), word(row, "value", "0")
    effects = _rows(row, "effects")
    base = _base(row, effects)
    words: list[Words] = [f"{spoken(state, uid)}: "]
    if not effects or not base:
        return [*words, figure(value)]
    words.append(figure(base) if base == Fraction(printed) else f"{figure(base)} instead of {figure(printed)}")
    for effect in effects:
        factor = Fraction(word(effect, "factor", "1"))
        times = f" × {figure(factor)} " if factor != 1 else ", "
        words += [times, word(effect, "what"), rule(word(effect, "rule"))]
    if any(Fraction(word(effect, "factor", "1")) != 1 for effect in effects):
        words.append(f" = {figure(value)}")
    return words


def _base(row: Mapping[str, Tree], effects: Sequence[Mapping[str, Tree]]) -> Fraction:
    """What the effects work on: the printed strength, but for artillery in excess its part of their total."""
    base = Fraction(word(row, "value", "0"))
    for effect in effects:
        factor = Fraction(word(effect, "factor", "1"))
        if not factor:
            return Fraction(word(row, "printed", "0"))
        base /= factor
    return base


def _rows(row: Mapping[str, Tree], name: str) -> list[Mapping[str, Tree]]:
    value = row.get(name)
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


# --- odds, armour, modifiers ------------------------------------------------------------------------------------


def _odds_item(event: Event) -> Item:
    attack, defense = Fraction(get(event, "strength", "0")), Fraction(get(event, "against", "0"))
    column = get(event, "column")
    if column == "auto":
        return item(f"Odds: {figure(attack)} against nothing; no die is needed", rule("WD 9.G.defense"), ".")
    shown = f"{figure(attack)} against {figure(defense)} is {ratio(attack, defense)}"
    if column == "none":
        return item("Odds: ", shown, ", below the lowest column", rule("WD 9.A.3"), ".")
    return item("Odds: ", shown, ", column ", strong(column), rule("WD 9.A.3"), ".")


def _armor_items(state: State, event: Event) -> list[Item]:
    """The three proportions that matter, and why one of them does not count."""
    armor = record(event, "armor")
    if not armor:
        return []
    parts = [words for key, name, address in ARMOR if (words := _proportion(state, armor, key, name, address))]
    notes = texts(armor.get("notes"))
    told = [item(*words) for words in parts]
    told += [item(f"{capital(note)}", rule("WD 10.C"), ".") for note in notes] if parts else []
    return [item("Armour and antitank:" if told else "Armour and antitank: none on either side.", below=told)]


def _proportion(state: State, armor: Mapping[str, Tree], key: str, name: str, address: str) -> list[Words]:
    found = armor.get(key)
    if not isinstance(found, dict):
        return []
    share, capable, counted = (Fraction(word(found, part, "0")) for part in ("share", "capable", "counted"))
    if not share:
        return []
    die = word(found, "die", "0")
    part = "all of them" if share == 1 else figure(share)
    words = f"{name}: {figure(capable)} of {figure(counted)} counted REs are capable, {part}; "
    words += f"die {die}" if die != "0" else "no effect on the die"
    declared = texts(found.get("neutral"))
    taken = f"; {joined([spoken(state, uid) for uid in declared])} taken as neutral" if declared else ""
    return [words, taken, rule(address), "."]


def _modifier_item(event: Event) -> Item:
    rows = records(event, "die_modifiers")
    if not rows:
        return item("Die modifiers: none.")
    words: list[Words] = ["Die modifiers: "]
    for number, row in enumerate(rows):
        what = _PROPORTION.sub(r"\1, proportion \2", word(row, "what"))
        words += [", " if number else "", f"{word(row, 'die')} {what}", rule(word(row, "rule"))]
    return item(*words, f"; in all {signed(int(get(event, 'drm', '0')))}.")


# --- the die ----------------------------------------------------------------------------------------------------


def result_name(result: str) -> str:
    """``DR, defender retreats``."""
    return f"{result}, {RESULT_NAMES[result]}" if result in RESULT_NAMES and result != "auto" else result


def die_words(scene: Scene, event: Event) -> list[Words]:
    """The die with label and opener, its modifiers, and what it comes to."""
    die, drm = int(get(event, "die")), int(get(event, "drm", "0"))
    total = die + drm
    used = int(get(event, "used", str(total)))
    reckoned = f"; {die} {'+' if drm > 0 else '-'} {abs(drm)} = {total}" if drm else ""
    read = f", read as {used}" if used != total else ""
    return [*scene.die(event), f"{reckoned}{read}"]


def results_by_die(charts: CombatCharts, column: str, drm: int) -> dict[int, str]:
    """The result of each face in a column with the modifiers."""
    return {die: charts.result(column, die + drm) for die in DIE}


def chance_words(state: State, event: Event) -> list[Words]:
    """The chance of what happened, the chances of everything else, and what the next better result needed."""
    column, drm, die = get(event, "column"), int(get(event, "drm", "0")), int(get(event, "die"))
    table = results_by_die(charts_of(state), column, drm)
    result = get(event, "result")
    faces = [face for face, found in table.items() if found == result]
    words: list[Words] = [f"{result} had {chance(faces)} ({faces_words(faces)}). "]
    better = next((face for face in DIE if face > die and table[face] != result), None)
    if better is None:
        words.append("No die could have brought more. ")
    else:
        next_result = result_name(table[better])
        words.append(f"{capital(faces_words([better]))} was needed for the next better result, {next_result}. ")
    return [*words, f"Before the die: {_all_chances(table)}."]


def _all_chances(table: Mapping[int, str]) -> str:
    ordered = list(dict.fromkeys(table[face] for face in DIE))
    return joined([f"{result} {sum(found == result for found in table.values())} in 6" for result in ordered])
