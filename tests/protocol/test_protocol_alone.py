"""The protocol is a package by itself: lifted out with the reader of turn files, it serves a stranger's game."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from adjudicator.protocol.keys import SigningKey
from adjudicator.protocol.kit import Kit
from adjudicator.protocol.secret import Secret, SecretError

ROOT = Path(__file__).parents[2]
EXPECTED = [*(f"{seq} OK" for seq in range(1, 9)), "sides agree: True", "closed: True"]


def test_the_package_serves_a_strangers_game_with_nothing_of_the_program_beside_it(tmp_path: Path) -> None:
    lone = tmp_path / "adjudicator"
    lone.mkdir()
    (lone / "__init__.py").write_text("", encoding="utf-8")
    for name in ("protocol", "turnfile"):
        shutil.copytree(ROOT / "adjudicator" / name, lone / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "tests" / "protocol" / "alone.py", tmp_path)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "alone.py"]
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines() == EXPECTED
    asked = "import adjudicator.protocol.verifier, sys; print(*sorted(m for m in sys.modules if 'adjudicator.' in m))"
    seen = subprocess.run(
        [sys.executable, "-c", asked], cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", check=True
    )
    assert {name.split(".")[1] for name in seen.stdout.split()} == {"protocol", "turnfile"}


def test_a_damaged_secret_or_kit_is_told_by_its_place_and_never_quoted(tmp_path: Path) -> None:
    secret = Secret.fresh(SigningKey.generate().public)
    whole, kit = tmp_path / "secret.yaml", tmp_path / "kit.yaml"
    secret.save(whole)
    Kit.of(secret, secret.cid, secret.links, 8).save(kit)
    for path, load in ((whole, Secret.load), (kit, Kit.load)):
        text = path.read_text("utf-8")
        hidden = [word for word in text.split() if len(word) > 30]
        assert hidden
        for number, line in enumerate(text.splitlines()):
            broken = text.replace(line, line.replace(": ", " : : [", 1))
            path.write_text(broken, encoding="utf-8", newline="\n")
            try:
                load(path)
            except SecretError as error:
                assert "damaged" in str(error) or "no " in str(error), number
                assert not any(word[:12] in str(error) for word in hidden), str(error)
