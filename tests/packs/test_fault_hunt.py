"""A hunt for faults the checker might miss: some four hundred, planted in every file of the pack, each of which it must
show with file, line and a way to mend it; and files of every wrong form, which must never end in a traceback."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml

from adjudicator.packs import files as pack_files
from adjudicator.packs.check import check_pack
from adjudicator.packs.reading import Record, read
from adjudicator.packs.western_desert import check_beside, printed
from tests.cli.conftest import cli
from tests.packs.support import FOLDER

Planted = dict[str, str]
PLANTED: list[Planted] = yaml.load(
    (Path(__file__).parent / "planted.yaml").read_text(encoding="utf-8"), Loader=yaml.BaseLoader
)["faults"]
FILES = sorted(
    path.relative_to(FOLDER).as_posix()
    for path in [*FOLDER.glob("*.yaml"), *FOLDER.glob("scenarios/*.yaml"), FOLDER / "coastline.json"]
)
PARSED: dict[tuple[str, bytes], Record] = {}


def read_once(path: Path, shown: str) -> Record:
    """Files that stay as they are, parsed once; nothing changes a record."""
    key = (shown, path.read_bytes() if path.is_file() else b"")
    if not key[1]:
        return read(path, shown)
    if key not in PARSED:
        PARSED[key] = read(path, shown)
    return PARSED[key]


@pytest.fixture(autouse=True)
def parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (pack_files, check_beside, printed):
        monkeypatch.setattr(module, "read", read_once)


def groups() -> Iterator[list[Planted]]:
    """Faults of different lines together; one that hides others alone."""
    found: list[list[Planted]] = []
    for fault in PLANTED:
        place = (fault["file"], fault["line"])
        free = (group for group in found if all((f["file"], f["line"]) != place for f in group))
        group = None if fault.get("alone") else next(free, None)
        if fault.get("alone"):
            yield [fault]
        elif group is None:
            found.append([fault])
        else:
            group.append(fault)
    yield from found


def planted(folder: Path, faults: list[Planted]) -> dict[str, int]:
    """A copy of the pack with some faults; the number of the line of each."""
    (folder / "scenarios").mkdir(parents=True)
    lines = {file: (FOLDER / file).read_text(encoding="utf-8").split("\n") for file in FILES}
    sound = {file: list(text) for file, text in lines.items()}
    places = {}
    for fault in faults:
        (index,) = [i for i, line in enumerate(sound[fault["file"]]) if line.startswith(fault["line"])]
        line = lines[fault["file"]][index]
        assert fault["old"] in line, fault
        lines[fault["file"]][index] = line.replace(fault["old"], fault["new"], 1)
        places[fault["what"]] = index + 1
    for file, text in lines.items():
        (folder / file).write_text("\n".join(text), encoding="utf-8")
    return places


@pytest.mark.parametrize("group", list(groups()), ids=lambda group: f"{len(group)}-{group[0]['what']}")
def test_every_planted_fault_is_found(group: list[Planted], tmp_path: Path) -> None:
    places = planted(tmp_path / "western-desert", group)
    found = check_pack(tmp_path / "western-desert")
    shown, files = {(fault.file, fault.line) for fault in found}, {fault.file for fault in found}
    missed = [
        (one["what"], one["file"], places[one["what"]])
        for one in group
        if not (one["elsewhere"] in files if "elsewhere" in one else (one["file"], places[one["what"]]) in shown)
    ]
    assert missed == []


def test_the_hunt_covers_every_file() -> None:
    assert len(PLANTED) > 350
    beside = {"geography.yaml", "georeference.yaml", "vassal-registry.yaml", "coastline.json"}
    printed_too = {"printed.yaml", "printed-charts.yaml"}
    assert {fault["file"] for fault in PLANTED} == set(FILES) - beside - printed_too


def cut(key: str) -> Callable[[bytes], bytes]:
    """Names a list otherwise, so that it is missing."""
    return lambda data: data.replace(f"\n{key}:\n".encode(), f"\n{key}z:\n".encode())


def text_for(key: str, value: str = "none") -> Callable[[bytes], bytes]:
    """Puts a text where a list belongs."""
    return lambda data: data.replace(f"\n{key}:\n".encode(), f"\n{key}: {value}\n{key}z:\n".encode())


COMPASS = "scenarios/compass.yaml"
BOMB = b"".join(b"%c: &%c [%s]\n" % (c, c, b", ".join([b"*%c" % (c - 1)] * 9)) for c in b"bcdefgh")
BROKEN: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    **{f"no {key}": ("map.yaml", cut(key)) for key in ("hexes", "sea", "places", "hexsides", "roads", "borders")},
    **{f"{key} a text": (COMPASS, text_for(key)) for key in ("deploy", "boxes", "victory", "smp", "attack_force")},
    **{f"{key} a mapping": ("counters.yaml", text_for(key, "{a: b}")) for key in ("counters", "markers")},
    "types a text": ("types.yaml", text_for("types")),
    "charts a text": ("charts.yaml", text_for("charts")),
    "events a text": ("events.yaml", text_for("events")),
    "areas a text": ("events.yaml", text_for("areas")),
    "sheets a text": ("pack.yaml", text_for("sheets")),
    "empty": ("counters.yaml", lambda data: b""),
    "a list": ("counters.yaml", lambda data: b"- a\n- b\n"),
    "a text": ("counters.yaml", lambda data: b"hello\n"),
    "bytes": ("counters.yaml", lambda data: bytes(range(256))),
    "UTF-16": ("counters.yaml", lambda data: data.decode().encode("utf-16")),
    "a NUL": ("counters.yaml", lambda data: data.replace(b"69th", b"69\x00th", 1)),
    "a tab": ("counters.yaml", lambda data: data.replace(b"\n- {id: br-69", b"\n\t- {id: br-69", 1)),
    "a key twice": ("events.yaml", lambda data: data + b"\nevents:\n- {id: a}\n"),
    "two documents": ("counters.yaml", lambda data: data + b"\n---\na: b\n"),
    "a bomb of aliases": ("counters.yaml", lambda data: b"a: &a [x, x]\n" + BOMB + data),
    "an alias to itself": ("counters.yaml", lambda data: b"a: &a\n- *a\n" + data),
    "deep nesting": ("counters.yaml", lambda data: data + b"\nz: " + b"[" * 5000 + b"]" * 5000 + b"\n"),
    "a list as a key": ("counters.yaml", lambda data: data + b"\n? [a, b]\n: c\n"),
    "a tag": ("counters.yaml", lambda data: data + b"\nz: !!python/object/apply:os.system [ls]\n"),
    "an open brace": ("counters.yaml", lambda data: data.replace(b"cites: [HIST]}", b"cites: [HIST]", 1)),
    "an open quote": ("counters.yaml", lambda data: data.replace(b"name: 69th", b"name: '69th", 1)),
    "a huge file": ("sources.yaml", lambda data: data + b"# " + b"x" * 16_000_000 + b"\n"),
    "no JSON": ("coastline.json", lambda data: data[:100]),
    "geography malformed": ("geography.yaml", lambda data: data + b"\n\tfoo: [\n"),
    "sectors malformed": ("sectors.yaml", lambda data: data + b"\n\tfoo: [\n"),
    "printed facts gone": ("printed.yaml", cut("ports")),
}


@pytest.mark.parametrize("what", sorted(BROKEN))
def test_file_of_a_wrong_form(what: str, tmp_path: Path) -> None:
    """Told with the name of the file, never by a traceback."""
    folder = tmp_path / "western-desert"
    planted(folder, [])
    file, how = BROKEN[what]
    (folder / file).write_bytes(how((folder / file).read_bytes()))
    result = cli("pack", "check", folder)
    assert result.code in (1, 2)
    assert str(folder / file) + ":" in result.out + result.err
    assert "Traceback" not in result.out + result.err


@pytest.mark.parametrize("file", [file for file in FILES if "/" not in file and "geo" not in file])
def test_missing_file(file: str, tmp_path: Path) -> None:
    if file in ("vassal-registry.yaml", "coastline.json", "pack.yaml"):
        pytest.skip("not needed to play, or what makes a folder a pack")
    folder = tmp_path / "western-desert"
    planted(folder, [])
    (folder / file).unlink()
    assert any(fault.file == file and "put it back" in fault.text for fault in check_pack(folder))


@pytest.mark.parametrize("change", [lambda data: data.replace(b"\n", b"\r\n"), lambda data: b"\xef\xbb\xbf" + data])
def test_ends_of_lines_and_byte_order_marks_are_no_fault(change: Callable[[bytes], bytes], tmp_path: Path) -> None:
    folder = tmp_path / "western-desert"
    planted(folder, [])
    for file in FILES:
        if not file.endswith(".json"):
            (folder / file).write_bytes(change((folder / file).read_bytes()))
    stale = [fault for fault in check_pack(folder) if fault.code != "stale"]
    assert stale == []


def test_the_map_says_what_it_was_made_from(tmp_path: Path) -> None:
    folder = tmp_path / "western-desert"
    planted(folder, [])
    assert check_pack(folder) == []
    place = folder / "geography.yaml"
    place.write_text(place.read_text(encoding="utf-8") + "# another\n", encoding="utf-8")
    (fault,) = check_pack(folder)
    assert (fault.file, fault.code) == ("map.yaml", "stale")
