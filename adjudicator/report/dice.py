"""The dice of a message, each with all that a person needs to work it out again (PROTOCOL 4.4, 4.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.engine.core import Event
from adjudicator.protocol.dice import roll
from adjudicator.protocol.hashing import hmac256, lp, u32
from adjudicator.report.chapter import Chapter
from adjudicator.report.document import Block, Heading, Item, bullets, code, item, line, para, strong
from adjudicator.report.words import joined

ROLL = "pbem1/roll"
FACES = 6


@dataclass(frozen=True, slots=True)
class Pick:
    """One die out of a block: block and byte (or word) counted from 0, the raw number, the value 1..faces."""

    block: int
    at: int
    raw: int
    value: int


@dataclass(frozen=True, slots=True)
class Die:
    """One label and what was rolled under it. ``blocks`` are the HMAC blocks that were read, in hex."""

    label: str
    faces: int
    values: tuple[int, ...]
    blocks: tuple[str, ...]
    picks: tuple[Pick, ...]

    @property
    def agrees(self) -> bool:
        """True where the values that the events tell are those that seed and label give."""
        return self.values == tuple(pick.value for pick in self.picks)


def rolls_of(events: Sequence[Event]) -> list[tuple[str, int, tuple[int, ...]]]:
    """Label, faces and values of every roll that the events tell, in order.

    An event tells a roll by ``label`` with ``die`` or ``dice``, and ``faces`` where the die is no d6.
    """
    found: list[tuple[str, int, tuple[int, ...]]] = []
    for event in events:
        label, values = event.data.get("label"), event.data.get("dice", event.data.get("die"))
        if isinstance(label, str) and label and values:
            texts = values if isinstance(values, list) else [values]
            faces = int(str(event.data.get("faces", FACES)))
            found.append((label, faces, tuple(int(str(value)) for value in texts)))
    return found


def die_of(seed: bytes, label: str, faces: int, values: tuple[int, ...]) -> Die:
    """A roll worked out again from the seed, with every block that was read."""
    width = 1 if faces <= 256 else 4
    limit = 256**width - 256**width % faces
    blocks: list[str] = []
    picks: list[Pick] = []
    while len(picks) < len(values):
        data = hmac256(seed, lp(ROLL.encode(), label.encode("ascii"), u32(faces)) + u32(len(blocks)))
        for at in range(0, 32, width):
            raw = int.from_bytes(data[at : at + width], "big")
            if raw < limit and len(picks) < len(values):
                picks.append(Pick(len(blocks), at // width, raw, raw % faces + 1))
        blocks.append(data.hex())
    if tuple(pick.value for pick in picks) != roll(seed, label, faces, len(values)):
        raise AssertionError(f"{label}: the explanation and the protocol roll different dice")
    return Die(label, faces, values, tuple(blocks), tuple(picks))


def dice_of(chapter: Chapter) -> list[Die]:
    """Every die of a message that its events tell, worked out again."""
    return [die_of(chapter.opening.seed, *rolled) for rolled in rolls_of(chapter.events)]


# --- as blocks --------------------------------------------------------------------------------------------------


def dice_blocks(chapter: Chapter, side_name: str) -> list[Block]:
    """The section "The dice of this message": how the seed came about, and each die with its HMAC block."""
    dice = dice_of(chapter)
    title = Heading(2, "The dice of this message")
    if not dice:
        return [title, para("No die was rolled.")]
    return [title, *_seed_blocks(chapter, side_name), *bullets([die_item(die) for die in dice]), _how(dice)]


def _seed_blocks(chapter: Chapter, side_name: str) -> list[Block]:
    opening = chapter.opening
    carried = f", sent in message {opening.carried}" if opening.carried is not None else ", not sent yet"
    words = [
        item("message ", str(chapter.seq), ", id ", code(chapter.message_id)),
        item("key: link ", str(opening.link), f" of the {side_name} chain{carried}"),
        item("seed: ", code(opening.seed.hex())),
    ]
    if chapter.local:
        words.append(item("this game is played with local dice: nothing protects them"))
    return bullets(words)


def die_item(die: Die) -> Item:
    """A roll with its label, its values, and the HMAC blocks from which they can be worked out again."""
    kind = f"d{die.faces}" if len(die.values) == 1 else f"{len(die.values)}d{die.faces}"
    shown = joined([str(value) for value in die.values])
    blocks = [item(f"HMAC block {number}: ", code(block)) for number, block in enumerate(die.blocks)]
    unit = "byte" if die.faces <= 256 else "word"
    picks = [
        f"{unit} {pick.at + 1}{f' of block {pick.block}' if len(die.blocks) > 1 else ''} is {pick.raw}, "
        f"{pick.raw} mod {die.faces} + 1 = {pick.value}"
        for pick in die.picks
    ]
    agree = () if die.agrees else (strong(" This is not what the event tells: verify the game."),)
    return item(code(die.label), f", {kind}: ", strong(shown), below=[*blocks, item("; ".join(picks), line(*agree))])


def _how(dice: Sequence[Die]) -> Block:
    faces = sorted({die.faces for die in dice})
    skip = joined([f"{256 - 256 % m} or more for {m} faces" for m in faces if m <= 256 and 256 % m])
    skipped = f" (bytes of {skip} are passed over)" if skip else ""
    return para(
        "To work one out again: block c = HMAC-SHA-256(seed, lp(",
        code(ROLL),
        f", label, u32(faces)) followed by u32(c)); read byte after byte{skipped}; "
        "a die is byte mod faces plus 1 (PROTOCOL 4.5). The seed is HKDF-SHA-256 of the link, salted with the id of "
        "the message (PROTOCOL 4.4); ",
        code("verify"),
        " does all of this from the log alone.",
    )
