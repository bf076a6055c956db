"""One game in its folder: receive, check, sign, open, resend (PROTOCOL 4 and 8)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from adjudicator.engine.core import Problem
from adjudicator.engine.driver import Message as OrderMessage
from adjudicator.engine.game import Rules, Table
from adjudicator.match.asked import NOTHING_ASKED, Asked
from adjudicator.match.draft import Draft, body_orders
from adjudicator.match.facedown import faces_of, in_parts
from adjudicator.match.files import write_whole
from adjudicator.match.folder import GENESIS_FILE, Folder, FolderError, reason
from adjudicator.match.games import game, pack_of, versions
from adjudicator.match.goneback import explained, gone_back, refuse_second_body
from adjudicator.match.header import header_problems
from adjudicator.match.incoming import kept_messages
from adjudicator.match.keyring import load_key
from adjudicator.match.overlays import OVERLAY_FILE, pack_beside
from adjudicator.match.ownsecret import own_secret, side_of, used_up
from adjudicator.match.preview import CheckResult, check_draft
from adjudicator.match.renewal import chain_wanted, next_key, settle
from adjudicator.match.resolver import MatchResolver
from adjudicator.match.restored import due_statement, statement_used
from adjudicator.match.rulesets import RuleSet, RuleShelf
from adjudicator.match.secretplans import kept_plans, planned_contents, wanted_proofs
from adjudicator.match.sheets import WAY_OUT, contents, open_orders, openly_told
from adjudicator.match.terms import check_terms
from adjudicator.packs.load import Pack
from adjudicator.protocol.books import Book
from adjudicator.protocol.compose import Extras, compose_body, sign_body
from adjudicator.protocol.keys import KeyFileError, SigningKey
from adjudicator.protocol.kit import Kit
from adjudicator.protocol.log import LazyBodies, read_line, write_line, write_turn
from adjudicator.protocol.message import Message
from adjudicator.protocol.own import NotKept, OwnBooks, seal
from adjudicator.protocol.resolve import Resolved
from adjudicator.protocol.secret import Secret
from adjudicator.protocol.verdicts import Kind, ProtocolError, Verdict
from adjudicator.protocol.verifier import Verifier

Entropy = Callable[[int], bytes]


@dataclass
class Received:
    """What became of a file: the verdict, and the messages whose dice it opened, with what happened."""

    verdict: Verdict
    opened: list[Resolved] = field(default_factory=list)


class Match:
    """A game folder in memory. ``me`` is the side of this folder's player, "" in a folder without secrets."""

    def __init__(self, folder: Folder, verifier: Verifier, resolver: MatchResolver, lines: list[bytes]) -> None:
        self.folder = folder
        self.verifier = verifier
        self.resolver = resolver
        self.lines = lines
        self.me = side_of(folder, verifier)

    # -- opening -------------------------------------------------------------------------------------------------

    @classmethod
    def load(cls, root: Path, still: bool = False) -> Match:
        """Open a game folder from its newest checkpoint, or from the log where there is none. Raises FolderError.

        ``still`` opens it for looking only: no file is written or made again.
        """
        folder = Folder(root, still)
        folder.require()
        lines = folder.lines() or _from_journal(folder)
        if not lines:
            raise FolderError(f"{root}: the game has not begun; `receive` the other side's genesis first")
        genesis = _genesis(folder, lines[0])
        refuse_second_body(folder, lines)
        cached = cls._from_cache(folder, genesis, lines)
        match = cached or cls._from_log(folder, genesis, lines)
        match._finish_journal()
        if cached is None:
            match._take_kept()
        match._take_waiting()
        settle(folder, match.verifier, match.me)
        return match

    @classmethod
    def _from_cache(cls, folder: Folder, genesis: Message, lines: list[bytes]) -> Match | None:
        cached = folder.read_cache()
        shelf = shelf_of(genesis.body, folder)
        try:
            resolver = MatchResolver.restored(shelf.first.table, cached["resolver"], shelf)
            verifier = Verifier.restore(cached["verifier"], genesis, LazyBodies(lines), resolver)
        except (TypeError, LookupError, ValueError, AttributeError, ProtocolError):
            return None  # damaged or of another version: everything is proved again from the log
        if verifier.resolved != resolver.done or cached.get("log") != folder.sum_of(lines[: verifier.head + 1]):
            return None
        match = cls(folder, verifier, resolver, lines[: verifier.head + 1])
        return match._take_rest(lines)

    @classmethod
    def _from_log(cls, folder: Folder, genesis: Message, lines: list[bytes]) -> Match:
        resolver = resolver_of(genesis, folder)
        try:
            verifier = Verifier(genesis, resolver)
        except ProtocolError as error:
            raise FolderError(f"{folder.log}: line 1: {error.verdict.show()}") from None
        return cls(folder, verifier, resolver, lines[:1])._take_rest(lines)

    def _take_rest(self, lines: Sequence[bytes]) -> Match:
        """Take in the messages of the log that are newer than what was verified."""
        for line in lines[self.verifier.head + 1 :]:
            verdict = self.verifier.receive(_line(self.folder, line))
            if not verdict.ok:
                text = f"run `verify` for the whole story; if the file was damaged, {self.folder.mend()}"
                raise FolderError(f"{self.folder.log}: {verdict.show()}; {text}")
            self.lines.append(line)
            self._store_resolved()
        return self

    def _finish_journal(self) -> None:
        """After a crash between journal and log the journal is right; a log behind the journal otherwise is old."""
        for message in self.folder.journal_after(self.verifier.head):
            verdict = self.verifier.receive(message)
            if not verdict.ok:
                seq = message.text("seq")
                raise FolderError(
                    f"{self.folder.log}: the log ends at message {self.verifier.head}, but message {seq} was already "
                    "received or signed here; bring the newest log.jsonl back before you go on"
                )
            self._append(message)

    def _take_kept(self) -> None:
        """What came too early and second bodies stand in the checkpoint; without one they are read where they lie."""
        for message in kept_messages(self.folder):
            if self.verifier.check(message).kind in (Kind.WAIT, Kind.PROOF):
                self.verifier.receive(message)

    # -- what is known -------------------------------------------------------------------------------------------

    @property
    def shelf(self) -> RuleShelf:
        """The rules sets of this game."""
        assert isinstance(self.resolver.shelf, RuleShelf)
        return self.resolver.shelf

    @property
    def table(self) -> Table:
        """The rules and names that the next message goes by."""
        return self.table_at(self.verifier.next_seq)

    def table_at(self, seq: int) -> Table:
        """The rules and names that a message goes by. Raises MissingRules."""
        return self.shelf.table(self.verifier.history.rules(seq))

    def rules_at(self, seq: int) -> RuleSet:
        """The rules in full that a message goes by. Raises MissingRules."""
        return self.shelf.find(self.verifier.history.rules(seq))

    @property
    def pack(self) -> Pack:
        """The data that the next message goes by, with the overlay that the players agreed on. Raises FolderError."""
        return self.rules_at(self.verifier.next_seq).pack

    @property
    def my_turn(self) -> bool:
        """True where this folder's player writes the next message."""
        return bool(self.me) and self.verifier.next_side == self.me and not self.verifier.closed

    @property
    def my_next_seq(self) -> int:
        """The number of this player's next message."""
        head = self.verifier.head
        return head + 1 if self.verifier.next_side == self.me else head + 2

    def own_messages(self) -> list[int]:
        """The numbers of the messages this player has signed, genesis included."""
        own = 1 if self.me == self.table.sides[0] else 0
        return list(range(own, self.verifier.head + 1, 2)) if self.me else []

    def secret(self) -> Secret:
        """This player's secret, or the kit that stands for it. Raises FolderError where it is absent, damaged or
        another game's."""
        return own_secret(self.folder, self.verifier, self.me)

    def key(self) -> SigningKey:
        """The signing key named in game.yaml. Raises FolderError."""
        path = Path(str(self.folder.read_about().get("key", "")))
        path = path if path.is_absolute() else self.folder.root / path
        try:
            return load_key(path)
        except KeyFileError as error:
            raise FolderError(f"{path}: {error}") from None
        except OSError as error:
            raise FolderError(f"{path}: {reason(error)}; your key must lie where `key` in game.yaml says") from None

    def _own_key(self) -> SigningKey:
        """The signing key, which must be the one that stands in genesis. Raises FolderError."""
        key = self.key()
        if key.public != self.verifier.key(self.me):
            raise FolderError(
                f"{self.folder.about}: the key named there is another one than the key of {self.me} in this game; "
                "bring the right key file back"
            )
        return key

    def own_books(self) -> OwnBooks:
        """What this player sealed so far. Raises FolderError for a damaged file."""
        try:
            return OwnBooks.load(self.folder.books)
        except ValueError as error:
            raise FolderError(f"{self.folder.books}: {error}") from None
        except OSError as error:
            raise FolderError(f"{self.folder.books}: {reason(error)}; take the backup of `private/`") from None

    def _seal(self, result: CheckResult, own: OwnBooks) -> list[Book]:
        """The new books of a draft with sealed standing orders, on disk before their roots are signed."""
        seq = self.verifier.next_seq
        openly = openly_told(self.before_draft(), self.me, seq)
        before = self.verifier.history.in_force(self.me, seq)
        orders = in_parts(self.table, self.verifier, self.me, self.secret, result.orders)
        told = contents(orders, own, before, self.verifier.layout, openly)
        told |= planned_contents(self.table, self.me, result.planning)
        books = seal(self.verifier, self.me, self.secret(), told) if told else []
        if books:
            own.add(books)
            own.save(self.folder.books)
        return books

    def _new_chain(self, entropy: Entropy) -> tuple[bytes, int] | None:
        """A new chain out of the same secret: with the last link of the old one (PROTOCOL 4.3), or by `new-chain`."""
        links = self.verifier.chain(self.me).links
        due = self.verifier.next_link(self.me) == links or chain_wanted(self.folder, self.verifier, self.me)
        return (entropy(16), links) if due else None

    def trouble(self) -> str:
        """Why this player can look but not sign: his secret is gone, damaged or another's; else ""."""
        try:
            secret = self.secret() if self.me else None
        except FolderError as error:
            return str(error)
        return used_up(secret, self.verifier, self.me)

    def look(self) -> Resolved | None:
        """Resolve the head with one's own next link, where that is the one due; else the newest resolution."""
        if self.my_turn and self.verifier.resolved != self.verifier.head:
            self._store(self._open_head())
            self._save()
        return self.verifier.last

    def _open_head(self) -> Resolved:
        """Raises FolderError where a topic is asked for that was sealed here and is not kept."""
        chain = self.verifier.chain(self.me)
        link = self.secret().chain_link(chain.cid, chain.links, self.verifier.next_link(self.me))
        try:
            return self.verifier.open_head(link, self.own_books().source(self.verifier, self.me))
        except ProtocolError as error:
            if error.code != "E_SEAL":
                raise
            raise self._not_kept(error) from None

    def _not_kept(self, error: ProtocolError) -> FolderError:
        """That own contents are missing, before the other side could reject anything, and the way out."""
        return FolderError(f"{self.folder.books}: {error.verdict.text}, and its contents are not here; {WAY_OUT}")

    def look_or_halt(self) -> Resolved | None:
        """As :meth:`look`, but where the head can't be resolved, by a fault or for want of the secret, the newest."""
        if self.trouble():
            return self.verifier.last
        try:
            return self.look()
        except ProtocolError as error:
            if error.verdict.kind is not Kind.HALT:
                raise
            return self.verifier.last

    def events(self, seq: int) -> list[dict[str, Any]] | None:
        """The events of a resolved message as trees; None where its file is not there, damaged or of another game."""
        tree = self.folder.read_json(self.folder.events(seq))
        if not isinstance(tree, dict) or not isinstance(tree.get("events"), list) or seq > self.verifier.resolved:
            return None
        return tree["events"] if tree.get("digest") == self.verifier.digest(seq) else None

    # -- messages ------------------------------------------------------------------------------------------------

    def receive(self, message: Message) -> Received:
        """Take a signed message in; nothing changes unless it is the next one of this game."""
        verdict = self.verifier.check(message)
        if not verdict.ok:
            verdict = self.verifier.receive(message)
            self._save()
            return Received(explained(verdict, self.verifier, message, self.me))
        self.folder.write_journal(message)
        self.verifier.receive(message)
        self._append(message)
        opened = [resolved for resolved in (self.verifier.last,) if resolved is not None]
        self._take_waiting()
        mine = self.look_or_halt()
        if mine is not None and (not opened or mine.n != opened[-1].n):
            opened.append(mine)
        return Received(verdict, opened)

    def _take_waiting(self) -> None:
        """Take in what waited and is due now. What was overtaken is judged again: a second body is kept as proof."""
        for message in sorted(self.verifier.waiting, key=lambda m: int(m.text("seq"))):
            if int(message.text("seq")) > self.verifier.next_seq:
                break
            if self.verifier.check(message).ok:
                self.folder.write_journal(message)
                self.verifier.receive(message)
                self._append(message)
            else:
                self.verifier.receive(message)

    def check(self, draft: Draft) -> CheckResult:
        """Check a draft as this player's next message. Off turn the other side is assumed to send a bare message."""
        self.look()
        return self.checked(draft)

    def before_draft(self) -> list[OrderMessage]:
        """The messages before this player's next one; off turn with a bare message of the other side between."""
        head, side = self.verifier.head, self.verifier.next_side
        known = self.resolver.messages_up_to(head, self.verifier.bodies)
        return known if side == self.me else [*known, OrderMessage(head + 1, side)]

    def checked(self, draft: Draft) -> CheckResult:
        """The same by what is open already: no secret is read and nothing is written."""
        warnings = []
        if self.verifier.next_side != self.me:
            head, side = self.verifier.head, self.verifier.next_side
            text = f"message {head + 1} of {side} comes first; checked as if it ordered nothing"
            warnings = [Problem("early", "turn", text, "check again when it is here")]
        kept = partial(kept_plans, self.table, self.verifier, self.me, self.own_books)
        result = check_draft(self.resolver, self.before_draft(), self.my_next_seq, self.me, draft, kept, faces_of(self))
        result.problems[:0] = header_problems(draft, self.verifier.game_id, self.my_next_seq, self.me)
        result.warnings[:0] = warnings
        result.note = draft.header["note"][0] if "note" in draft.header else ""
        return result

    def refusal(self) -> str:
        """Why nothing may be signed though it is this side's turn: a kit is away and signs, or the log is older than
        what was received; else ""."""
        if self.folder.away.is_file():
            return f"a kit is away and signs for this folder ({self.folder.away}); take its log home with `serve --end`"
        if not self.my_turn:
            return ""
        return gone_back(self.folder, self.verifier, self.me, self.outfile(self.verifier.next_seq))

    def sign(
        self,
        result: CheckResult,
        note: str | None = None,
        entropy: Entropy = os.urandom,
        asked: Asked = NOTHING_ASKED,
    ) -> Message:
        """Seal a checked draft, with what is asked beside orders: journal first, then log, then the file to mail.

        Raises ProtocolError, and FolderError where the log is older than what was received.
        """
        if self.refusal():
            raise FolderError(self.refusal())
        key = self._own_key()
        secret = self.secret()
        if isinstance(secret, Kit) and (result.orders or self.verifier.over or asked != NOTHING_ASKED):
            raise FolderError(f"{self.folder.kit}: a kit signs bare messages only; give orders from your own folder")
        own = self.own_books()
        restored = due_statement(self.folder, self.verifier.next_seq)
        new_chain = self._new_chain(entropy)
        extras = Extras(
            books=self._seal(result, own),
            own=own,
            history=wanted_proofs(result.planning),
            rekey=next_key(self.folder),
            reanchor=new_chain,
            restored=restored,
            end=asked.end,
            allow_lost=asked.allow_lost,
            upgrade=asked.upgrade,
        )
        orders: list[Any] = body_orders([*open_orders(result.orders, self.table.order_types), *result.planning.orders])
        try:
            body = compose_body(self.verifier, self.me, secret, orders, entropy(32), note, extras=extras)
        except NotKept as error:
            raise self._not_kept(error) from None
        return self.seal(sign_body(body, key))

    def seal(self, message: Message) -> Message:
        """Take an own signed message in: journal first, then log, then the file to mail. Raises ProtocolError."""
        verdict = self.verifier.check(message)
        if not verdict.ok:
            raise ProtocolError(verdict.code, verdict.text, verdict.seq, verdict.id)
        self.folder.write_journal(message)
        self.verifier.receive(message)
        self._append(message)
        statement_used(self.folder)
        settle(self.folder, self.verifier, self.me)
        self.resend(self.verifier.head)
        return message

    def resend(self, seq: int) -> Path:
        """Write the file of an own message again, the same bytes as when it was signed."""
        from adjudicator.match.recovery import write_copy

        path = self.outfile(seq)
        write_whole(path, write_turn(self.message(seq)))
        beside = self.beside(seq)
        if beside is not None:
            write_whole(beside, self.folder.rules(_offered(self.verifier.body(seq))).read_bytes())
        write_copy(self, seq)
        return path

    def beside(self, seq: int) -> Path | None:
        """The file to mail beside an own message that offers other rules: what they are. None for every other."""
        body = self.verifier.body(seq)
        rules = _offered(body)
        accepts = seq > 0 and self.verifier.body(seq - 1).get("upgrade") == body.get("upgrade")
        if not rules or accepts or not self.folder.rules(rules).is_file():
            return None
        path = self.outfile(seq)
        return path.with_name(f"{path.stem}-rules.json")

    def outfile(self, seq: int) -> Path:
        """Where the file of an own message lies: names that sort, and genesis by the name that `accept` gave it."""
        if seq == 0:
            return self.folder.outbox / GENESIS_FILE
        side = self.resolver.table.sides[0] if seq % 2 else self.resolver.table.sides[1]
        return self.folder.outbox / f"{self.slug}-{seq:04d}-{side}.turn"

    @property
    def slug(self) -> str:
        """The game's title as a file name."""
        title = str(self.verifier.genesis.body.get("title", "game")).lower()
        return re.sub(r"[^a-z0-9]+", "-", title).strip("-")[:40].strip("-") or "game"

    def message(self, seq: int) -> Message:
        """A message of the log."""
        return read_line(self.lines[seq])

    # -- storing -------------------------------------------------------------------------------------------------

    def _append(self, message: Message) -> None:
        self.lines.append(write_line(message).removesuffix(b"\n"))
        self.folder.write_log(self.lines)
        self._store_resolved()
        self._save()

    def _store_resolved(self) -> None:
        if self.verifier.last is not None:
            self._store(self.verifier.last)

    def _store(self, resolved: Resolved) -> None:
        events = [dict(event) for event in resolved.resolution.events]
        tree = {"seq": str(resolved.n), "digest": resolved.digest, "events": events}
        self.folder.write_state(self.folder.events(resolved.n), tree)
        position = {"seq": str(resolved.n), "digest": resolved.digest, "position": resolved.resolution.position}
        self.folder.write_state(self.folder.newest, position)

    def _save(self) -> None:
        log = self.folder.sum_of(self.lines)
        tree = {"verifier": self.verifier.export(), "resolver": self.resolver.export(), "log": log}
        self.folder.write_cache(tree)


def _offered(body: Mapping[str, Any]) -> str:
    """The hash of the rules that a message offers or accepts; "" for every other."""
    pair = body.get("upgrade")
    return str(pair["rules"]) if isinstance(pair, dict) else ""


def _from_journal(folder: Folder) -> list[bytes]:
    """Genesis out of the journal, put into the log: a crash came between the two."""
    found = folder.journal_after(-1)[:1]
    lines = [write_line(genesis).removesuffix(b"\n") for genesis in found]
    if lines:
        folder.write_log(lines)
    return lines


def _line(folder: Folder, line: bytes) -> Message:
    try:
        return read_line(line)
    except ProtocolError as error:
        raise FolderError(f"{folder.log}: {error.verdict.show()}; {folder.mend()}") from None


def _genesis(folder: Folder, line: bytes) -> Message:
    message = _line(folder, line)
    if message.body.get("type") != "genesis":
        raise FolderError(f"{folder.log}: line 1 is no genesis; bring the right log.jsonl back, or {folder.mend()}")
    return message


def resolver_of(genesis: Message, folder: Folder | None = None, fresh: bool = False) -> MatchResolver:
    """The game of a genesis before it is resolved, with all rules that its players may agree to at hand.

    Raises FolderError where rules or data are others. ``fresh``: see :func:`agreed_pack`.
    """
    shelf = shelf_of(genesis.body, folder, fresh)
    return MatchResolver.fresh(shelf.first.table, shelf)


def table_of(genesis: Message, folder: Folder | None = None, fresh: bool = False) -> Table:
    """The table of a genesis, over this program's pack or, with the overlay of a folder, over the pack corrected by it.

    Raises FolderError where rules or data are others. ``fresh``: see :func:`agreed_pack`.
    """
    return table_for(genesis.body, folder, fresh)


def table_for(body: Mapping[str, Any], folder: Folder | None = None, fresh: bool = False) -> Table:
    """The table of an offer or genesis. Raises FolderError where rules, data, scenario or switches are not ours, and
    ProtocolError for terms that are played otherwise (:func:`check_terms`)."""
    return shelf_of(body, folder, fresh).first.table


def shelf_of(body: Mapping[str, Any], folder: Folder | None = None, fresh: bool = False) -> RuleShelf:
    """The rules sets of a game, that of its offer or genesis made ready. Raises as :func:`table_for`."""
    try:
        rules = rules_for(body)
        pack = agreed_pack(rules, body, folder, fresh)
        check_terms(rules, pack, body)
        laid = folder is not None and folder.overlay.is_file()
        overlay = folder.overlay.read_text("utf-8") if folder is not None and laid else ""
        first = RuleSet(rules.system, str(body["scenario"]), rules.version, _switches(body), pack, overlay)
        first.table  # noqa: B018 - made now, so that its faults are told here
        return RuleShelf(folder, body, first, fresh)
    except ValueError as error:
        raise FolderError(f"this game can't be played with this program: {error}") from None


def _switches(body: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    switches = body["switches"] if isinstance(body["switches"], dict) else {}
    return tuple(sorted((name, str(value)) for name, value in switches.items()))


def agreed_pack(rules: Rules, body: Mapping[str, Any], folder: Folder | None = None, fresh: bool = False) -> Pack:
    """The pack that an offer or genesis names: this program's own, or that with the overlay of a folder over it.

    Raises FolderError where it is neither. With ``fresh`` a corrected pack is compiled anew, not taken from the folder.
    """
    wanted = str(body["pack"])
    if folder is not None and folder.overlay.is_file():
        return pack_beside(folder, rules, wanted, fresh)
    pack = pack_of(rules.system, rules.version)
    check_pack(pack, wanted)
    return pack


def rules_for(body: Mapping[str, Any]) -> Rules:
    """The rules that an offer or genesis names. Raises UnknownSystem, and FolderError for a version that this program
    does not have."""
    system, version = str(body["system"]), str(body["version"])
    known = versions(system)
    if version in map(str, known):
        return game(system, int(version))
    plays = f"version{'s' if len(known) > 1 else ''} {' and '.join(map(str, known))}"
    raise FolderError(
        f"the game was begun under version {version:.20} of the rules of {system}, this program has {plays}; use a "
        "program of that version, or a newer one that still plays it"
    )


def check_pack(pack: Pack, wanted: str) -> None:
    """Raise FolderError unless a pack has the digest that an offer or genesis names.

    The digest of the compiled file's bytes decides; the tree is hashed only where that differs, since it is slow.
    """
    from adjudicator.protocol.rules import canonical_digest, pack_digest

    if canonical_digest(pack.data) != wanted and pack_digest(pack.tree) != wanted:
        raise FolderError(
            f"the game was begun with other data of {pack.system} (pack {wanted[:12]}, this program has "
            f"{pack_digest(pack.tree)[:12]}); use the version of the program both players agreed on, and where they "
            f"agreed on an overlay, put its file beside the log as {OVERLAY_FILE}"
        )
