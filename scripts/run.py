"""Sets up a clone and runs one thing in it: ``demo``, ``test``, ``lint``, ``bench``, ``setup``. Needs Python 3.11 only.

The environment stands in ``.venv`` of the clone and is made again only when ``pyproject.toml`` or Python changes.
What stands after the word goes to the program called: ``run.py test -k zoc``, ``run.py demo games``. ``setup`` runs
nothing; what stands after it are extras of ``pyproject.toml``: ``run.py setup dev maps``.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "installed.txt"
OLDEST = (3, 11)
WORDS = ("demo", "test", "lint", "bench", "setup")
EXTRAS = {"demo": ["run"], "test": ["dev"], "lint": ["dev"], "bench": ["dev", "bench"]}
NO_TESTS = 5
"""pytest's exit code when it collected nothing, which is a failure here."""


class SetupError(Exception):
    """The environment can't be made; the text says what to do."""


def program(name: str) -> Path:
    """The path of a program of the environment, on any system."""
    folder, suffix = ("Scripts", ".exe") if os.name == "nt" else ("bin", "")
    return VENV / folder / f"{name}{suffix}"


def fingerprint() -> str:
    """What the environment depends on: this Python, this folder and the packaging file."""
    packaging = (ROOT / "pyproject.toml").read_bytes()
    return " ".join(f"{sys.version} {ROOT} {hashlib.sha256(packaging).hexdigest()}".split())


def installed() -> set[str]:
    """What the environment has: ``run`` and extras of the packaging file. Empty when it must be made anew."""
    try:
        made_for, *extras = STAMP.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return set()
    return set(extras) if made_for == fingerprint() else set()


def make_environment() -> list[str]:
    """Make ``.venv`` anew; the command that installs into it.

    Raises:
        SetupError: if this Python can neither bring pip along nor has one of its own.
    """
    import venv

    shutil.rmtree(VENV, ignore_errors=True)
    own_pip = importlib.util.find_spec("ensurepip") is not None
    if not own_pip and importlib.util.find_spec("pip") is None:
        raise SetupError("this Python has no pip; install it (Debian, Ubuntu: apt install python3-venv) and try again")
    venv.EnvBuilder(with_pip=own_pip, symlinks=os.name != "nt").create(VENV)
    return installer()


def installer() -> list[str]:
    """The pip that installs into ``.venv``: its own, else the one of this Python."""
    own = [str(program("python")), "-m", "pip"]
    if subprocess.run([*own, "--version"], capture_output=True).returncode == 0:
        return own
    return [sys.executable, "-m", "pip", "--python", str(program("python"))]


def set_up(extras: list[str]) -> None:
    """Bring the environment to where it has the program and the extras.

    Raises:
        SetupError: if pip fails; its own words have been printed.
    """
    have = installed()
    if have.issuperset(extras):
        return
    print(f"Setting up {VENV} ...", flush=True)
    pip = installer() if have else make_environment()
    wanted = sorted({*have, *extras} - {"run"})
    command = [*pip, "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    command += ["--editable", f"{ROOT}[{','.join(wanted)}]" if wanted else str(ROOT)]
    if subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL).returncode != 0:
        raise SetupError("pip could not install what is needed; its message stands above")
    STAMP.write_text("\n".join([fingerprint(), "run", *wanted]) + "\n", encoding="utf-8", newline="\n")


def call(name: str, *words: str) -> int:
    """Run a program of the environment in the clone; its exit code."""
    print("$ " + " ".join((name, *words)), flush=True)
    return subprocess.run([program(name), *words], cwd=ROOT).returncode


def workers() -> int:
    """How many run tests at once: one for each processor this process may use, 2 at least, 8 at most."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(max(usable, 2), 8)


def run(word: str, rest: list[str]) -> int:
    """Run one of :data:`WORDS` in the environment that is set up; its exit code."""
    if word == "demo":
        return call("adjudicator", "demo", *(rest or ["demo"]))
    if word == "lint":
        return call("ruff", "check") or call("mypy", *rest)
    if word == "bench":
        return call("python", "scripts/bench.py", *rest)
    code = call("python", "-m", "pytest", *(rest or ["-n", str(workers()), "--dist", "loadgroup"]))
    if code == NO_TESTS:
        print("No test ran: that is a failure.", file=sys.stderr)
    return code


def main(arguments: list[str]) -> int:
    """Set up and run; 2 where the arguments or the machine don't allow it."""
    if sys.version_info < OLDEST:
        print(f"Python {OLDEST[0]}.{OLDEST[1]} or newer is needed, this is {sys.version.split()[0]}", file=sys.stderr)
        return 2
    if not arguments or arguments[0] not in WORDS:
        print(f"usage: python3 scripts/run.py {'|'.join(WORDS)} [more arguments]", file=sys.stderr)
        return 2
    word, rest = arguments[0], arguments[1:]
    try:
        set_up(["run", *rest] if word == "setup" else EXTRAS[word])
    except (SetupError, OSError) as err:
        print(f"error: {err}", file=sys.stderr)
        return 2
    return 0 if word == "setup" else run(word, rest)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
