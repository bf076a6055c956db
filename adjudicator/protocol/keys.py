"""Ed25519 keys in OpenSSH's forms, and the test every key must pass once (PROTOCOL 3.3).

cryptography is imported only where a key is used, never with this module.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import errno
import os
import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.protocol.edwards import IDENTITY, ORDER, decode, multiply
from adjudicator.protocol.hashing import lp, sha256
from adjudicator.protocol.verdicts import ProtocolError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

KEY_TYPE = "ssh-ed25519"
_PEM_LABEL = "OPENSSH PRIVATE KEY"
_PEM = re.compile(rb"-----BEGIN ([A-Z0-9 ]{0,30}(?:PRIVATE|PUBLIC) KEY)-----")
_MAGIC = b"openssh-key-v1\0"
_MAKE = "make one with `keygen` or `ssh-keygen -t ed25519`"


class KeyFileError(ValueError):
    """A key file that can't be used; the text says why and how to mend."""


def public_blob(raw: bytes) -> bytes:
    """OpenSSH's wire form of a public key."""
    return lp(KEY_TYPE.encode(), raw)


def public_line(raw: bytes) -> str:
    """`ssh-ed25519 <base64>`, as it stands in genesis."""
    return f"{KEY_TYPE} {base64.b64encode(public_blob(raw)).decode()}"


def public_raw(line: str) -> bytes:
    """The 32 bytes of a key line, which is exactly `ssh-ed25519 <base64>`. Raises ProtocolError (E_KEY)."""
    kind, _, text = line.partition(" ")
    if kind != KEY_TYPE:
        raise ProtocolError("E_KEY", f"a key begins with `{KEY_TYPE}`, not with `{kind[:30]}`")
    try:
        blob = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise ProtocolError("E_KEY", "the key is not base64") from None
    raw = blob[-32:]
    if public_line(raw) != line:
        raise ProtocolError("E_KEY", f"the key is not `{KEY_TYPE}` and 32 bytes in base64, without a comment")
    return raw


def check_public_key(line: str) -> bytes:
    """The 32 bytes of a key that is safe to use; raises ProtocolError (E_KEY).

    Canonical encoding, on the curve, [8]A != O (no small order) and [L]A = O (no mixed order). Takes a few
    milliseconds; each key of a game is tested once.
    """
    raw = public_raw(line)
    fault = key_fault(raw)
    if fault:
        raise ProtocolError("E_KEY", fault)
    return raw


@lru_cache(maxsize=256)
def key_fault(raw: bytes) -> str:
    """Why 32 bytes must not serve as a public key; empty when they may."""
    point = decode(raw)
    if point is None:
        return "the key is no canonical point of the curve"
    if multiply(8, point) == IDENTITY:
        return "the key has small order: anybody could sign with it"
    if multiply(ORDER, point) != IDENTITY:
        return "the key has mixed order"
    return ""


def _content(data: bytes) -> bytes:
    """What an OpenSSH private key file holds behind its magic; empty where it is none, or damaged."""
    _, begin, rest = data.partition(f"-----BEGIN {_PEM_LABEL}-----".encode())
    try:
        blob = base64.b64decode(b"".join(rest.partition(b"-----END")[0].split()) + b"==")
    except (binascii.Error, ValueError):
        return b""
    return blob.removeprefix(_MAGIC) if begin and blob.startswith(_MAGIC) else b""


def is_encrypted(data: bytes) -> bool:
    """Whether the bytes are an OpenSSH private key behind a pass phrase."""
    content = _content(data)
    return bool(content) and not content.startswith(lp(b"none"))


def _kind(data: bytes) -> str:
    """The kind of key that an OpenSSH private key file names in its open part, as `ssh-rsa`; "" where none is seen."""
    at, content = 0, _content(data)
    for _ in range(3):  # cipher, key derivation and its options stand before it
        at += 4 + int.from_bytes(content[at : at + 4], "big")
    at += 8  # number of keys, length of the first one
    name = content[at + 4 : at + 4 + int.from_bytes(content[at : at + 4], "big")]
    return name.decode("ascii", "replace") if 0 < len(name) <= 64 and name.isascii() else ""


def _foreign(data: bytes) -> str:
    """Why a file can be no key for games, where its open part shows it; else ""."""
    if data.lstrip().startswith((b"ssh-", b"sk-", b"ecdsa-")):
        return "this is a public key; name the private one, the file without .pub"
    kind = _kind(data)
    if kind.startswith("sk-"):
        return f"this key lives in a security token ({kind}) and can't sign turns; {_MAKE}"
    if kind and kind != KEY_TYPE:
        return f"this is a key of the kind {kind}, not an Ed25519 key; {_MAKE}"
    label = _PEM.search(data)
    if label is not None and label[1].decode() != _PEM_LABEL:
        return f"this is no OpenSSH private key but another form of key file ({label[1].decode().title()}); {_MAKE}"
    return ""


def _need_bcrypt() -> None:
    """Raise KeyFileError where the package is missing that reads encrypted keys."""
    from importlib.util import find_spec

    if find_spec("bcrypt") is None:
        raise KeyFileError(
            "the key has a pass phrase, and the package bcrypt that reads such keys is not installed; install the "
            "extra: pip install 'adjudicator[encrypted-keys]', or make a key for games with `keygen`"
        )


class SigningKey:
    """A private Ed25519 key that can sign. `public` is its line for genesis."""

    def __init__(self, private: Ed25519PrivateKey, comment: str = "") -> None:
        self._private = private
        self.comment = comment
        self.raw_public: bytes = private.public_key().public_bytes_raw()
        self.public: str = public_line(self.raw_public)

    @classmethod
    def from_seed(cls, seed: bytes, comment: str = "") -> SigningKey:
        """The key of 32 given bytes: for tests and example games, never for play."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return cls(Ed25519PrivateKey.from_private_bytes(seed), comment)

    @classmethod
    def generate(cls, comment: str = "") -> SigningKey:
        """A fresh key from the system's random source."""
        return cls.from_seed(os.urandom(32), comment)

    @classmethod
    def load(cls, path: Path, pass_phrase: Callable[[Path], bytes] | None = None) -> SigningKey:
        """An OpenSSH private key from a file; ``pass_phrase`` is asked for one that is encrypted.

        Raises KeyFileError, or OSError.
        """
        data = path.read_bytes()
        if _foreign(data):
            raise KeyFileError(_foreign(data))
        if pass_phrase is None or not is_encrypted(data):
            return cls.parse(data)
        _need_bcrypt()
        return cls.parse(data, pass_phrase(path))

    @classmethod
    def parse(cls, data: bytes, pass_phrase: bytes | None = None) -> SigningKey:
        """An OpenSSH Ed25519 private key. Raises KeyFileError."""
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_ssh_private_key

        if _foreign(data):
            raise KeyFileError(_foreign(data))
        encrypted = is_encrypted(data)
        if encrypted and not pass_phrase:
            raise KeyFileError("the key has a pass phrase; type it when you are asked, or make a key with `keygen`")
        try:
            private = load_ssh_private_key(data, password=pass_phrase if encrypted else None)
        except (TypeError, UnsupportedAlgorithm) as error:
            raise KeyFileError(f"the key is of a kind that can't be used ({error}); make one with `keygen`") from None
        except ValueError:
            if encrypted:
                raise KeyFileError("the pass phrase is wrong, or the key file is damaged; try it again") from None
            if _PEM.search(data):
                text = "this begins like an OpenSSH private key, but is cut off or damaged; take it from a copy"
                raise KeyFileError(f"{text}, or {_MAKE}") from None
            raise KeyFileError(f"this is no OpenSSH private key; {_MAKE}") from None
        if not isinstance(private, Ed25519PrivateKey):
            raise KeyFileError(f"this is no Ed25519 key; {_MAKE}")
        found = cls(private)
        fault = key_fault(found.raw_public)
        if fault:
            raise KeyFileError(f"{fault}; make another one with `keygen`")
        return found

    def sign(self, data: bytes) -> bytes:
        """The 64 bytes of the plain Ed25519 signature."""
        return self._private.sign(data)

    def seed(self) -> bytes:
        """The 32 bytes that the key is made of: as secret as the key."""
        return self._private.private_bytes_raw()

    def openssh(self) -> bytes:
        """The key as OpenSSH private key file, without pass phrase. The same key gives the same bytes."""
        seed = self.seed()
        check = sha256(b"check" + self.raw_public)[:4]
        name, comment = KEY_TYPE.encode(), self.comment.encode()
        private = check * 2 + lp(name, self.raw_public, seed + self.raw_public, comment)
        private += bytes(range(1, 1 + -len(private) % 8))
        blob = _MAGIC + lp(b"none", b"none", b"") + (1).to_bytes(4, "big")
        blob += lp(public_blob(self.raw_public), private)
        text = base64.b64encode(blob).decode()
        lines = [text[at : at + 70] for at in range(0, len(text), 70)]
        return "\n".join([f"-----BEGIN {_PEM_LABEL}-----", *lines, f"-----END {_PEM_LABEL}-----", ""]).encode()

    def save(self, path: Path) -> None:
        """Write `path` (mode 0600) and `path`.pub. An existing file is never overwritten: FileExistsError."""
        write_private(path, self.openssh())
        path.with_name(path.name + ".pub").write_bytes(self.public_text())

    def public_text(self) -> bytes:
        """What the file of the public half holds."""
        return f"{self.public} {self.comment}".rstrip().encode() + b"\n"


def write_private(path: Path, data: bytes) -> None:
    """Create a file that only its owner can read (0600), whole and synced, or not at all. FileExistsError if it exists.

    It is written beside its place first, so that a crash leaves no half of a key.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        _place(beside, path)
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()
    sync_folder(path.parent)


def _place(beside: Path, path: Path) -> None:
    """Give a file its name, where no other has it. Raises FileExistsError."""
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    try:
        os.link(beside, path)  # of two programs at once only one can
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        beside.rename(path)


def sync_folder(folder: Path) -> None:
    """Make a rename last, where the system can sync folders."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
