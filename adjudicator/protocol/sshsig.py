"""SSHSIG signatures (OpenSSH PROTOCOL.sshsig), namespace `pbem1`, hash sha512 (PROTOCOL 3.3).

What is signed can be checked with `ssh-keygen -Y verify -n pbem1`, and what `ssh-keygen -Y sign -n pbem1`
signs is accepted here.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Callable

from adjudicator.protocol.edwards import ORDER
from adjudicator.protocol.hashing import lp
from adjudicator.protocol.keys import KEY_TYPE, SigningKey, public_blob
from adjudicator.protocol.verdicts import ProtocolError

NAMESPACE = "pbem1"
BEGIN, END = "-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"
_WIDTH = 70


def _signed_data(message: bytes) -> bytes:
    return b"SSHSIG" + lp(NAMESPACE.encode(), b"", b"sha512", hashlib.sha512(message).digest())


def _prefix(raw_public: bytes) -> bytes:
    """All of the blob before the 64 bytes of the signature itself."""
    head = b"SSHSIG" + (1).to_bytes(4, "big") + lp(public_blob(raw_public), NAMESPACE.encode(), b"", b"sha512")
    inner = lp(KEY_TYPE.encode()) + (64).to_bytes(4, "big")
    return head + (len(inner) + 64).to_bytes(4, "big") + inner


def armor(blob: bytes) -> str:
    """The blob in base64 lines between BEGIN and END, as ssh-keygen writes it."""
    text = base64.b64encode(blob).decode()
    return "\n".join([BEGIN, *(text[at : at + _WIDTH] for at in range(0, len(text), _WIDTH)), END, ""])


def unarmor(text: str) -> bytes:
    """The blob of an armored signature, however its lines are broken. Raises ProtocolError (E_SIG)."""
    stripped = text.strip()
    if not (stripped.startswith(BEGIN) and stripped.endswith(END)):
        raise ProtocolError("E_SIG", f"the signature does not stand between `{BEGIN}` and `{END}`")
    inner = "".join(stripped[len(BEGIN) : -len(END)].split())
    try:
        blob = base64.b64decode(inner, validate=True)
    except (binascii.Error, ValueError):
        raise ProtocolError("E_SIG", "the signature is not base64") from None
    if base64.b64encode(blob).decode() != inner:
        raise ProtocolError("E_SIG", "the signature is not canonical base64")
    return blob


def tidy(text: str) -> str:
    """The same signature with its lines broken as usual; text that is no signature comes back as it is."""
    try:
        return armor(unarmor(text))
    except ProtocolError:
        return text


def sign(message: bytes, key: SigningKey) -> str:
    """The armored signature of `message`."""
    return armor(_prefix(key.raw_public) + key.sign(_signed_data(message)))


def verify(message: bytes, signature: str, raw_public: bytes) -> None:
    """Raise ProtocolError (E_SIG) unless `signature` is one of `message` by the key of 32 bytes.

    The whole blob before the 64 signature bytes is compared, so key, namespace and hash can't vary; S < L.
    """
    blob, prefix = unarmor(signature), _prefix(raw_public)
    if blob[:-64] != prefix:
        raise ProtocolError("E_SIG", _why(blob, prefix))
    if int.from_bytes(blob[-32:], "little") >= ORDER:
        raise ProtocolError("E_SIG", "the signature is not in canonical form")
    if not _verifier(raw_public)(blob[-64:], _signed_data(message)):
        raise ProtocolError("E_SIG", "the text was changed after signing, or the signature was")


def _why(blob: bytes, prefix: bytes) -> str:
    key_end = 10 + 4 + 51
    if len(blob) == len(prefix) + 64 and blob[:14] == prefix[:14] and blob[14:key_end] != prefix[14:key_end]:
        return "it is signed with another key than the one of this side"
    return f"it is no signature of a turn (namespace {NAMESPACE}, sha512, {KEY_TYPE})"


_cache: dict[bytes, Callable[[bytes, bytes], bool]] = {}


def _verifier(raw_public: bytes) -> Callable[[bytes, bytes], bool]:
    """A function (signature, data) -> bool for one key; kept, because a game has two."""
    if raw_public not in _cache:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        public = Ed25519PublicKey.from_public_bytes(raw_public)

        def check(signature: bytes, data: bytes) -> bool:
            try:
                public.verify(signature, data)
            except InvalidSignature:
                return False
            return True

        _cache[raw_public] = check
    return _cache[raw_public]
