"""Keys and signatures, against OpenSSH's own tool where there is one; secrets in private files."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from adjudicator.protocol import sshsig
from adjudicator.protocol.chain import MAX_LINKS
from adjudicator.protocol.hashing import merkle_path, merkle_root, path_root
from adjudicator.protocol.keys import KeyFileError, SigningKey
from adjudicator.protocol.secret import Secret, SecretError
from adjudicator.protocol.verdicts import ProtocolError
from tests.protocol.toy_game import Table, attack, key_of, known, secret_of

SSH_KEYGEN = shutil.which("ssh-keygen")
needs_ssh = pytest.mark.skipif(SSH_KEYGEN is None, reason="no ssh-keygen here")
posix = pytest.mark.skipif(os.name != "posix", reason="file modes of POSIX")


def ssh_keygen(*args: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([SSH_KEYGEN or "", *args], input=stdin, capture_output=True, check=False)


@needs_ssh
def test_ssh_keygen_checks_our_turn(tmp_path: Path) -> None:
    message = Table().start().next(attack("1203"))
    (tmp_path / "sig").write_text(message.sig, encoding="utf-8")
    (tmp_path / "allowed").write_text(f"alice {key_of('alice').public}\n", encoding="utf-8")
    args = ("-Y", "verify", "-f", tmp_path / "allowed", "-I", "alice", "-n", "pbem1", "-s", tmp_path / "sig")
    assert ssh_keygen(*args, stdin=message.canonical).returncode == 0
    assert ssh_keygen(*args, stdin=message.canonical + b" ").returncode != 0


@needs_ssh
def test_ssh_keygen_signs_our_turn(tmp_path: Path) -> None:
    table = Table().start()
    message, path = table.next(attack("1203")), tmp_path / "key"
    key_of("alice").save(path)
    (tmp_path / "body").write_bytes(message.canonical)
    done = ssh_keygen("-Y", "sign", "-f", path, "-n", "pbem1", tmp_path / "body")
    assert done.returncode == 0, done.stderr
    theirs = (tmp_path / "body.sig").read_text(encoding="utf-8")
    assert theirs == message.sig, "Ed25519 is deterministic, and the armor is the same"
    sshsig.verify(message.canonical, theirs, key_of("alice").raw_public)


@needs_ssh
def test_ssh_keygen_reads_our_key_and_we_read_its(tmp_path: Path) -> None:
    key = SigningKey.generate("alice@toy")
    key.save(tmp_path / "ours")
    printed = ssh_keygen("-y", "-f", tmp_path / "ours")
    assert printed.stdout.decode().strip() == f"{key.public} alice@toy", printed.stderr
    assert (tmp_path / "ours.pub").read_text(encoding="utf-8") == f"{key.public} alice@toy\n"
    assert ssh_keygen("-q", "-t", "ed25519", "-N", "", "-C", "", "-f", tmp_path / "theirs").returncode == 0
    loaded = SigningKey.load(tmp_path / "theirs")
    assert (tmp_path / "theirs.pub").read_text(encoding="utf-8").strip() == loaded.public
    sshsig.verify(b"turn", sshsig.sign(b"turn", loaded), loaded.raw_public)


@needs_ssh
@pytest.mark.parametrize(
    ("args", "words"),
    [(("-t", "ed25519", "-N", "secret"), "pass phrase"), (("-t", "ecdsa", "-N", ""), "Ed25519")],
)
def test_other_keys_are_refused_with_a_mend(tmp_path: Path, args: tuple[str, ...], words: str) -> None:
    assert ssh_keygen("-q", *args, "-f", tmp_path / "key").returncode == 0
    with pytest.raises(KeyFileError, match=f"{words}.*keygen"):
        SigningKey.load(tmp_path / "key")
    with pytest.raises(KeyFileError, match="public key"):
        SigningKey.load(tmp_path / "key.pub") if "ed25519" in args else SigningKey.parse(b"ssh-rsa AAAA")


@pytest.mark.parametrize("data", [b"", b"hello", key_of("bob").openssh()[:200], b"\x00\xff" * 50])
def test_files_that_are_no_key(data: bytes) -> None:
    with pytest.raises(KeyFileError, match="keygen"):
        SigningKey.parse(data)


@posix
def test_key_files_are_private_and_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "key"
    before = os.umask(0)
    try:
        key_of("alice").save(path)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert SigningKey.load(path).public == key_of("alice").public
    with pytest.raises(FileExistsError):
        key_of("bob").save(path)
    assert SigningKey.load(path).public == key_of("alice").public


@posix
def test_secrets_are_private_and_read_back(tmp_path: Path) -> None:
    path, secret = tmp_path / "secret", secret_of("alice", 4096)
    secret.save(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert Secret.load(path) == secret
    with pytest.raises(FileExistsError):
        secret.save(path)
    assert secret.k_game.hex() not in repr(secret)


@pytest.mark.parametrize("change", ["format", "k_game", "cid", "links", "nonce"])
def test_damaged_secrets(tmp_path: Path, change: str) -> None:
    tree = {**secret_of("alice").to_tree(), change: "9"}
    with pytest.raises(SecretError, match="backup"):
        Secret.from_tree(tree)
    (tmp_path / "secret").write_bytes(b"\0")
    with pytest.raises(SecretError, match="backup"):
        Secret.load(tmp_path / "secret")


def test_fresh_secrets_differ_and_have_sane_chains() -> None:
    one, two = (Secret.fresh(key_of("alice").public, 64) for _ in range(2))
    assert len({one.k_game, two.k_game, one.nonce, two.nonce}) == 4 and one.cid != two.cid
    assert one.link(64) and one.anchor == one.link(0).hex()
    for wrong in (-1, 65):
        with pytest.raises(ValueError, match="link"):
            one.link(wrong)
    for links in (63, MAX_LINKS + 1):
        with pytest.raises(ValueError, match="links"):
            Secret.fresh(key_of("alice").public, links)
    made = Secret.fresh(key_of("alice").public, 64, random=lambda size: known("r")[:size])
    assert made == Secret.fresh(key_of("alice").public, 64, random=lambda size: known("r")[:size])


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 13])
def test_merkle_paths(size: int) -> None:
    leaves = [known(str(number)) for number in range(size)]
    root = merkle_root(leaves)
    for index, leaf in enumerate(leaves):
        path = merkle_path(leaves, index)
        assert path_root(leaf, index, size, path) == root
        assert path_root(leaf, index, size, [*path, leaf]) != root
        assert path_root(leaf, index, size, path[1:]) != root or size == 1
        assert path_root(leaf, size, size, path) is None
        assert path_root(known("other"), index, size, path) != root
    with pytest.raises(ValueError, match="leaf"):
        merkle_root([])
    with pytest.raises(IndexError):
        merkle_path(leaves, size)


def test_small_order_signature_would_pass_a_library() -> None:
    """Why keys are tested: under the identity one constant signature fits every message."""
    identity = bytes([1]) + bytes(31)
    for message in (b"one", b"two"):
        sshsig.verify(message, sshsig.armor(sshsig._prefix(identity) + identity + bytes(32)), identity)


def test_protocol_knows_no_game_and_loads_cryptography_late() -> None:
    code = "import sys, adjudicator.protocol.verifier, adjudicator.protocol.compose; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"cryptography", "yaml", "typer", "lxml"} & set(loaded)
    ours = {name.split(".")[1] for name in loaded if name.startswith("adjudicator.")}
    assert ours == {"protocol", "turnfile"}


def test_a_wrong_key_is_named() -> None:
    with pytest.raises(ProtocolError, match="another key"):
        sshsig.verify(b"x", sshsig.sign(b"x", key_of("alice")), key_of("bob").raw_public)
