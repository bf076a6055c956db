"""The order types of Shifting Sands and their fields (docs/orders-shifting-sands.md is made from this list)."""

from __future__ import annotations

from adjudicator.engine.schema import SEALED, Field, OrderType
from adjudicator.shifting_sands.nations import NATIONS
from adjudicator.shifting_sands.wishes import PREFER

SECTIONS = ("round", "reaction", "followup", "replacement", "discard")
REPLACEMENT_BOX, RESERVE_BOX = "@replacement", "@reserve"
POOLS = ("GE", "IT", "BR", "CW", "A", "US")
ANY = "any"
WITHDRAW_KEYS = ("reduced", "armor")
RETREAT_KEYS = ("full", "neighbours", "together")
FATES = ("retreat1", "retreat2", "cleared", "overrun", "wiped_out")

_UNIT = Field("unit", "the unit, by id or by the name players use", True)
_UNITS = Field("units", "units, by id or by the name players use", True)
_SPACE = Field("space", "the space", True)
_PATH = Field("spaces", "the spaces from start to end, the start included", True)
_COMBAT = Field("number", "which combat of the round, from 1; absent = the one being fought")
_FIRST = Field("units", "units that take losses before others")
_KEEP = Field("units", "units that are spared where the rules allow it")

_WISH = {
    "first": _FIRST,
    "keep": _KEEP,
    "prefer": Field(
        "words",
        "what counts next, in turn: fewest `divisions` lost, `battlegroups` hit before divisions, `reduced` units "
        "before full ones, `armor` spared",
        words=PREFER,
    ),
    "nations": Field("words", "nations that are hit before others, in turn", words=NATIONS),
    "replace": Field("units", "battlegroups that take a lost division's place, the first that may (SS 11.44)"),
}

CLAUSES = {
    "cards": {
        "at": Field("spaces", "the spaces defended, or any; absent = any", words=(ANY,)),
        "region": Field("text", "the regions defended"),
        "flank": Field("text", "what became of the flank attack: success, failed or none; absent = whatever"),
        "strength": Field("number", "only if the attackers' strength is so much or more"),
        "division": Field("word", "only if a division of yours defends", words=("yes", "no")),
        "play": Field("cards", "the combat cards, in order", True),
        "unless": Field("text", "not if the attacker has played one of these cards"),
    },
    "losses": _WISH,
    "hold": {
        "at": Field("spaces", "the spaces held, or any; absent = any", words=(ANY,)),
        "difference": Field("number", "hold only if beaten by so many or more"),
        "steps": Field("number", "hold only if so many steps would remain"),
        "unit": Field("units", "who pays, the first that may; absent = the cheapest step"),
    },
    "retreat": {
        "space": Field("spaces", "the spaces defended, or any; absent = any", words=(ANY,)),
        "unit": Field("units", "the units that the clause is for; absent = all"),
        "to": Field("spaces", "ends, the first that is open"),
        "prefer": Field(
            "words",
            "of the ends that are open, in turn: `full` supply, most own `neighbours`, `together` with who went before",
            words=RETREAT_KEYS,
        ),
        "near": Field("spaces", "of the ends that are open, the nearest to this space, or to the next where equal"),
        "order": Field("units", "who retreats first, where one unit's way can change another's"),
    },
    "relocate": {
        "unit": Field("units", "the units that the clause is for; absent = all"),
        "to": Field("spaces", "places, the first that is open", words=(REPLACEMENT_BOX,)),
    },
    "flip": {"units": Field("units", "who recovers, the first that may")},
    "withdraw": {
        "event": Field("text", "the enemy's events that the clause is for, by their names; absent = any"),
        "first": Field("units", "units that go before others"),
        "keep": Field("units", "units that stay where others can go"),
        "prefer": Field(
            "words", "what counts next, in turn: `reduced` units before full ones, `armor` spared", words=WITHDRAW_KEYS
        ),
        "nations": Field("words", "nations that go before others, in turn", words=NATIONS),
    },
}
WORDS = {
    "cards": ("none", "default", "auto", "ask"),
    "losses": ("default", "auto", "ask"),
    "hold": ("always", "never", "default", "auto", "ask"),
    "retreat": ("default", "auto", "ask"),
    "relocate": ("eliminate", "default", "auto", "ask"),
    "flip": ("none", "default", "auto", "ask"),
    "withdraw": ("default", "auto", "ask"),
}
"""What the rules of a standing order may be instead of clauses, by topic."""
TOPICS = tuple(CLAUSES)
IN_COMBAT = TOPICS[:-1]
"""The topics of a combat: what a reaction may ask to be asked for."""
EACH = "each"
"""Sealed rules for cards whose clauses lie each in a topic of its own, what it plays in another (PROTOCOL 5, 6)."""
CLAUSES_AT_MOST = 8
NO_CLAUSE = "end"


def card_parts(number: int) -> tuple[str, str]:
    """The topics of a sealed clause that plays cards: when, and which."""
    return f"cards-{number}", f"cards-{number}-play"


CARD_TOPICS = tuple(topic for number in range(1, CLAUSES_AT_MOST + 1) for topic in card_parts(number))
BOOKS = {"sheet": (*TOPICS, *CARD_TOPICS)}
"""The one sealed book of standing orders, with all their topics (PROTOCOL 5)."""

BUILT = (
    OrderType(
        "section", "", "SS 5.2", "opens the orders of a part of the round",
        {
            "name": Field("word", "the part", True, SECTIONS),
            "ask": Field("words", "of a reaction: the choices to be asked for when they arise", words=IN_COMBAT[1:]),
        },
    ),
    OrderType(
        "standing", "", "SS 11",
        "standing order, open or sealed, in force from the next message until its topic is sent again",
        {
            "topic": Field("word", "what it settles", True, TOPICS),
            "rules": Field(
                "rows", "the clauses, the first that fits decides; or one word for all",
                words=("none", "always", "never", "eliminate", "default", "auto", "ask"), tables=CLAUSES, by="topic",
            ),
            "sealed": Field("word", SEALED, words=("yes", "no")),
        },
    ),
    OrderType(
        "answer", "", "SS 11", "answers a choice by its key, ahead or at a stop",
        {
            "to": Field("text", "the key of the choice", True),
            "units": Field("units", "units, in order"),
            "unit": Field("unit", "the unit"),
            "path": Field("spaces", "spaces in order"),
            "place": Field("space", "a place", words=(REPLACEMENT_BOX,)),
            "cards": Field("cards", "combat cards, in order"),
            "say": Field("word", "yes or no", words=("yes", "no", "default")),
        },
    ),
    OrderType(
        "play_card", "round", "SS 6.12", "plays a strategy card",
        {
            "card": Field("card", "the card", True),
            "use": Field("word", "for what", True, ("ops", "rd", "rp")),
        },
    ),
    OrderType(
        "event", "round", "SS 7.5", "plays a card as an event; orders place say where the units that it brings come in",
        {
            "card": Field("card", "the card", True),
            "with_cards": Field("cards", "cards that must be played together with it (SS 10.322)"),
            "take_rp": Field("word", "whether its replacement points are taken; absent = if they may be",
                             words=("yes", "no")),
        },
    ),
    OrderType(
        "withdraw", "reaction", "SS 7.5", "names a unit that an event of the enemy takes; one order for each",
        {"unit": _UNIT},
    ),
    OrderType(
        "rd", "round", "SS 12", "redeploys a unit, in a round in which a card is played for it",
        {
            "unit": _UNIT,
            "path": Field("spaces", "by land the spaces from start to end, by sea the two ports"),
            "to": Field(
                "place",
                "where it ends; alone, the shortest path by land, else by sea, is written into the signed order; "
                "into the reserve box: @reserve",
                words=(RESERVE_BOX,),
            ),
            "mode": Field(
                "word", "how; absent = as the rest says", words=("land", "sea", "from_reserve", "to_reserve", "lrdg")
            ),
        },
        one_of=("path", "to"),
    ),
    OrderType(
        "lrdg", "round", "SS 11.7", "sends the LRDG on its mission of the turn, for one operations point",
        {
            "mission": Field("word", "which", True, words=("raid", "intelligence")),
            "free": Field("word", "that the raid costs no point (SS 11.741)", words=("yes", "no")),
        },
    ),
    OrderType(
        "place", "round", "SS 7.53", "brings a unit into play that was not in it yet",
        {
            "unit": _UNIT,
            "to": Field("place", "the space, or @reserve", True, words=(RESERVE_BOX,)),
            "replaces": Field("unit", "the division in Tobruk that makes room (SS 19.13)"),
            "replaced_to": Field("space", "where that division goes: Alexandria or Port Said"),
        },
    ),
    OrderType("auto_op", "round", "SS 6.12", "automatic operation: one activation point, no card", {}),
    OrderType("move_marker", "round", "SS 7.25", "activates a space for movement", {"space": _SPACE}),
    OrderType("attack_marker", "round", "SS 7.25", "activates a space for combat", {"space": _SPACE}),
    OrderType(
        "move", "round", "SS 9", "moves an activated unit",
        {
            "unit": _UNIT,
            "to": Field("space", "where it ends; alone, the shortest path is taken and written into the signed order"),
            "path": Field("spaces", "the spaces from start to end, the start included"),
        },
        one_of=("to", "path"),
    ),
    OrderType(
        "end_movement", "round", "SS 8.2", "ends movement where units beyond the limit are to be eliminated",
        {
            "allow_overstack": Field("word", "whether a space may be too full", words=("yes", "no")),
            "eliminate": Field("units", "the units beyond the limit"),
        },
    ),
    OrderType(
        "captured_supply", "", "SS 13.9", "directly after the move, advance or retreat that takes Benghazi or Tobruk",
        {
            "units": Field("units", "the reduced units in Libya that recover"),
            "say": Field("word", "that nobody is to recover", words=("none",)),
            "combat": _COMBAT,
        },
        one_of=("units", "say"),
    ),
    OrderType(
        "attack", "round", "SS 11.22", "attacks one space with activated units",
        {
            "units": _UNITS,
            "target": Field("space", "the defending space", True),
            "flank": Field("word", "attempt a flank attack", words=("yes", "no")),
            "rommel": Field("word", "declare Rommel participating", words=("yes", "no")),
            "if_won": Field("number", "only if this combat of the round, ordered before, is won"),
            "if_vacated": Field("spaces", "only if no enemy stands in these spaces when its turn comes"),
            "if_occupied": Field("spaces", "only if own units stand in these spaces when its turn comes"),
            "ask": Field("word", "of a flank attack: to play combat cards once its die is known", words=("cards",)),
        },
    ),
    OrderType(
        "combat_card", "", "SS 11.25",
        "uses a combat card of the hand, or one face up before you: of the attacker below his attack, of the defender "
        "in his reaction",
        {
            "card": Field("card", "the card", True),
            "if": Field("word", "of an attack: only as the flank attack fell out", words=("flank", "no_flank")),
            "combat": _COMBAT,
        },
    ),
    OrderType(
        "losses", "", "SS 11.43", "your losses in a combat: one unit per step, or whom to hit first and whom to spare",
        {
            "steps": Field("units", "one unit per step, a replacement battlegroup may follow"),
            **_WISH,
            "combat": _COMBAT,
        },
        one_of=("steps", *_WISH),
    ),
    OrderType(
        "hold", "reaction", "SS 11.53", "cancels the retreat: this unit pays one more step",
        {"unit": _UNIT, "combat": _COMBAT},
    ),
    OrderType(
        "retreat", "reaction", "SS 11.55", "where a unit retreats; several orders for a unit serve one and two spaces",
        {
            "unit": _UNIT,
            "path": Field("spaces", "the spaces from the one defended to the end"),
            "to": Field("spaces", "ends, the first that is open counts"),
            "combat": _COMBAT,
        },
        one_of=("path", "to"),
    ),
    OrderType(
        "relocate", "reaction", "SS 11.47", "where an overrun unit is placed, or @replacement",
        {"unit": _UNIT, "to": Field("place", "the space, or @replacement", True), "combat": _COMBAT},
    ),
    OrderType(
        "advance", "", "SS 11.6", "advance after a combat",
        {
            "unit": _UNIT,
            "path": _PATH,
            "if": Field("words", "only after one of these; `cleared` is overrun or wiped out", words=FATES),
        },
    ),
    OrderType(
        "wait", "reaction", "SS 11", "asks to decide a later choice of this combat when it arises",
        {"topic": Field("word", "which choice", True, IN_COMBAT[1:]), "combat": _COMBAT},
    ),
    OrderType(
        "replace", "replacement", "SS 15.3", "brings a reduced unit in play to full strength",
        {
            "unit": _UNIT,
            "steps": Field("number", "1"),
            "pool": Field("word", "whose points; absent = those of its nation", words=POOLS),
        },
    ),
    OrderType(
        "recreate", "replacement", "SS 15.4", "brings a unit of the replacement box back",
        {
            "unit": _UNIT,
            "steps": Field("number", "1 or 2; absent = 2"),
            "pool": Field("word", "whose points; absent = those of its nation", words=POOLS),
            "to": Field("place", "the space, or @reserve", True, words=(RESERVE_BOX,)),
        },
    ),
    OrderType(
        "rp_choice", "replacement", "SS 7.414", "whose the point of the Atlantic Charter is in this phase",
        {"nation": Field("word", "BR or CW", True, words=("BR", "CW"))},
    ),
    OrderType(
        "discard", "discard", "SS 5.11", "discards cards before the hand is filled up",
        {"cards": Field("cards", "cards of the hand", True)},
    ),
    OrderType(
        "take", "discard", "SS 7.74", "takes a card that a rule offers by name, before the hand is filled up",
        {"card": Field("card", "the card", True)},
    ),
    OrderType("end_round", "", "SS 6.14", "nothing more is done in this round", {}),
)

TYPES: dict[str, OrderType] = {kind.name: kind for kind in BUILT}
