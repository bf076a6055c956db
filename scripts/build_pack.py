#!/usr/bin/env python3
"""Compiles a data pack: module/SYSTEM/*.yaml -> module/SYSTEM/pack.json.

Usage: build_pack.py [SYSTEM]... [--check]. Without a system all packs are compiled. With --check nothing is written;
exit 1 when a pack.json is out of date, 2 when a pack can't be read.
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
    """Compile and write, or compare, each pack named (all of them when none is); the exit code."""
    names = [argument for argument in arguments if not argument.startswith("-")]
    folders = [ROOT / "module" / name for name in names] or sorted(p.parent for p in ROOT.glob("module/*/pack.yaml"))
    return max((build(folder, "--check" in arguments) for folder in folders), default=2)


def build(folder: Path, check: bool) -> int:
    """Compile one pack folder; with ``check`` nothing is written; the exit code."""
    target = folder / "pack.json"
    try:
        data = canonical_json(compile_pack(folder))
    except PackError as err:
        print(err, file=sys.stderr)
        return 2
    shown = target.relative_to(ROOT)
    if check:
        same = target.is_file() and target.read_bytes() == data
        print(f"{shown} is {'up to date' if same else 'out of date: run scripts/build_pack.py'}")
        return 0 if same else 1
    target.write_bytes(data)
    print(f"{shown}: {len(data)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
