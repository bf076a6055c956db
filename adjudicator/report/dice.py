"""The dice of a message, each with all that a person needs to work it out again (PROTOCOL 4.4, 4.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.engine.core import Event
from adjudicator.protocol.dice import pick, roll
from adjudicator.protocol.hashing import hmac256, lp, u32
from adjudicator.report.chapter import Chapter
from adjudicator.report.document import Block, Heading, Item, bullets, code, item, line, para, strong
from adjudicator.report.words import joined

ROLL, PICK = "pbem1/roll", "pbem1/pick"
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
    """One label and what was rolled or picked under it. ``blocks`` are the HMAC blocks that were read, in hex."""

    label: str
    faces: int
    values: tuple[int, ...]
    blocks: tuple[str, ...]
    picks: tuple[Pick, ...]
    kind: str = ROLL

    @property
    def agrees(self) -> bool:
        """True where the values that the events tell are those that seed and label give."""
        return self.values == tuple(one.value for one in self.picks)


def rolls_of(events: Sequence[Event]) -> list[tuple[str, int, tuple[int, ...], str]]:
    """Label, faces, values and kind of every roll that the events tell, in order.

    An event tells a roll by ``label`` with ``die`` or ``dice``, ``faces`` where the die is no d6, ``pick`` where one
    of several things was drawn.
    """
    found: list[tuple[str, int, tuple[int, ...], str]] = []
    for event in events:
        label, values = event.data.get("label"), event.data.get("dice", event.data.get("die"))
        if isinstance(label, str) and label and values:
            texts = values if isinstance(values, list) else [values]
            faces = int(str(event.data.get("faces", FACES)))
            numbers = tuple(int(str(value)) for value in texts)
            found.append((label, faces, numbers, PICK if event.data.get("pick") else ROLL))
    return found


def die_of(seed: bytes, label: str, faces: int, values: tuple[int, ...], kind: str = ROLL) -> Die:
    """A roll worked out again from the seed, with every block that was read."""
    width = 1 if faces <= 256 else 4
    limit = 256**width - 256**width % faces
    blocks: list[str] = []
    picks: list[Pick] = []
    while len(picks) < len(values):
        data = hmac256(seed, lp(kind.encode(), label.encode("ascii"), u32(faces)) + u32(len(blocks)))
        for at in range(0, 32, width):
            raw = int.from_bytes(data[at : at + width], "big")
            if raw < limit and len(picks) < len(values):
                picks.append(Pick(len(blocks), at // width, raw, raw % faces + 1))
        blocks.append(data.hex())
    if tuple(one.value for one in picks) != _as_played(seed, label, faces, len(values), kind):
        raise AssertionError(f"{label}: the explanation and the protocol roll different dice")
    return Die(label, faces, values, tuple(blocks), tuple(picks), kind)


def _as_played(seed: bytes, label: str, faces: int, count: int, kind: str) -> tuple[int, ...]:
    return (pick(seed, label, faces) + 1,) if kind == PICK else roll(seed, label, faces, count)


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
    count = "" if len(die.values) == 1 else str(len(die.values))
    kind = f"pick out of {die.faces}" if die.kind == PICK else f"{count}d{die.faces}"
    shown = joined([str(value) for value in die.values])
    blocks = [item(f"HMAC block {number}: ", code(block)) for number, block in enumerate(die.blocks)]
    unit = "byte" if die.faces <= 256 else "word"
    picks = [
        f"{unit} {one.at + 1}{f' of block {one.block}' if len(die.blocks) > 1 else ''} is {one.raw}, "
        f"{one.raw} mod {die.faces} + 1 = {one.value}"
        for one in die.picks
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
        *((" (for a pick ", code(PICK), ")") if any(die.kind == PICK for die in dice) else ()),
        f", label, u32(faces)) followed by u32(c)); read byte after byte{skipped}; "
        "a die is byte mod faces plus 1 (PROTOCOL 4.5). The seed is HKDF-SHA-256 of the link, salted with the id of "
        "the message (PROTOCOL 4.4); ",
        code("verify"),
        " does all of this from the log alone.",
    )
