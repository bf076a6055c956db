"""The table of PROTOCOL 15, row by row: the folders that show it, and the tests of real programs beside or instead."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.protocol.forge.case import FOLDER, Case

ROWS = range(1, 99)
README = FOLDER / "README.md"
ROOT = Path(__file__).parents[3]
CRASH, BACK, SERVE, FAULTS, BAD, CARE = (
    f"tests/cli/test_{name}.py" for name in ("crash_at_every_step", "gone_back", "serve", "faults", "bad_files", "care")
)
PROGRAMS: dict[int, tuple[str, ...]] = {
    1: (f"{BAD}::test_a_mailed_file_that_was_changed",),
    4: (f"{BAD}::test_a_second_signed_version_is_kept_as_proof", f"{BACK}::test_row_93_the_opponent_has_a_proof"),
    5: (f"{BAD}::test_the_same_again_changes_nothing",),
    7: (f"{BAD}::test_a_message_of_another_game",),
    8: (f"{BAD}::test_a_gap_is_kept_and_nothing_is_signed_into_it",),
    21: ("tests/protocol/test_protocol_vectors.py",),
    22: ("tests/protocol/test_protocol_forged.py::test_bytes_that_are_no_text",),
    48: (f"{BAD}::test_a_second_genesis_and_one_of_another_offer",),
    54: (f"{CARE}::test_a_game_comes_back_from_words", f"{CRASH}::test_row_91_import_is_killed"),
    56: (f"{FAULTS}::test_several_sign_at_once", f"{FAULTS}::test_sign_and_receive_at_once"),
    63: ("tests/cli/test_endings.py::test_a_lost_chain_allowed", f"{CRASH}::test_row_91_lost_is_killed"),
    64: ("tests/cli/test_endings.py::test_a_lost_chain_claimed",),
    66: ("tests/cli/test_endings.py::test_a_new_key",),
    89: ("tests/protocol/test_protocol_mutants.py",),
    90: ("tests/adversary/test_future.py",),
    91: (
        f"{CRASH}::test_row_91_a_command_is_killed", f"{CRASH}::test_row_91_new_is_killed",
        f"{CRASH}::test_row_91_accept_is_killed", f"{CRASH}::test_row_91_genesis_is_killed",
        f"{CRASH}::test_row_91_import_is_killed", f"{CRASH}::test_row_91_lost_is_killed",
        f"{CRASH}::test_row_91_serve_is_killed", f"{CRASH}::test_row_91_a_kit_is_made_and_taken_home",
        "tests/match/test_crash.py::test_sign", "tests/match/test_crash.py::test_receive",
    ),
    92: (
        f"{BACK}::test_row_92_a_snapshot_with_the_clock_left_behind",
        f"{BACK}::test_row_92_started_anew_on_an_old_copy", f"{BACK}::test_row_92_no_housekeeping",
        f"{BACK}::test_row_92_no_stop_and_no_end_of_its_owner", f"{BACK}::test_row_92_no_shows_and_transfers",
        f"{BACK}::test_row_92_no_link_above_the_chosen_one", f"{SERVE}::test_only_with_a_confirmed_head",
        f"{SERVE}::test_a_folder_put_back_while_it_runs", f"{SERVE}::test_after_a_loss_a_person_signs_first",
    ),
    93: (
        f"{BACK}::test_row_93_the_opponent_has_a_proof", f"{BACK}::test_row_93_the_two_copies_find_out",
        f"{BACK}::test_row_93_log_and_journal_of_two_computers_of_one_length",
        f"{BACK}::test_row_93_the_proof_outlives_the_checkpoint",
    ),
    94: (
        f"{BACK}::test_row_94_a_backup_over_a_folder", f"{BACK}::test_row_94_the_whole_folder_is_old_and_mail_comes",
        f"{BACK}::test_row_94_one_of_log_and_journal_is_older", f"{BACK}::test_row_94_a_log_cut_short",
        f"{BACK}::test_row_94_the_way_out_by_own_mail", f"{BACK}::test_row_94_the_way_out_by_import",
    ),
    95: (
        "tests/portability/test_same_bytes.py::test_everything_is_there",
        "tests/portability/test_same_bytes.py::test_a_hash_seed_changes_nothing",
        "tests/portability/test_same_bytes.py::test_the_order_of_mappings_changes_nothing",
        "tests/portability/test_same_bytes.py::test_another_python_writes_the_same",
        "tests/portability/test_same_bytes.py::test_another_python_passes_vectors_and_forged_files",
    ),
}
"""Tests that show a row on the real programs: a file, or a file and a test in it."""

ABOUT = """# Attacks on a signed game

Each folder is one attack: `log.jsonl` is the game so far, the other files come by mail in the order of their numbers,
and `expected.yaml` says what a verifier must make of each. `python -m tests.protocol.forge` writes all of it, this page
too. What can't be a file, as a crash or a second computer, is shown by a test of the real programs.

| row | folders here | tests |
|---|---|---|
"""


def folders_of(row: int, cases: Sequence[Case]) -> list[str]:
    """The folders that show a row."""
    return [case.folder for case in cases if str(row).zfill(2) in case.rows.split("_")]


def page(cases: Sequence[Case]) -> bytes:
    """The page of the folder `forged`: every row, and where it is shown."""
    lines = []
    for row in ROWS:
        folders = ", ".join(f"[{name}]({name})" for name in folders_of(row, cases)) or "-"
        tests = ", ".join(f"`{name}`" for name in PROGRAMS.get(row, ())) or "-"
        lines.append(f"| {row} | {folders} | {tests} |\n")
    return (ABOUT + "".join(lines)).encode()


def exists(test: str) -> bool:
    """Whether a named test, or file of tests, is there."""
    file, _, name = test.partition("::")
    path = ROOT / file
    return path.is_file() and (not name or f"\ndef {name}(" in path.read_text(encoding="utf-8"))
