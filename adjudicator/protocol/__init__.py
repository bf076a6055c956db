"""pbem1: signed turns, dice opened by the opponent, sealed books, face-down decks, verification. Knows no game.

The package could be lifted out: it imports `adjudicator.turnfile` and nothing else of the program.

Public API
----------
`verdicts`   `Verdict` (code, seq, text, way out), `ProtocolError`, the table of codes
`resolve`    `Resolver` (what a game implements), `DeskResolver` (a game with books or decks), `Resolution`,
             `Resolved`, the invariants I1, I2, I3, state digest
`layout`     `Layout`, `DeckForm`: which books and decks a game has
`desk`       `Desk`: dice, topics, draws, transfers of one resolution, for a `DeskResolver`; `Topic`
`piles`      `Pile` (handles, zones, opened attributes), `Owed`, `Use`, `Transfer`: what a message owes by its orders
`message`    `Message` (body, signature, id), `Message.of(body, sig)`
`log`        `read_turn`, `write_turn` (YAML files), `read_line`, `write_line`, `read_log` (log.jsonl), `LazyBodies`
`genesis`    `Terms`, `make_offer`, `complete_offer`, `check_genesis`, `same_offer`, `game_id`
`keys`       `SigningKey` (make, load, save), `public_raw`, `check_public_key`
`sshsig`     `sign`, `verify` (armored SSHSIG, namespace pbem1)
`secret`     `Secret` (K_game, cid, links, nonce, public key; private file), `Secret.fresh`
`own`        `OwnBooks` (contents of sealed books; private file), `seal`, `OwnDecks` (faces of own cards, from K_game)
`compose`    `compose_body`, `Extras` (books, history, rekey, reanchor, upgrade, end, ..), `compose_lost`,
             `compose_bare` (unattended, without the secret), `head_statement`, `sign_body`
`verifier`   `Verifier`: receive, check, retry, open_head, proves_fork, export, restore, and what is known
`ending`     `ended_by`: whether a message ends the game by itself
`dice`       `Dice` (roll, pick, shuffle by label on one seed), `seed_of`
`labels`     `check_label`, `is_label`
`rules`      `pack_digest`, `rules_hash`
`chain`, `hashing`, `books`, `decks`, `tokens`: the formulas; `checkpoint`, `history`, `court`, `checks`, `forms`,
`housekeeping`, `openings`: parts of the verifier

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

Books and decks
---------------
A game with hidden things is a `DeskResolver`: its `layout` names books and decks, `resolve_at(desk, bodies)` asks the
desk for topics (`desk.topic(side, book, topic)`: None is a stop), draws and moves cards, and puts
`desk.books_position()` and `desk.decks_position()` into its position as `books` and `decks`; `owed` says which
openings and transfers a message brings by its orders.

    own = OwnBooks.load(path)
    new = seal(verifier, "axis", secret, {"sheet": {"losses": ["u2", "u1"]}}); own.add(new); own.save(path)
    body = compose_body(verifier, "axis", secret, orders, entropy, extras=Extras(books=new, own=own))

`compose_body` opens what is demanded, shows what is owed, makes transfers and final openings by itself.

The end
-------
When a resolution says `over`, or a message resigns or accepts a draw (`ended_by`), the next two messages carry `final`
and no orders (`compose_body` writes it), then the log is closed. The resolver is asked for the first of them, too.
"""
