"""Make the signed example games in ``turnfiles/`` anew, or check that today's rules still give them.

    python scripts/make_examples.py            play each bundled example and keep its log
    python scripts/make_examples.py --check    exit 1 where a kept log is not what today's program would write

The examples play with fixed keys and entropy (``adjudicator demo``), so a log differs only where rules, data or labels
of dice do. Whoever changes those on purpose makes the logs again in the same commit and says why.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import tempfile
from pathlib import Path

from adjudicator.cli.main import run

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = {"western-desert": "compass-demo", "shifting-sands": "first-rounds"}


class ExampleFault(Exception):
    """A bundled example that does not play through."""


def kept(system: str) -> Path:
    """Where the signed log of a game's example stands."""
    return ROOT / "turnfiles" / system / EXAMPLES[system] / "log.jsonl"


def played(system: str) -> bytes:
    """The log of a game's example as today's program plays it. Raises :class:`ExampleFault`."""
    with tempfile.TemporaryDirectory() as folder:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            code = run(["demo", folder, "--system", system])
        logs = sorted(Path(folder).glob("*/*/log.jsonl"))
        if code or not logs:
            raise ExampleFault(f"{system}: the example ends with exit code {code}\n{said.getvalue()[-800:]}")
        found = {log.read_bytes() for log in logs}
        if len(found) != 1:
            raise ExampleFault(f"{system}: the two players end with different logs")
        return found.pop()


def main() -> int:
    """Make or check all examples."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing, exit 1 where a log would change")
    check = parser.parse_args().check
    stale = []
    for system in EXAMPLES:
        data, path = played(system), kept(system)
        same = path.is_file() and path.read_bytes() == data
        if not same and not check:
            path.write_bytes(data)
        if not same:
            stale.append(system)
        print(f"{path.relative_to(ROOT)}: {'as it was' if same else 'differs' if check else 'made'}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
