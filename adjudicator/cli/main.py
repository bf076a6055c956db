"""The entry point: the commands, and what becomes of every error.

Only the family of the command at hand is imported, and what a command needs it imports when it runs, so that help
and small commands start fast. typer is pinned below 0.29, which brings pydantic and starts 0.1 s later; rich, which
it also brings, is switched off and never loaded.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any, NoReturn

os.environ.setdefault("TYPER_USE_RICH", "0")

import typer
from typer.main import get_command

from adjudicator.cli.common import UNUSABLE

gc.set_threshold(300_000, 50, 50)  # loading a pack makes many objects and no cycles

PROGRAM = "adjudicator"
STOPPED = 130
"""What a command comes to that was stopped from outside; the process ends with 2 then, as with all that is unusable."""
AFTER_A_STOP = (
    "nothing is half done: `status DIR` says where the game stands, `resend DIR` writes again what you signed last"
)
FAMILIES = {
    "begin": ("keygen", "new", "accept"),
    "look": ("status", "report"),
    "hand": ("hand",),
    "turns": ("template", "check", "sign"),
    "plan": ("moves", "supply", "odds"),
    "trial": ("try",),
    "explain": ("explain",),
    "mail": ("receive", "open", "resend"),
    "prove": ("verify", "export-proof"),
    "audit": ("audit",),
    "care": ("doctor", "dispute", "head", "import", "recover"),
    "renew": ("new-key", "new-chain", "lost"),
    "upgrade": ("upgrade",),
    "serve": ("serve",),
    "export": ("import-log", "export"),
    "packs": ("pack",),
    "cases": ("case",),
    "demo": ("demo",),
    "play": ("play",),
}
"""The modules of this package and the commands each has, in the order of the help."""


@cache
def command_of(family: str = "") -> Any:
    """The command line with one family of commands, or with all of them."""
    app = typer.Typer(
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        help="Checks, signs, rolls, adjudicates and reports turns of desert wargames played by e-mail.",
        epilog="Exit codes: 0 done, 1 wrong for the game, 2 unusable. Begin with `adjudicator demo`.",
    )
    app.callback()(_root)
    for name in (family,) if family else FAMILIES:
        import_module(f"adjudicator.cli.{name}").add_to(app)
    return get_command(app)


def _version(wanted: bool) -> None:
    if wanted:
        from adjudicator import __version__

        typer.echo(f"{PROGRAM} {__version__}")
        raise typer.Exit


def _root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Show the version."),
) -> None:
    """Options before the command."""


def run(args: Sequence[str]) -> int:
    """Run one command line (without the program's name) and return its exit code. Never raises for bad input."""
    if not args:
        run(["--help"])
        return UNUSABLE
    family = next((name for name, commands in FAMILIES.items() if args[0] in commands), "")
    try:
        code = command_of(family).main(args=list(args), prog_name=PROGRAM, standalone_mode=False)
    except KeyboardInterrupt:
        code = STOPPED
    except Exception as error:  # the last resort: one line, never a traceback
        from adjudicator.cli.errors import report

        return report(error, args)
    if code == STOPPED:
        typer.echo(f"error[stopped]: the command was stopped; {AFTER_A_STOP}", err=True)
    return code if isinstance(code, int) else 0


def main() -> None:
    """The console command."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
            if os.name == "nt" and not stream.isatty():  # files and pipes would else get the code page of the country
                reconfigure(encoding="utf-8", newline="\n")
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:  # nohup wants it to be ignored
            signal.signal(number, _stop)
    code = run(sys.argv[1:])
    _leave(UNUSABLE if code == STOPPED else code)


def _stop(_number: int, _frame: object) -> None:
    """Stop as Ctrl-C does: what is being written is taken back, what is written stands."""
    raise KeyboardInterrupt


def _leave(code: int) -> NoReturn:
    """End at once. Python's own way out visits every object again, which takes 40 ms after `check`."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except BrokenPipeError:
            pass  # the reader has seen enough, as in `report DIR | head`
        except (OSError, ValueError):
            code = code or UNUSABLE  # what was to be printed is lost, as on a full disk
    os._exit(code)


if __name__ == "__main__":
    main()
