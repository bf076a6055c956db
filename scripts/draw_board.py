"""Draws the map boards of a game and keeps them as PNG in its art folder.

    python scripts/draw_board.py [SYSTEM] [--svg-only] [--out FOLDER]

The pictures are made once and kept: VASSAL draws thousands of hexes of SVG too slowly, and players need no
rasteriser. This script needs `rsvg-convert` (Debian: librsvg2-bin) with the DejaVu fonts, and `pngquant` where it
is there makes the files smaller.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from adjudicator.packs import load_pack, pack_folder  # noqa: E402
from adjudicator.vassal import adaptor  # noqa: E402

COLOURS = 128
# Beside the pictures: the digest of what they were drawn from, by which a test finds stale ones.
DIGEST_FILE = "drawn-from.txt"


def main() -> int:
    """Draws every board; 0 when all are written, 2 when a tool is missing."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("system", nargs="?", default="western-desert")
    parser.add_argument("--svg-only", action="store_true", help="write SVG files, rasterise nothing")
    parser.add_argument("--out", type=Path, help="folder to write to (the art folder of the game)")
    arguments = parser.parse_args()
    out: Path = arguments.out or pack_folder(arguments.system) / "art"
    if not arguments.svg_only and shutil.which("rsvg-convert") is None:
        print("error: rsvg-convert is missing; install librsvg2-bin, or draw with --svg-only", file=sys.stderr)
        return 2
    game = adaptor(load_pack(arguments.system).tree)
    for image, document in game.boards().items():
        target = out / image
        if arguments.svg_only:
            target.with_suffix(".svg").write_bytes(document)
        else:
            _rasterise(document, target)
        print(target)
    if not arguments.svg_only:
        (out / DIGEST_FILE).write_text(game.drawn_from() + "\n", encoding="utf-8", newline="\n")
    return 0


def _rasterise(document: bytes, target: Path) -> None:
    """SVG to PNG, with few colours where the tool for that is installed."""
    with tempfile.TemporaryDirectory() as folder:
        source, full = Path(folder) / "board.svg", Path(folder) / "board.png"
        source.write_bytes(document)
        subprocess.run(["rsvg-convert", "--unlimited", "-o", str(full), str(source)], check=True)
        if shutil.which("pngquant"):
            small = Path(folder) / "small.png"
            command = ["pngquant", "--strip", "--nofs", "--output", str(small), str(COLOURS), str(full)]
            subprocess.run(command, check=True)
            full = small
        shutil.copyfile(full, target)


if __name__ == "__main__":
    raise SystemExit(main())
