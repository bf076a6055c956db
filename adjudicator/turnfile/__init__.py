"""Turn files: strict YAML with places, canonical bytes, and the writer (PROTOCOL 3.2). Knows no game.

    from adjudicator.turnfile.reader import read, ReadError
    try:
        document = read(path.read_bytes())            # adjudicator.turnfile.reader.Document
    except ReadError as error:                        # every fault found, each with line, column and hint
        print(error.show("my.turn"))
    orders = document.root.get("orders")              # nodes.Sequence of nodes.Mapping; each node has .pos
    plain = tree_map(document.root)                   # str / list / dict

Modules: `nodes` (typed tree, `tree`, `tree_map`, `from_tree`), `reader` (`read`), `canon` (`canon`,
`canon_body`, `parse`), `writer` (`write`, `write_turn`), `armor` (base64 for mailers), `whitelist`.
None of them imports cryptography.
"""
