"""`python -m tests.protocol.forge`: write the folder `forged` again."""

from __future__ import annotations

from tests.protocol.forge.case import FOLDER, write_all
from tests.protocol.forge.cases import all_cases
from tests.protocol.forge.rows import README, page

if __name__ == "__main__":
    CASES = all_cases()
    write_all(CASES)
    README.write_bytes(page(CASES))
    print(f"{len(CASES)} folders in {FOLDER}")
