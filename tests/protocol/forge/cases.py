"""All cases, in the order of the table of PROTOCOL 15."""

from __future__ import annotations

from tests.protocol.forge.by_books import book_cases
from tests.protocol.forge.by_decks import deck_cases
from tests.protocol.forge.by_ends import end_cases
from tests.protocol.forge.by_files import file_cases
from tests.protocol.forge.by_folders import folder_cases
from tests.protocol.forge.by_housekeeping import house_cases
from tests.protocol.forge.by_messages import message_cases
from tests.protocol.forge.case import Case


def all_cases() -> list[Case]:
    """Every attack, made anew."""
    makers = (message_cases, file_cases, book_cases, deck_cases, house_cases, end_cases, folder_cases)
    found = [case for maker in makers for case in maker()]
    return sorted(found, key=lambda case: case.folder)
