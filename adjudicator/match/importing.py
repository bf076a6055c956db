"""Coming back after a loss: the other side's log with his head statement, own secrets from words (PROTOCOL 8)."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from adjudicator.match.files import PRIVATE, lock, write_whole
from adjudicator.match.folder import Folder, reason, without_cr
from adjudicator.match.keepsake import GAME_SECRET, OWN_KEY, SIGNING_KEY
from adjudicator.match.keyring import load_key
from adjudicator.match.match import Match, resolver_of
from adjudicator.match.restored import keep_statement
from adjudicator.protocol import sshsig
from adjudicator.protocol.compose import head_statement
from adjudicator.protocol.fields import is_hash, uint
from adjudicator.protocol.history import Player
from adjudicator.protocol.keys import KeyFileError, SigningKey
from adjudicator.protocol.log import read_line, split_log
from adjudicator.protocol.secret import Secret
from adjudicator.protocol.tokens import head_digest
from adjudicator.protocol.verdicts import ProtocolError
from adjudicator.protocol.verifier import Verifier
from adjudicator.turnfile.nodes import Tree, tree_map
from adjudicator.turnfile.reader import ReadError, read
from adjudicator.turnfile.writer import write

FORMAT = "pbem1-head/1"


class ImportFault(Exception):
    """A log, statement or secret with which a game can't be brought back; the text says why and how to mend."""


@dataclass(frozen=True, slots=True)
class Head:
    """A head statement: that message ``seq`` with ``id`` is the newest one its giver has, and his signature of it."""

    game: str
    seq: int
    id: str
    sig: str

    def write(self) -> bytes:
        """The statement as a file."""
        tree: dict[str, Tree] = {
            "format": FORMAT, "game": self.game, "seq": str(self.seq), "id": self.id, "sig": self.sig
        }
        return write(tree).encode()

    @classmethod
    def read(cls, data: bytes, name: str) -> Head:
        """A statement out of a file. Raises ImportFault."""
        try:
            tree = tree_map(read(data).root)
        except ReadError as error:
            raise ImportFault(f"{name}: this is no head statement ({error}); ask for what `head` writes") from None
        seq = uint(tree.get("seq"))
        texts = {field: str(tree.get(field, "")) for field in ("game", "id", "sig")}
        if tree.get("format") != FORMAT or seq is None or not (is_hash(texts["game"]) and is_hash(texts["id"])):
            raise ImportFault(f"{name}: this is no head statement; ask the other side for what `head` writes")
        return cls(texts["game"], seq, texts["id"], texts["sig"])


def give_head(match: Match, key: SigningKey) -> Head:
    """This side's statement about its newest message."""
    seq, sig = head_statement(match.verifier, key)
    return Head(match.verifier.game_id, seq, match.verifier.head_id, sig)


def statement_file(match: Match) -> Path:
    """Write this side's head statement into the outbox."""
    path = match.folder.outbox / f"{match.slug}-head-{match.verifier.head:04d}-{match.me}.yaml"
    write_whole(path, give_head(match, match.key()).write())
    return path


def bring_back(root: Path, log: bytes, head: Head, words: Mapping[str, bytes], key: Path | None) -> Match:
    """Make or mend a game folder out of the other side's log. Raises ImportFault, ProtocolError, FolderError.

    ``words`` are own secrets by their kind; what is missing there is taken from ``key`` and from the folder.
    """
    folder = Folder(root)
    with lock(folder.private) if folder.private.is_dir() else contextlib.nullcontext():
        return _bring_back(folder, log, head, words, key)


def _bring_back(folder: Folder, log: bytes, head: Head, words: Mapping[str, bytes], key: Path | None) -> Match:
    """The order matters: cut short at any point, the folder has its old log, or the new one with its statement."""
    lines, verifier = _proved(folder, log)
    _nothing_newer(folder, verifier)
    secret, player = _secret(folder, verifier, words.get(GAME_SECRET))
    _check_head(verifier, head, player)
    signing, where = _key(folder, verifier, player, words.get(SIGNING_KEY), key)
    _write(folder, verifier, player, secret, signing, where)
    keep_statement(folder, head.seq, head.sig)
    folder.forget_beyond(verifier.head)
    folder.cache.unlink(missing_ok=True)
    whole = b"".join(line + b"\n" for line in lines)
    write_whole(folder.journal, whole, PRIVATE)
    write_whole(folder.log, whole)
    return Match.load(folder.root)


def _proved(folder: Folder, log: bytes) -> tuple[list[bytes], Verifier]:
    """The lines of a log that holds, and what they come to."""
    lines = split_log(without_cr(log))
    if not lines:
        raise ImportFault("the log is empty; ask the other side for his log.jsonl")
    genesis = read_line(lines[0])
    if genesis.body.get("type") != "genesis" or "system" not in genesis.body:
        raise ImportFault("the log does not begin with a genesis; ask the other side for his log.jsonl")
    verifier = Verifier(genesis, resolver_of(genesis, folder))
    for line in lines[1:]:
        verdict = verifier.receive(read_line(line))
        if not verdict.ok:
            raise ProtocolError(verdict.code, verdict.text, verdict.seq, verdict.id)
    return lines, verifier


def _nothing_newer(folder: Folder, verifier: Verifier) -> None:
    """Refuse to take a log over one that knows more: nothing is lost then."""
    for path in (folder.journal, folder.log):
        if not path.is_file():
            continue
        try:
            own = [read_line(line) for line in split_log(without_cr(path.read_bytes()))]
        except ProtocolError:
            continue  # damaged: that is why a log is brought back
        for message in own:
            seq = uint(message.body.get("seq")) or 0
            if seq > verifier.head or message.id != verifier.id(seq):
                raise ImportFault(
                    f"{path} holds a message {seq} that the log you were given has not; keep your own, and see what "
                    "`doctor` says"
                )


def _secret(folder: Folder, verifier: Verifier, k_game: bytes | None) -> tuple[Secret, Player]:
    """The secret of one of the players of this genesis, and whose it is."""
    if k_game is None:
        try:
            k_game = Secret.load(folder.secret).k_game
        except (OSError, ValueError):
            text = "your secret is not in the folder; give its words with --words FILE, as `doctor --words` told them"
            raise ImportFault(text) from None
    for player in verifier.players:
        for chain in (player, verifier.chain(player.side)):  # the second is another where the first was lost
            secret = Secret(k_game, chain.cid, chain.links, bytes.fromhex(player.nonce), player.key)
            if secret.link(0) == chain.anchor and (chain is player or player.side in verifier.history.lost):
                return secret, player
    raise ImportFault("this secret is of another game: neither player of this log has it; look for the right words")


def _check_head(verifier: Verifier, head: Head, player: Player) -> None:
    """The statement must be the other side's, about the newest message of this very log."""
    if head.game != verifier.game_id:
        raise ImportFault(f"the head statement is of game {head.game[:12]}, the log of {verifier.game_id[:12]}")
    if (head.seq, head.id) != (verifier.head, verifier.head_id):
        raise ImportFault(
            f"the head statement speaks of message {head.seq} ({head.id[:12]}), the log ends at message "
            f"{verifier.head} ({verifier.head_id[:12]}); ask for both anew, made at the same time"
        )
    giver = next(other for other in verifier.players if other.side != player.side)
    digest = head_digest(bytes.fromhex(head.game), head.seq, bytes.fromhex(head.id))
    seq = verifier.next_seq_of(giver.side)
    sshsig.verify(digest, head.sig, verifier.history.key(giver.side, seq)[1])


def _key(
    folder: Folder, verifier: Verifier, player: Player, seed: bytes | None, given: Path | None
) -> tuple[SigningKey, str]:
    """The signing key in force, from words, a file, or the folder; and how game.yaml names it."""
    own = folder.root / OWN_KEY
    path = given or own
    try:
        found = SigningKey.from_seed(seed, player.name) if seed is not None else load_key(path)
    except KeyFileError as error:
        raise ImportFault(f"{path}: {error}") from None
    except OSError as error:
        text = f"{path}: {reason(error)}; name your key with --key FILE, or give its words with --words FILE"
        raise ImportFault(text) from None
    if found.public != verifier.key(player.side):
        raise ImportFault(f"this key is not the one of {player.name} ({player.side}) in this game; bring the right one")
    return found, OWN_KEY if seed is not None or given is None else str(given.resolve())


def _write_key(path: Path, key: SigningKey) -> None:
    """The key in force under its name. One of before a change of key, as a backup may hold, is kept beside it."""
    if path.exists():
        try:
            if load_key(path).public == key.public:
                return
        except (KeyFileError, OSError):
            pass  # damaged: it is moved like another one
        write_whole(path.with_name(f"{path.name}-before-import"), path.read_bytes(), PRIVATE)
        write_whole(path.with_name(f"{path.name}.pub"), key.public_text())
        write_whole(path, key.openssh(), PRIVATE)
        return
    key.save(path)


def _write_secret(path: Path, secret: Secret) -> None:
    """The secret in its place in one step. What else lay there is kept beside it."""
    if path.is_file() and path.read_bytes() != secret.text():
        write_whole(path.with_name("secret-before-import.yaml"), path.read_bytes(), PRIVATE)
    write_whole(path, secret.text(), PRIVATE)


def _write(
    folder: Folder, verifier: Verifier, player: Player, secret: Secret, key: SigningKey, where: str
) -> None:
    """The private half of the folder, and what a person wants to know."""
    folder.private.mkdir(parents=True, exist_ok=True)
    folder.private.chmod(0o700)
    if where == OWN_KEY:
        _write_key(folder.root / OWN_KEY, key)
    _write_secret(folder.secret, secret)
    body = verifier.genesis.body
    about: dict[str, Tree] = {name: body[name] for name in ("title", "system", "scenario")}
    about |= {"name": player.name, "side": player.side, "key": where, "switches": body["switches"]}
    folder.write_about(about)
