"""A signed message, or the signed genesis (PROTOCOL 4.1, 4.2)."""

from __future__ import annotations

from dataclasses import dataclass

from adjudicator.protocol.hashing import tagged_hash
from adjudicator.protocol.verdicts import ProtocolError
from adjudicator.turnfile.canon import CanonError, canon_body
from adjudicator.turnfile.nodes import Tree


def message_id(canonical: bytes) -> str:
    """id = H("pbem1/msg", canon(body)) in hex. Of genesis it is the game id. The signature is not covered."""
    return tagged_hash("pbem1/msg", canonical).hex()


@dataclass(frozen=True, slots=True)
class Message:
    """A body with its signature (armored SSHSIG), its canonical bytes and its id. Make it with `of`."""

    body: dict[str, Tree]
    sig: str
    canonical: bytes
    id: str

    @classmethod
    def of(cls, body: dict[str, Tree], sig: str) -> Message:
        """Raises ProtocolError (E_CANON) for a body outside PROTOCOL 3.2. Checks no signature."""
        try:
            canonical = canon_body(body)
        except CanonError as error:
            raise ProtocolError("E_CANON", str(error)) from None
        return cls(body, sig, canonical, message_id(canonical))

    def text(self, field: str) -> str:
        """The text of a field; empty when it is missing or no text."""
        value = self.body.get(field)
        return value if isinstance(value, str) else ""
