"""The worked example of docs/dice-recipe.md, held against the listing in it and against the program."""

from __future__ import annotations

import re
import subprocess
import sys

from adjudicator.protocol.dice import roll, seed_of
from adjudicator.protocol.hashing import hmac256, lp, tagged_hash, u32
from tests.docs.pages import page

RECIPE = page("docs/dice-recipe.md")


def rows() -> dict[str, str]:
    """The table of the example: what -> the first code or number in the cell."""
    table = re.findall(r"^\| (.+?) \| (.+?) \|$", RECIPE.text.split("## A worked example")[1], re.MULTILINE)
    return {what: re.sub(r"`(\w+)`.*", r"\1", value) for what, value in table}


def test_the_table_is_right() -> None:
    found = rows()
    link, message = bytes.fromhex(found["link 3, from message 5"]), bytes.fromhex(found["id of message 4"])
    game, cid = bytes.fromhex(found["game id"]), bytes.fromhex(found["`cid` of the Axis player"])
    step_2 = found['step 2: `H("pbem1/chain", cid, u32(3), link 3)`']
    assert step_2 == tagged_hash("pbem1/chain", cid, u32(3), link).hex() == found["link 2, from message 3"]
    assert found["step 3: `HMAC(id, link 3)`"] == hmac256(message, link).hex()
    seed = seed_of(4, message, game, link)
    assert found["step 3: the seed"] == seed.hex()
    block = hmac256(seed, lp(b"pbem1/roll", b"combat/1203/crt", u32(6)) + u32(0))
    assert found["step 4: block 0 for `combat/1203/crt`, 6 faces"] == block.hex()
    assert found["its first byte"] == f"{block[0]:02x}"
    assert f"which is {block[0]} = 6 x {block[0] // 6} + {block[0] % 6}" in RECIPE.text
    assert roll(seed, "combat/1203/crt", 6) == (int(found["the die"]),) == (block[0] % 6 + 1,)


def test_the_listing_runs_and_prints_what_the_page_says() -> None:
    (listing,) = RECIPE.blocks("python")
    done = subprocess.run([sys.executable, "-I", "-c", listing.text], capture_output=True, text=True)
    assert done.stderr == ""
    found = rows()
    dice = re.search(r"then the seed and the dice `(.+)`", RECIPE.text)
    assert dice is not None
    assert done.stdout.split("\n") == [
        found["link 2, from message 3"],
        f"{found['step 3: the seed']} {dice[1]}",
        "",
    ]
