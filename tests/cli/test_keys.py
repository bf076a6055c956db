"""Keys of one's own: OpenSSH's as they are, behind a pass phrase, too open, of the wrong kind."""

from __future__ import annotations

import base64
import importlib.util
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from adjudicator.cli.common import PASS_PHRASE
from adjudicator.match import keyring
from adjudicator.protocol.hashing import lp
from adjudicator.protocol.keys import KeyFileError, SigningKey, is_encrypted
from tests.cli.conftest import AXIS, cli, good
from tests.cli.test_bad_turns import assert_clear

PHRASE = "correct horse"
NO_BCRYPT = importlib.util.find_spec("bcrypt") is None
ENCRYPTED = """-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABDZGk8PfQ
-----END OPENSSH PRIVATE KEY-----
"""


def written(path: Path, data: bytes, mode: int = 0o600) -> Path:
    """A key file with its rights."""
    path.write_bytes(data)
    path.chmod(mode)
    return path


def openssh(key: ed25519.Ed25519PrivateKey | rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey) -> bytes:
    """A key as OpenSSH writes it."""
    form = serialization.PrivateFormat.OpenSSH
    return key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())


def test_a_key_of_ssh_keygen_is_used(tmp_path: Path) -> None:
    tool = shutil.which("ssh-keygen")
    if tool is None:
        pytest.skip("there is no ssh-keygen on this machine to make a key with")
    key = tmp_path / "id"
    subprocess.run([tool, "-q", "-t", "ed25519", "-N", "", "-C", "me", "-f", str(key)], check=True)
    good("new", "western-desert", "compass", tmp_path / AXIS, "--name", "Alice", "--key", key)
    assert SigningKey.load(key).public == " ".join((tmp_path / "id.pub").read_text(encoding="utf-8").split()[:2])
    assert not (tmp_path / AXIS / "private" / "key").exists()


@pytest.mark.skipif(os.name != "posix", reason="this system has no file modes")
def test_a_key_that_others_may_read(tmp_path: Path) -> None:
    key = written(tmp_path / "id", SigningKey.generate().openssh(), 0o640)
    result = cli("new", "western-desert", "compass", tmp_path / AXIS, "--name", "Alice", "--key", key)
    assert_clear(result, rf"others on this computer may read it \(mode 0640\); run `chmod 600 {key}`", 2)
    key.chmod(0o600)
    good("new", "western-desert", "compass", tmp_path / AXIS, "--name", "Alice", "--key", key)
    assert cli("doctor", tmp_path / AXIS).code == 0
    key.chmod(0o604)
    result = cli("doctor", tmp_path / AXIS)
    assert result.code == 1
    assert f"chmod 600 {tmp_path / AXIS}/../id" in result.out or "chmod 600" in result.out


def opened(kind: str, cipher: bytes) -> bytes:
    """The open part of an OpenSSH private key file, by which its kind is told without the pass phrase."""
    public = lp(kind.encode(), b"x" * 32)
    blob = b"openssh-key-v1\0" + lp(cipher, b"none", b"") + (1).to_bytes(4, "big") + lp(public, b"y" * 64)
    coded = base64.b64encode(blob)
    return b"-----BEGIN OPENSSH PRIVATE KEY-----\n" + coded + b"\n-----END OPENSSH PRIVATE KEY-----\n"


def test_what_is_no_key_for_games(tmp_path: Path) -> None:
    pkcs8 = ed25519.Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    files = {
        "rsa": (openssh(rsa.generate_private_key(65537, 2048)), "of the kind ssh-rsa, not an Ed25519 key; make one"),
        "ecdsa": (openssh(ec.generate_private_key(ec.SECP256R1())), "kind ecdsa-sha2-nistp256, not an Ed25519 key"),
        "locked_rsa": (opened("ssh-rsa", b"aes256-ctr"), "of the kind ssh-rsa, not an Ed25519 key; make one"),
        "pkcs8": (pkcs8, r"another form of key file \(Private Key\); make one"),
        "pem": (b"-----BEGIN RSA PRIVATE KEY-----\nAAAA\n", r"another form of key file \(Rsa Private Key\); make one"),
        "public": (SigningKey.generate().public.encode(), "public key; name the private one"),
        "token_public": (b"sk-ssh-ed25519@openssh.com AAAA me\n", "public key"),
        "token": (opened("sk-ssh-ed25519@openssh.com", b"none"), "lives in a security token .* make one"),
        "text": (b"hello\n", "no OpenSSH private key; make one"),
        "empty": (b"", "no OpenSSH private key"),
        "cut": (SigningKey.generate().openssh()[:120], "cut off or damaged; take it from a copy, or make one"),
    }
    for name, (data, said) in files.items():
        key = written(tmp_path / name, data)
        result = cli("new", "western-desert", "compass", tmp_path / AXIS, "--name", "Alice", "--key", key)
        assert_clear(result, said, 2)
        assert not (tmp_path / AXIS).exists()


def test_a_weak_key_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No private key has a public half of small order; what a file of another program held would be seen."""
    monkeypatch.setattr("adjudicator.protocol.keys.key_fault", lambda _raw: "the key has small order")
    with pytest.raises(KeyFileError, match="small order"):
        SigningKey.load(written(tmp_path / "id", openssh(ed25519.Ed25519PrivateKey.generate())))


# --- behind a pass phrase ---------------------------------------------------------------------------------------


def test_encryption_is_seen() -> None:
    assert is_encrypted(ENCRYPTED.encode())
    assert is_encrypted(ENCRYPTED.replace("\n", "\r\n").encode())
    assert not is_encrypted(SigningKey.generate().openssh())
    assert not is_encrypted(b"")


def test_without_the_package_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    key = written(tmp_path / "id", ENCRYPTED.encode())
    monkeypatch.setenv(PASS_PHRASE, PHRASE)
    result = cli("new", "western-desert", "compass", tmp_path / AXIS, "--name", "Alice", "--key", key)
    assert_clear(result, r"package bcrypt .* not installed; install the extra: pip install 'adjudicator\[encrypted", 2)


def test_where_nobody_can_be_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjudicator.protocol.keys._need_bcrypt", lambda: None)
    monkeypatch.delenv(PASS_PHRASE, raising=False)
    key = written(tmp_path / "id", ENCRYPTED.encode())
    result = cli("new", "western-desert", "compass", tmp_path / AXIS, "--name", "Alice", "--key", key)
    assert_clear(result, "nobody to ask", 2)
    with pytest.raises(KeyFileError, match="pass phrase"):
        SigningKey.load(key)


@pytest.mark.skipif(NO_BCRYPT, reason="the extra encrypted-keys (bcrypt) is not installed")
def test_an_encrypted_key_signs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    private = ed25519.Ed25519PrivateKey.generate()
    data = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH,
        serialization.BestAvailableEncryption(PHRASE.encode()),
    )
    key = written(tmp_path / "id", data)
    a, b = tmp_path / "a", tmp_path / "b"
    monkeypatch.setenv(PASS_PHRASE, "wrong")
    result = cli("new", "western-desert", "compass", a, "--name", "Alice", "--key", key)
    assert_clear(result, "pass phrase is wrong", 2)
    monkeypatch.setenv(PASS_PHRASE, PHRASE)
    good("new", "western-desert", "compass", a, "--name", "Alice", "--key", key)
    good("accept", a / "outbox" / "offer.turn", b, "--name", "Bob")
    good("receive", a, b / "outbox" / "genesis.turn")
    good("open", a)
    good("receive", b, next((a / "outbox").glob("*-0001-axis.turn")))


@pytest.fixture(autouse=True)
def _nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one test sets is gone in the next."""
    monkeypatch.setattr(keyring, "ask", None)
