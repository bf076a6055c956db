"""pbem1: signed turns, dice opened by the opponent, verification (PROTOCOL sections 3 and 4). Knows no game.

The package could be lifted out: it imports `adjudicator.turnfile` and nothing else of the program.

Public API
----------
`verdicts`   `Verdict` (code, seq, text, way out), `ProtocolError`, the table of codes
`resolve`    `Resolver` (what a game implements), `Resolution`, `Resolved`, invariant I1, state digest
`message`    `Message` (body, signature, id), `Message.of(body, sig)`
`log`        `read_turn`, `write_turn` (YAML files), `read_line`, `write_line`, `read_log` (log.jsonl), `LazyBodies`
`genesis`    `Terms`, `make_offer`, `complete_offer`, `check_genesis`, `same_offer`, `game_id`
`keys`       `SigningKey` (make, load, save), `public_raw`, `check_public_key`
`sshsig`     `sign`, `verify` (armored SSHSIG, namespace pbem1)
`secret`     `Secret` (K_game, cid, links, nonce, public key; private file), `Secret.fresh`
`compose`    `compose_body`, `sign_body`
`verifier`   `Verifier`: receive, check, retry, open_head, proves_fork, export, restore, and what is known
`dice`       `Dice` (roll, pick, shuffle by label on one seed), `seed_of`
`labels`     `check_label`, `is_label`
`rules`      `pack_digest`, `rules_hash`
`chain`, `hashing`, `books`, `decks`, `tokens`: the formulas; `checkpoint`, `history`, `checks`: parts of the verifier

A game between two programs
---------------------------
    secret_a = Secret.fresh(key_a.public); secret_b = Secret.fresh(key_b.public)
    terms = Terms(title="Demo", system="western-desert", scenario="compass", version=1,
                  pack=pack_digest(pack), switches={}, first="axis")
    offer = make_offer(terms, secret_a.player("alice", "axis"))          # a mails this (no signature)
    genesis = sign_body(complete_offer(offer, secret_b.player("bob", "allies")), key_b)   # b mails this

    verifier = Verifier(genesis, resolver)                               # both; ProtocolError if it is no genesis
    body = compose_body(verifier, "axis", secret_a, orders=[], entropy=os.urandom(32))
    message = sign_body(body, key_a)
    verdict = verifier.receive(message)                                  # a's own verifier first, then b's
    assert verdict.ok, verdict.show()                                    # verdict.code, .seq, .text, .way_out

    # b now holds the key of the dice of message 1 and may look before he writes:
    resolved = verifier_b.open_head(secret_b.link(verifier_b.next_link("allies")))
    resolved.resolution.events, resolved.resolution.position, resolved.digest

    state = verifier.export()                                            # plain tree: cache it in the game folder
    verifier = Verifier.restore(state, genesis, LazyBodies(lines), resolver)   # no signature is checked again

The resolver is called once for every n, in order n = 0, 1, 2, ..; after `restore` it goes on with
`verifier.resolved + 1`, so a game that keeps state must be restored to the same n. What it raises is a
*halt* (`verifier.failed` names seq and code), never a reject.

Sections 5 to 8 of the protocol (books, decks, housekeeping, resignation) are not built in this version: their
fields are known by name and refused (`fields.NOT_BUILT`). One part of section 7 is, because a game could not
close without it: when a resolution says `over`, the next two messages carry an empty `final` and no orders
(`compose_body` writes it), then the log is closed. The resolver is asked for the first of them, too.
"""
