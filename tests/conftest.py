"""What all tests share: hypothesis without deadlines (no test is timed), repeatable where CI runs."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("house", deadline=None, database=None, derandomize="CI" in os.environ, print_blob=True)
settings.load_profile("house")
