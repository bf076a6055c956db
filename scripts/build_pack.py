#!/usr/bin/env python3
"""Compiles a data pack: module/SYSTEM/*.yaml -> module/SYSTEM/pack.json.

Usage: build_pack.py [SYSTEM] [--check]. With --check nothing is written; exit 1 when pack.json is out of date.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from adjudicator.packs.compile import compile_pack  # noqa: E402
from adjudicator.packs.errors import PackError  # noqa: E402
from adjudicator.packs.load import canonical_json  # noqa: E402


def main(arguments: list[str]) -> int:
    """Compile and write, or compare; the exit code."""
    names = [argument for argument in arguments if not argument.startswith("-")] or ["western-desert"]
    folder = ROOT / "module" / names[0]
    target = folder / "pack.json"
    try:
        data = canonical_json(compile_pack(folder))
    except PackError as err:
        print(err, file=sys.stderr)
        return 2
    if "--check" in arguments:
        same = target.is_file() and target.read_bytes() == data
        print(f"{target.name} is {'up to date' if same else 'out of date: run scripts/build_pack.py'}")
        return 0 if same else 1
    target.write_bytes(data)
    print(f"{target.relative_to(ROOT)}: {len(data)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
