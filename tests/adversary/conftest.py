"""The command line in process, and two players' folders at the points of a game where tests begin."""

from tests.cli.conftest import _fixed_chance as _fixed_chance
from tests.cli.conftest import movement as movement
from tests.cli.conftest import stage as stage
from tests.cli.conftest import stages as stages
