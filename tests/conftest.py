"""What all tests share: hypothesis without deadlines (no test is timed), repeatable where CI runs.

``pytest --hypothesis-profile long tests/western_desert/test_turn_properties.py`` looks for an hour where the usual run
looks for seconds; so do the files ``test_properties_*.py`` beside it.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("house", deadline=None, database=None, derandomize="CI" in os.environ, print_blob=True)
settings.register_profile("long", settings.get_profile("house"), max_examples=12000, derandomize=False)
settings.load_profile("house")
