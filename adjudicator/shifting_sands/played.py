"""Combat cards that lie in a combat, and what they do to it (SS 7.6, 11.25; vocabulary of the data pack)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from adjudicator.shifting_sands.world import Record, World, rows, text, texts

COMBAT = "combat"
FIRE_FIRST, KEEP, ASIDE = "fires_first", "cancel_retreat", "end_adjacent"


@dataclass(frozen=True, slots=True)
class PlayedCard:
    """A combat card in a combat: whose (by role), the card as it lies there (id or handle), and its id in the pack."""

    role: str
    card: str
    name: str


Cards = tuple[PlayedCard, ...]


def combat_effects(row: Record) -> list[Record]:
    """What a card does in a combat; nothing for a card of another kind (SS 3.combat-card)."""
    return [effect for effect in rows(row, "effects") if text(effect, "do") == COMBAT]


def effects_of(world: World, cards: Iterable[PlayedCard], role: str = "") -> Iterator[tuple[PlayedCard, Record]]:
    """The effects of the cards in a combat, those of one role where it is named."""
    for card in cards:
        if role in ("", card.role):
            yield from ((card, effect) for effect in combat_effects(world.cards.get(card.name, {})))


def ignores(world: World, cards: Iterable[PlayedCard], what: str) -> bool:
    """True where a card takes ``terrain`` or ``fort`` out of the combat (SS faq.rules.3, faq.cards.2, faq.cards.4)."""
    return any(what in texts(effect, "ignore") for _, effect in effects_of(world, cards))


def becomes(world: World, cards: Iterable[PlayedCard]) -> str:
    """The terrain that a card makes of the defending space; "" for what the map has (SS faq.rules.3)."""
    return next((text(e, "terrain_becomes") for _, e in effects_of(world, cards) if text(e, "terrain_becomes")), "")


def without_cf(world: World, cards: Iterable[PlayedCard], role: str) -> frozenset[str]:
    """The nations of a role whose combat factors the other's cards leave out (SS faq.cards.27)."""
    found = ((card, texts(effect, "cf_zero")) for card, effect in effects_of(world, cards))
    return frozenset(nation for card, nations in found if card.role != role for nation in nations)


def drms(world: World, cards: Iterable[PlayedCard], role: str) -> Iterator[tuple[str, int]]:
    """The die modifiers of a role's cards, by the name of the card (SS 11.26)."""
    for card, effect in effects_of(world, cards, role):
        if text(effect, "drm"):
            yield card_title(world, card.name), int(text(effect, "drm"))


def cancels_flank(row: Record) -> bool:
    """True for a card that undoes a flank attack that has succeeded (SS faq.rules.3)."""
    return any(text(effect, "cancel_flank") == "yes" for effect in combat_effects(row))


def fires_first(world: World, cards: Iterable[PlayedCard]) -> list[str]:
    """The roles whose cards let them fire first."""
    return [card.role for card, effect in effects_of(world, cards) if text(effect, FIRE_FIRST) == "yes"]


def forced_retreat(world: World, cards: Iterable[PlayedCard]) -> int:
    """How many spaces the defender must retreat, whoever wins; 0 where no card says so (SS 11.551, faq.cards.28)."""
    return max((int(text(e, "forced_retreat") or "0") for _, e in effects_of(world, cards)), default=0)


def ends_apart(world: World, cards: Iterable[PlayedCard]) -> bool:
    """True where the retreat may not end beside the defending space (SS 11.551)."""
    return any(text(effect, ASIDE) == "no" for _, effect in effects_of(world, cards))


def stands_fast(world: World, cards: Iterable[PlayedCard]) -> str:
    """The card by which a retreat that is no overrun does not take place; "" for none (SS faq.cards.3)."""
    found = (card.name for card, effect in effects_of(world, cards) if text(effect, KEEP) == "yes")
    return next((card_title(world, name) for name in found), "")


def card_title(world: World, name: str) -> str:
    """A card by its title; its id where the pack has none of it."""
    return text(world.cards.get(name, {}), "name") or name
