"""The compiled packs are canonical bytes, so that hashing the file gives the digest that games sign."""

from __future__ import annotations

import pytest

from adjudicator.packs.load import load_pack, systems
from adjudicator.protocol.rules import canonical_digest, pack_digest


@pytest.mark.parametrize("system", systems())
def test_the_file_is_canonical(system: str) -> None:
    pack = load_pack(system)
    assert canonical_digest(pack.data) == pack_digest(pack.tree)
