"""The same bytes under every PYTHONHASHSEED: messages, events, positions, checkpoints, forged files (row 94)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = """
from hashlib import sha256
from adjudicator.protocol.log import write_line, write_turn
from adjudicator.turnfile.canon import canon
from tests.protocol.forge.by_books import book_cases
from tests.protocol.forge.by_decks import deck_cases
from tests.protocol.twelve import played
table = played()
found = [write_line(one) + write_turn(one) for one in table.sent] + [canon(table.verifier.export())]
found += [canon(table.own[side].to_tree()) for side in sorted(table.own)]
for case in (*book_cases(), *deck_cases()):
    found += [name.encode() + data for name, data in case.files_of_folder().items()]
print(sha256(b"".join(found)).hexdigest())
"""


def bytes_under(seed: int) -> str:
    """A hash of everything the protocol writes, in a process of its own."""
    environment = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": str(ROOT)}
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, env=environment, cwd=ROOT)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


def test_equal_bytes_under_ten_hash_seeds() -> None:
    assert len({bytes_under(seed) for seed in range(10)}) == 1
