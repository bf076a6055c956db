"""Every block of the vectors that concerns sections 3 and 4, and the formulas of books and decks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from adjudicator.protocol import books, decks, dice, hashing, sshsig, tokens
from adjudicator.protocol.chain import below, chain_top, link_at
from adjudicator.protocol.keys import check_public_key, key_fault, public_line
from adjudicator.protocol.message import message_id
from adjudicator.protocol.resolve import state_digest
from adjudicator.protocol.rules import pack_digest, rules_hash
from adjudicator.protocol.verdicts import ProtocolError
from adjudicator.turnfile.canon import canon, canon_body, parse
from tests.protocol.toy_game import key_of, known, vectors

V = vectors()
GAME = V["game"]
hexed = bytes.fromhex
ALICE, BOB = V["chain"]
CIDS = {"axis": hexed(ALICE["cid"]), "allies": hexed(BOB["cid"])}
SEEDED = {"axis": "alice", "allies": "bob"}


def test_length_prefixes() -> None:
    assert hashing.lp(b"ab", b"", b"c").hex() == "000000026162000000000000000163"


@pytest.mark.parametrize(("name", "chain"), [("alice", ALICE), ("bob", BOB)])
def test_chain(name: str, chain: dict[str, Any]) -> None:
    k_game, cid, links = hexed(chain["k_game"]), hexed(chain["cid"]), chain["n"]
    assert k_game == known(f"{name} game secret") and cid == known(f"{name} cid")[:16]
    assert chain_top(k_game, cid, links).hex() == chain["x"][str(links)]
    for index, link in chain["x"].items():
        assert link_at(k_game, cid, links, int(index)).hex() == link
        if index != "0" and str(int(index) - 1) in chain["x"]:
            assert below(cid, int(index), hexed(link)).hex() == chain["x"][str(int(index) - 1)]


@pytest.mark.parametrize("case", V["rolls"], ids=lambda case: case["label"])
def test_rolls(case: dict[str, Any]) -> None:
    values = dice.roll(hexed(case["seed"]), case["label"], case["sides"], len(case["values"]))
    assert list(values) == case["values"]


@pytest.mark.parametrize("case", V["shuffle"], ids=lambda case: str(case["n"]))
def test_shuffle(case: dict[str, Any]) -> None:
    assert dice.shuffle(hexed(case["seed"]), case["label"], case["n"]) == case["order"]


def test_rules_hash() -> None:
    case = V["rules_hash"]
    assert pack_digest(parse(case["pack"].encode())) == case["pack_digest"]
    switches = json.loads(case["switches"])
    assert rules_hash(case["system"], int(case["version"]), case["pack_digest"], switches) == case["rules"]
    assert rules_hash(case["system"], int(case["version"]), case["pack_digest"], {}) == case["rules_no_switches"]


def test_state_digest() -> None:
    case = V["state_digest"]
    digest = case["game_id"]
    for n in "01":
        digest = state_digest(digest, case[f"events_{n}"].encode(), case[f"position_{n}"].encode())
        assert digest == case[f"digest_{n}"]


@pytest.mark.parametrize("raw", V["small_order_keys"])
def test_small_order_keys(raw: str) -> None:
    assert key_fault(hexed(raw))
    with pytest.raises(ProtocolError, match="E_KEY"):
        check_public_key(public_line(hexed(raw)))


@pytest.mark.parametrize(("raw", "reason"), V["bad_keys"])
def test_bad_keys(raw: str, reason: str) -> None:
    fault = key_fault(hexed(raw))
    assert ("mixed" in fault) == ("mixed" in reason) and fault


def test_good_keys() -> None:
    for name in ("alice", "bob"):
        assert check_public_key(key_of(name).public) == key_of(name).raw_public


def test_older_messages() -> None:
    """Bytes to id, signature, seed and rolls; their fields are of a draft and are not read."""
    case = V["v1_messages"]
    genesis = case["genesis"].encode()
    assert message_id(genesis) == case["game_id"]
    sshsig.verify(genesis, case["genesis_sig"], key_of("bob").raw_public)
    ids, reveals = [case["game_id"]], []
    for number, message in enumerate(case["messages"], 1):
        data = message["canon"].encode()
        assert canon_body(json.loads(data)) == data and message_id(data) == message["id"]
        assert sshsig.sign(data, key_of("alice" if number % 2 else "bob")) == message["sig"]
        ids.append(message["id"])
        reveals.append(hexed(json.loads(data)["reveal"]))
    for seq, seed in case["seeds"].items():
        assert dice.seed_of(int(seq), hexed(ids[int(seq)]), hexed(case["game_id"]), reveals[int(seq)]).hex() == seed
        for label, faces, values in case["rolls"][seq]:
            assert list(dice.roll(hexed(seed), label, faces, len(values))) == values


def test_seal() -> None:
    case = V["seal"]
    leaf = books.sealed_leaf(hexed(case["game"]), case["seq"], case["side"], hexed(case["salt"]), case["payload"])
    assert leaf.hex() == case["commit"] == hashing.merkle_root([leaf]).hex()


def test_book() -> None:
    case = V["book"]
    game = hexed(case["game"])
    key = books.book_key(hexed(case["k_game"]), hexed(case["cid"]), game, case["seq"], case["book"])
    assert key.hex() == case["key"]
    book = books.Book(game, case["seq"], case["side"], case["book"], key, tuple(case["topics"]), case["rules"])
    assert [books.topic_salt(key, topic).hex() for topic in case["topics"]] == case["salts"]
    assert [leaf.hex() for leaf in book.leaves()] == case["leaves"]
    assert book.root() == case["root"]
    assert [book.opening(topic) for topic in case["topics"]] == case["openings"]
    for opening in case["openings"]:
        assert books.opening_root(game, case["side"], opening, case["topics"]) == case["root"]
        for wrong in ({"rules": "other"}, {"path": opening["path"][:-1]}, {"seq": "3"}, {"topic": "nothing"}):
            assert books.opening_root(game, case["side"], {**opening, **wrong}, case["topics"]) != case["root"]


def test_plain_deck() -> None:
    case = V["plain_deck"]
    cid, key = CIDS["axis"], decks.deck_key(hexed(ALICE["k_game"]), CIDS["axis"], case["deck"], case["epoch"])
    epoch = decks.Epoch(cid, case["deck"], case["epoch"], key, (), tuple({"name": card} for card in case["cards"]))
    assert [face["name"] for face in epoch.faces()] == case["faces"]
    assert epoch.root() == case["root"]
    for pos, card, salt, path in case["proofs"]:
        assert (epoch.faces()[pos]["name"], decks.leaf_salt(key, pos).hex(), epoch.path(pos)) == (card, salt, path)
    pile, drawn = list(range(len(case["cards"]))), []
    for number in range(1, 6):
        drawn.append(decks.draw(hexed(case["seed"]), case["deck"], case["epoch"], number, pile))
        pile.remove(drawn[-1])
    assert drawn == case["draw5"]


def test_attribute_deck_with_transfer() -> None:
    case = V["attribute_deck"]
    cid, cards = hexed(case["cid"]), {card["name"]: card for card in case["cards"]}
    epochs = {}
    for number in (1, 2):
        data = case[f"epoch{number}"]
        key = decks.deck_key(hexed(case["k_game"]), cid, case["deck"], number)
        assert key.hex() == data["D"]
        chosen = tuple(cards[name] for name in data["list"])
        epoch = decks.Epoch(cid, case["deck"], number, key, tuple(case["attributes"]), chosen)
        assert [face["name"] for face in epoch.faces()] == data["faces"]
        assert [decks.leaf_salt(key, pos).hex() for pos in range(data["n"])] == data["leaf_salts"]
        salts = [{a: decks.attr_salt(key, a, pos).hex() for a in case["attributes"]} for pos in range(data["n"])]
        assert salts == data["attr_salts"]
        assert [leaf.hex() for leaf in epoch.leaves()] == data["leaves"] and epoch.root() == data["root"]
        epochs[number] = epoch
    moved = [epochs[1].faces()[int(handle.split(".")[1])]["name"] for handle in case["transfer"]["from"]]
    added = [card["name"] for card in case["cards"] if card["year"] == case["transfer"]["add"]]
    assert moved + added == case["epoch2"]["list"] and case["transfer"]["root"] == epochs[2].root()
    for opening in case["openings"]:
        number, pos = (int(part) for part in opening["card"].split("."))
        assert epochs[number].opening(pos, opening["attr"]) == opening
        size, root = case[f"epoch{number}"]["n"], case[f"epoch{number}"]["root"]
        assert decks.opening_root(cid, size, case["attributes"], opening) == root
        for wrong in ({"value": "9"}, {"attr": "year"}, {"others": opening["others"][:1]}, {"card": f"{number}.0"}):
            assert decks.opening_root(cid, size, case["attributes"], {**opening, **wrong}) != root


def test_tokens() -> None:
    case = V["tokens"]
    head, rekey = case["head"], case["rekey"]
    digest = tokens.head_digest(hexed(case["game"]), head["seq"], hexed(head["id"]))
    assert digest.hex() == head["digest"]
    sshsig.verify(digest, head["sig_bob"], check_public_key(head["key_bob"]))
    digest = tokens.rekey_digest(hexed(case["game"]), rekey["seq"], rekey["side"], rekey["key"])
    assert digest.hex() == rekey["digest"]
    sshsig.verify(digest, rekey["proof"], check_public_key(rekey["key"]))


def test_secret_roll() -> None:
    case = V["secret_roll"]
    seed = tokens.secret_roll_seed(hexed(case["v"]), hexed(case["seed"]), hexed(case["game"]), case["seq"])
    assert seed.hex() == case["roll_seed"] and dice.roll(seed, case["label"], 6) == (case["d6"],)


# -- the toy game of twelve messages: everything but its own rules ----------------------------------------------

BODIES: list[dict[str, Any]] = [json.loads(GAME["genesis"]), *(json.loads(one["canon"]) for one in GAME["messages"])]


def test_game_genesis() -> None:
    genesis, data = BODIES[0], GAME["genesis"].encode()
    assert canon_body(genesis) == data and message_id(data) == GAME["game_id"]
    assert pack_digest(parse(GAME["pack"].encode())) == genesis["pack"]
    assert (
        rules_hash(genesis["system"], int(genesis["version"]), genesis["pack"], genesis["switches"]) == genesis["rules"]
    )
    assert sshsig.sign(data, key_of("bob")) == GAME["genesis_sig"]
    for player in genesis["players"].values():
        k_game, cid = hexed(GAME["k_game"][player["side"]]), hexed(player["cid"])
        assert link_at(k_game, cid, int(player["links"]), 0).hex() == player["anchor"]


def test_game_messages() -> None:
    ids = [GAME["game_id"]]
    for seq, message in enumerate(GAME["messages"], 1):
        data, body = message["canon"].encode(), BODIES[seq]
        assert canon_body(body) == data and message_id(data) == message["id"] and body["prev"] == ids[-1]
        assert sshsig.sign(data, key_of(SEEDED[body["side"]])) == message["sig"]
        assert body["entropy"] == known(f"{SEEDED[body['side']]} entropy {seq}").hex()
        link = link_at(hexed(GAME["k_game"][body["side"]]), CIDS[body["side"]], 256, (seq + 1) // 2)
        assert body["reveal"] == link.hex() and body["link"] == str((seq + 1) // 2)
        ids.append(message["id"])


def test_game_seeds_rolls_and_digests() -> None:
    digest, game = GAME["game_id"], hexed(GAME["game_id"])
    ids = [GAME["game_id"], *(message["id"] for message in GAME["messages"])]
    for n, resolved in enumerate(GAME["resolved"]):
        seed = dice.seed_of(n, hexed(ids[n]), game, hexed(BODIES[n + 1]["reveal"]))
        assert seed.hex() == resolved["seed"]
        for label, faces, values in resolved["rolls"]:
            picked = label.startswith(("deck/", "raid/", "intel/"))
            found = [dice.pick(seed, label, faces)] if picked else list(dice.roll(seed, label, faces, len(values)))
            assert found == values, label
        events, position = resolved["events"].encode(), resolved["position"].encode()
        assert canon(json.loads(events)) == events and canon(json.loads(position)) == position
        digest = state_digest(digest, events, position)
        assert digest == resolved["digest"] == BODIES[n + 1]["state"]
        for event in json.loads(events):
            assert event["on"] == str(n) and all(int(seq) <= n for seq in event["by"])


def _topics(book: str) -> list[str]:
    return next(one["topics"] for one in json.loads(GAME["pack"])["books"] if one["book"] == book)


def test_game_topics_lead_to_their_roots() -> None:
    openings = [(body["side"], one) for body in BODIES[1:] for one in body.get("open", []) + body.get("history", [])]
    assert len(openings) == 5
    for side, opening in openings:
        root = BODIES[int(opening["seq"])]["sealed"][opening["book"]]
        assert books.opening_root(hexed(GAME["game_id"]), side, opening, _topics(opening["book"])) == root


def _deck_roots() -> dict[tuple[str, str], tuple[int, str]]:
    listed = [deck for player in BODIES[0]["players"].values() for deck in player["decks"]]
    listed += [deck for body in BODIES[1:] for deck in body.get("decks", [])]
    return {(deck["deck"], deck["epoch"]): (int(deck["n"]), deck["root"]) for deck in listed}


def test_game_cards_lead_to_their_roots() -> None:
    openings = [(body["side"], one) for body in BODIES[1:] for one in body.get("cards", []) + body.get("show", [])]
    assert len(openings) == 5
    for side, opening in openings:
        size, root = _deck_roots()[opening["deck"], opening["card"].split(".")[0]]
        assert decks.opening_root(CIDS[side], size, ("name", "ops", "rp"), opening) == root


def test_game_final_openings_recompute_every_root() -> None:
    game = hexed(GAME["game_id"])
    count = 0
    for body in BODIES[11:]:
        side, k_game = body["side"], hexed(GAME["k_game"][body["side"]])
        for one in body["final"]["books"]:
            key = books.book_key(k_game, CIDS[side], game, int(one["seq"]), one["book"])
            rules = {topic["topic"]: topic["rules"] for topic in one["topics"]}
            book = books.Book(game, int(one["seq"]), side, one["book"], key, tuple(_topics(one["book"])), rules)
            assert key.hex() == one["key"]
            assert book.root() == BODIES[int(one["seq"])]["sealed"][one["book"]]
            count += 1
        for one in body["final"]["decks"]:
            keys = [decks.deck_key(k_game, CIDS[side], one["deck"], epoch).hex() for epoch in (1, 2)]
            assert keys == one["keys"]
    assert count == 5
