from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from curator.core import keys, rank, scoring
from curator.edge import database, index, version
from curator.edge.index import Cache, Mark, Parsed
from curator.model import Config, Entry, Fault, Finding, Origin, Recall, Retired, Source, Workspace
from tests.conftest import Repo

ROOT = Path(__file__).parents[2]
WORDS = "pool size default client money amount minor float cents rounding Größe 設定値 flaky test retry".split()


@pytest.fixture
def here(tmp_path: Path) -> Workspace:
    """A git folder without a cache."""
    git = tmp_path / "git"
    git.mkdir()
    return Workspace(str(tmp_path), str(git), str(git))


def entry(name: str, text: str = "", **more: object) -> Entry:
    made = Entry(name, "gotcha", text or f"alpha {name}", path=f"memories/gotcha/{name}.yaml")
    return replace(made, **more)  # type: ignore[arg-type]


def parsed(entry: Entry, blob: str = "b1") -> Parsed:
    return Parsed(entry.path, blob, entry)


def some(count: int) -> list[Parsed]:
    """Entries that share words, one retired, and a file that is none."""
    entries = [
        entry(
            f"m{number:03}",
            " ".join(WORDS[(number + step * step) % len(WORDS)] for step in range(6)) + f" id_{number}",
            importance=1 + number % 10,
            sources=(Source(f"src/{WORDS[number % 5]}.py", symbol="Pool.open"),),
            origin=Origin(created=f"2026-01-{1 + number % 28:02}T00:00:00Z", confidence=0.5),
            expires="2030-01-01" if number % 7 == 0 else "",
            retired=Retired("2026-02-02", "wrong") if number == 1 else None,
        )
        for number in range(count)
    ]
    bad = Finding(Fault.INVALID, "memories/gotcha/z\udcff.yaml:3", "no text", "write one")
    return [*map(parsed, entries), Parsed("memories/gotcha/z\udcff.yaml", "b2", None, (bad,))]


def path_of(here: Workspace) -> Path:
    return Path(here.git_dir) / "curator" / "index.db"


def beside(here: Workspace) -> list[str]:
    return sorted(one.name for one in path_of(here).parent.iterdir())


def at(stamp: str) -> Mark:
    """A state of git."""
    return Mark(stamp, f"digest of {stamp}")


def built(here: Workspace, files: list[Parsed], config: Config | None = None, stamp: str = "one") -> Cache:
    return index.weigh(here, index.save(here, index.open(here), at(stamp), config or Config(), files))


def search(cache: Cache, text: str = "pool size") -> list[tuple[str, float]]:
    """Ids and scores of the hits."""
    scores = scoring.score(cache.postings, scoring.query([text], ["src/pool.py"], Recall()))
    hits = scoring.hits(scores, cache.prior_ranks())
    entries = cache.entry_at(ordinal for ordinal, _ in hits)
    documents = cache.documents(ordinal for ordinal, _ in hits)
    assert [(one.id, one.text, one.expires) for one in documents] == [(e.id, e.text, e.expires) for e in entries]
    return [(one.id, score) for one, (_, score) in zip(documents, hits, strict=True)]


def everything(cache: Cache) -> tuple[object, ...]:
    return cache.stamp, cache.config(), list(cache.records()), cache.weighed, search(cache), cache.memo("key")


# What is kept


def test_what_was_saved_is_there_in_the_next_process(here: Workspace) -> None:
    files = some(30)
    config = Config(half_lives={"gotcha": 7}, recall=Recall(limit=3))
    made = built(here, files, config)
    again = index.open(here)
    assert everything(made) == everything(again)
    assert (again.stamp, again.config(), list(again.records())) == ("one", config, files)
    assert again.weighed


def test_a_search_gives_what_the_ranking_gives_without_a_cache(here: Workspace) -> None:
    files = some(30)
    active = rank.active([one.entry for one in files if one.entry])
    words = {term: (o, w) for term, o, w in rank.weigh(rank.counts(one)[0] for one in active)}
    grams = {term: (o, w) for term, o, w in rank.weigh(rank.counts(one)[1] for one in active)}

    def lookup(kind: str, terms: Iterable[str]) -> dict[str, scoring.Posting]:
        held = words if kind == scoring.WORDS else grams
        return {term: held[term] for term in terms if term in held}

    scores = scoring.score(lookup, scoring.query(["pool size"], ["src/pool.py"], Recall()))
    expected = [(active[o].id, s) for o, s in scoring.hits(scores, rank.prior_ranks(active, Config()))]
    assert search(built(here, files)) == expected
    assert len(expected) > 10
    assert "m001" not in dict(expected)


def test_known_files_are_reused_after_a_switch_of_branches(here: Workspace) -> None:
    old, new = parsed(entry("a", "old"), "b1"), parsed(entry("a", "new"), "b2")
    index.save(here, index.open(here), at("one"), Config(), [old])
    cache = index.save(here, index.open(here), at("two"), Config(), [new])
    pairs = [(old.path, "b1"), (old.path, "b2"), (old.path, "b3"), ("elsewhere", "b1")]
    assert cache.known(pairs) == {(old.path, "b1"): old, (old.path, "b2"): new}
    assert list(cache.records()) == [new]


def test_files_that_are_not_listed_go_when_they_are_more_than_twice_the_listed(here: Workspace) -> None:
    versions = [parsed(entry("a", f"version {number}"), f"b{number}") for number in range(4)]
    known = []
    for one in versions:
        cache = index.save(here, index.open(here), at(one.blob), Config(), [one])
        known.append(len(cache.known((one.path, one.blob) for one in versions)))
    assert known == [1, 2, 3, 1]


def test_documents_of_old_weights_outlive_their_listing(here: Workspace) -> None:
    old = entry("a", "pool size")
    cache = built(here, [parsed(old)])
    for number in range(5):
        cache = index.save(here, cache, at(str(number)), Config(), [parsed(entry("b", str(number)), f"b{number}")])
    assert not cache.weighed
    assert cache.entry_at([0]) == [old]


def test_weights_stay_while_the_active_entries_stay(here: Workspace) -> None:
    files = some(5)
    built(here, files)
    same = index.save(
        here, index.open(here), at("two"), Config(), [*files, Parsed("memories/gotcha/bad.yaml", "b", None)]
    )
    assert same.weighed
    assert search(same) == search(built(here, files))
    more = index.save(here, same, at("three"), Config(), [*files, parsed(entry("new", "pool"))])
    assert not more.weighed
    assert search(more) == search(same)
    assert "new" in dict(search(index.weigh(here, more)))


def test_a_reworded_entry_puts_the_weights_out_of_date(here: Workspace) -> None:
    built(here, [parsed(entry("a", "pool"), "b1")])
    assert not index.save(here, index.open(here), at("two"), Config(), [parsed(entry("a", "size"), "b2")]).weighed


def test_a_changed_half_life_changes_the_prior_ranks_without_new_weights(here: Workspace) -> None:
    old = entry("old", importance=9, origin=Origin(created="2026-01-01"))
    files = [parsed(entry("new", origin=Origin(created="2026-07-01"))), parsed(old)]
    assert list(built(here, files).prior_ranks()) == [0.0, 1.0]
    changed = index.save(here, index.open(here), at("two"), Config(half_lives={"gotcha": 10}), files)
    assert changed.weighed
    assert list(changed.prior_ranks()) == [1.0, 0.0]


def test_memos_last_until_the_next_save(here: Workspace) -> None:
    cache = index.remember(here, built(here, some(3)), {"key": "täxt \udcff\n", "other": ""})
    assert (cache.memo("key"), cache.memo("other"), cache.memo("none")) == ("täxt \udcff\n", "", None)
    assert index.remember(here, index.open(here), {"key": "new"}).memo("key") == "new"
    assert index.open(here).memo("other") == ""
    assert index.save(here, index.open(here), at("two"), Config(), some(3)).memo("key") is None


def test_a_private_cache_leaves_the_file_alone(here: Workspace) -> None:
    built(here, some(3))
    before = path_of(here).read_bytes()
    private = index.save(here, index.open(here), at("two"), Config(), some(5), keep=False)
    private = index.remember(here, index.weigh(here, private, keep=False), {"key": "x"}, keep=False)
    assert (private.stamp, private.memo("key"), len(list(private.records()))) == ("two", "x", 6)
    assert path_of(here).read_bytes() == before


def test_no_entries_at_all_are_a_cache_too(here: Workspace) -> None:
    cache = built(here, [])
    assert (cache.stamp, cache.weighed, list(cache.records()), search(cache)) == ("one", True, [], [])


@pytest.mark.parametrize("name", ["a b", "what?", "50%25", "#1", "ünï", "non-utf8-\udcff"])
def test_a_folder_may_have_any_name(tmp_path: Path, name: str) -> None:
    git = tmp_path / name
    git.mkdir()
    built(Workspace(str(tmp_path), str(git), str(git)), some(3))
    assert index.open(Workspace(str(tmp_path), str(git), str(git))).stamp == "one"
    assert [one.name for one in git.iterdir()] == ["curator"]


def test_reading_makes_no_folder(here: Workspace) -> None:
    assert index.open(here).stamp == ""
    assert list(Path(here.git_dir).iterdir()) == []


# A file that is of no use


def foreign_database(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE bookmarks (url)")
    db.close()


def foreign_meta(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE meta (key, value)")
        db.execute("INSERT INTO meta VALUES ('format', 'x'), ('stamp', 3)")
    db.close()


def journalled(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("CREATE TABLE meta (key, value)")
    db.close()


UNUSABLE: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "garbage": lambda path: path.write_bytes(os.urandom(9000)),
    "text": lambda path: path.write_text("hello\n" * 2000),
    "header only": lambda path: path.write_bytes(b"SQLite format 3\0" + bytes(84)),
    "foreign": foreign_database,
    "foreign meta": foreign_meta,
    "write-ahead log": journalled,
    "folder": lambda path: path.mkdir(),
    "dangling link": lambda path: path.symlink_to("nowhere"),
}


@pytest.mark.parametrize("kind", UNUSABLE)
def test_a_file_of_no_use_counts_as_empty_and_is_replaced(here: Workspace, kind: str) -> None:
    path_of(here).parent.mkdir()
    UNUSABLE[kind](path_of(here))
    cache = index.open(here)
    assert (cache.stamp, cache.weighed, cache.config(), list(cache.records())) == ("", False, None, [])
    assert cache.known([("memories/a.yaml", "b")]) == {}
    made = built(here, some(10))
    assert made.stamp == "one"
    assert len(search(made)) > 3
    assert index.open(here).stamp == ("" if kind == "folder" else "one")


def test_entries_are_known_by_the_key_of_their_text_and_by_the_one_they_were_proposed_under(here: Workspace) -> None:
    (plain, other, *rest) = some(4)
    assert other.entry
    ended = replace(
        other.entry, origin=Origin(key="0123456789ab", session="5d0c77e1"), retired=Retired("2026-01-02", "x")
    )
    cache = built(here, [plain, Parsed(other.path, "other-blob", ended), *rest])
    assert plain.entry
    found = cache.known_key(keys.key("default", plain.entry.text))
    assert found is not None
    assert (found.path, found.id, found.retired) == (plain.entry.path, plain.entry.id, False)
    for key in ("0123456789ab", keys.key("default", ended.text)):
        known = cache.known_key(key)
        assert known is not None
        assert (known.id, known.session, known.seen, known.retired, known.entry) == (
            ended.id,
            "5d0c77e1",
            1,
            True,
            ended,
        )
    assert cache.known_key(keys.key("elsewhere", plain.entry.text)) is None
    fewer = built(here, rest)
    assert fewer.known_key("0123456789ab") is None


def test_a_file_of_other_code_counts_as_empty(here: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    built(here, some(3))
    with monkeypatch.context() as patch:
        patch.setattr(version, "current", lambda: 7)
        patch.setattr(version, "facts", lambda: "elsewhere")
        assert index.open(here).stamp == ""
    assert index.open(here).stamp == "one"


def test_a_changed_module_makes_the_file_foreign(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "curator", tmp_path / "curator")
    changed = tmp_path / "curator" / "core" / "words.py"

    def form() -> bytes:
        command = [sys.executable, "-c", "from curator.edge import version; print(version.current())"]
        return subprocess.run(command, cwd=tmp_path, check=True, capture_output=True).stdout

    before = form()
    changed.write_text(changed.read_text("utf-8") + "# one more byte\n", encoding="utf-8")
    assert form() != before == form_of_this_tree()


def test_code_that_was_touched_and_not_changed_leaves_the_file_of_use(
    here: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    built(here, some(3))
    with monkeypatch.context() as patch:
        patch.setattr(version, "facts", lambda: "elsewhere")
        assert index.open(here).stamp == "one"


def test_code_that_is_where_it_was_is_not_read_again(here: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    built(here, some(3))
    with monkeypatch.context() as patch:
        patch.setattr(version, "current", lambda: 1 // 0)
        assert index.open(here).stamp == "one"


def form_of_this_tree() -> bytes:
    return f"{version.current()}\n".encode()


def readable(here: Workspace, expected: tuple[object, ...]) -> bool:
    """Whether a file is read, which it may only be with the right content; else it is empty or Damaged.

    The one thing that may be wrong is the search: a term whose name was hit is not found.
    """
    cache = index.open(here)
    if not cache.stamp:
        return False
    try:
        found = everything(cache)
    except index.Damaged:
        assert index.save(here, cache, at("two"), Config(), some(5)).stamp == "two"
        return False
    assert found[:3] == expected[:3]
    return True


@pytest.mark.parametrize("share", [0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.999])
def test_a_truncated_file_is_never_read_wrong(here: Workspace, share: float) -> None:
    expected = everything(built(here, some(40)))
    data = path_of(here).read_bytes()
    path_of(here).write_bytes(data[: int(len(data) * share)])
    assert not readable(here, expected) or share > 0.99  # a few unused bytes of the last page
    assert everything(built(here, some(40))) == expected


def test_a_changed_byte_is_never_read_wrong(here: Workspace) -> None:
    expected = everything(index.remember(here, built(here, some(12)), {"key": "value"}))
    data = path_of(here).read_bytes()
    read = 0
    for at in range(0, len(data), 211):
        path_of(here).write_bytes(data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :])
        read += readable(here, expected)
    assert 0 < read < len(data) / 211


def test_names_that_are_no_utf_8_make_a_file_of_no_use(here: Workspace) -> None:
    built(here, some(3))
    data = path_of(here).read_bytes()
    assert data.count(b"tablemetameta") == 1
    path_of(here).write_bytes(data.replace(b"tablemetameta", b"table\xec\xectameta"))
    assert index.open(here).stamp == ""


def test_a_lost_row_of_the_listing_is_noticed(here: Workspace) -> None:
    built(here, some(5))
    with sqlite3.connect(path_of(here)) as db:
        db.execute("DELETE FROM listing WHERE ordinal = 2")
    db.close()
    with pytest.raises(index.Damaged):
        list(index.open(here).records())


def test_weights_cannot_be_made_of_lost_counts(here: Workspace) -> None:
    index.save(here, index.open(here), at("one"), Config(), some(5))
    with sqlite3.connect(path_of(here)) as db:
        db.execute("DELETE FROM counts WHERE file = 3")
    db.close()
    with pytest.raises(index.Damaged):
        index.weigh(here, index.open(here))
    assert beside(here) == ["index.db"]


# Where nothing can be written


def in_memory(here: Workspace) -> None:
    cache = built(here, some(20))
    assert (cache.stamp, cache.weighed, len(list(cache.records()))) == ("one", True, 21)
    assert len(search(cache)) > 5
    assert index.remember(here, cache, {"key": "x"}).memo("key") == "x"


def test_with_a_file_in_place_of_the_folder_it_goes_on_in_memory(here: Workspace) -> None:
    path_of(here).parent.write_text("in the way")
    in_memory(here)
    assert path_of(here).parent.read_text() == "in the way"


@pytest.mark.parametrize("call", ["open", "replace", "fsync", "makedirs"])
def test_with_a_failing_system_call_it_goes_on_in_memory(
    here: Workspace, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    version.current()

    def fails(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    with monkeypatch.context() as patch:
        patch.setattr(os, call, fails)
        in_memory(here)
    assert not path_of(here).exists()
    assert not path_of(here).parent.exists() or beside(here) == []


FULL = """
import resource, signal, sys
from curator.edge import index
from curator.model import Config, Workspace
from tests.edge.test_index import at, search, some
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
here = Workspace(sys.argv[1], sys.argv[1] + "/git", sys.argv[1] + "/git")
for size in (0, 4096, 20_000, 50_000):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    cache = index.weigh(here, index.save(here, index.open(here), at("two"), Config(), some(60)))
    assert cache.stamp == "two" and cache.weighed and search(cache)
"""


def test_with_a_full_disk_the_old_file_stays_and_it_goes_on_in_memory(here: Workspace) -> None:
    built(here, some(3))
    before = path_of(here).read_bytes()
    subprocess.run([sys.executable, "-c", FULL, here.root], cwd=ROOT, check=True)
    assert path_of(here).read_bytes() == before
    assert beside(here) == ["index.db"]


# Several processes


BUILD = """
import os, sys
from curator.edge import index
from curator.model import Config, Workspace
from tests.edge.test_index import at, everything, some
here = Workspace(sys.argv[1], sys.argv[1] + "/git", sys.argv[1] + "/git")
print("ready", flush=True)
sys.stdin.readline()
for turn in range(6):
    cache = index.weigh(here, index.save(here, index.open(here), at("one"), Config(), some(30 + turn)))
    assert len(list(cache.records())) == 31 + turn and cache.weighed
print(everything(cache))
"""


def start(here: Workspace, program: str, **more: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", program, here.root],
        cwd=ROOT,
        env={**os.environ, **more},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )


def test_me_07_processes_that_build_at_once_with_any_hash_seed_agree(here: Workspace) -> None:
    running = [start(here, BUILD, PYTHONHASHSEED=seed) for seed in ("0", "1", "2")]
    for process in running:
        assert process.stdout and process.stdout.readline() == b"ready\n"
    for process in running:
        assert process.stdin
        process.stdin.write(b"go\n")
        process.stdin.flush()
    outputs = [process.communicate()[0] for process in running]
    assert [process.returncode for process in running] == [0, 0, 0]
    assert len(set(outputs)) == 1
    assert outputs[0].decode() == f"{everything(index.open(here))}\n"
    assert beside(here) == ["index.db"]


def test_a_reader_keeps_the_state_it_opened_while_a_writer_replaces_the_file(here: Workspace) -> None:
    built(here, some(30))
    reader = index.open(here)
    before = everything(reader)
    records = reader.records()
    next(records)
    built(here, some(60), stamp="two")
    assert len(list(records)) == 30
    assert everything(reader) == before
    assert index.open(here).stamp == "two"


def test_a_reader_waits_for_no_lock(here: Workspace) -> None:
    built(here, some(3))
    db = sqlite3.connect(path_of(here))
    db.execute("BEGIN EXCLUSIVE")
    assert index.open(here).stamp == "one"
    db.close()


CRASH = """
import os, signal, sys
from curator.edge import index
from curator.model import Config, Workspace
from tests.edge.test_index import at, some
here = Workspace(sys.argv[1], sys.argv[1] + "/git", sys.argv[1] + "/git")
os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
index.save(here, index.open(here), at("two"), Config(), some(5))
"""


def test_a_killed_writer_leaves_the_old_file_and_the_next_one_tidies_up(here: Workspace) -> None:
    built(here, some(3))
    before = path_of(here).read_bytes()
    assert subprocess.run([sys.executable, "-c", CRASH, here.root], cwd=ROOT).returncode == -9
    assert path_of(here).read_bytes() == before
    assert len(beside(here)) == 2
    index.save(here, index.open(here), at("three"), Config(), some(4))
    assert beside(here) == ["index.db"]
    assert index.open(here).stamp == "three"


def test_a_writer_at_work_is_not_tidied_away(here: Workspace) -> None:
    index.save(here, index.open(here), at("one"), Config(), some(3))
    inner: list[str] = []

    def fill(db: sqlite3.Connection) -> None:
        db.execute("CREATE TABLE slow (x)")
        index.save(here, index.open(here), at("two"), Config(), some(4))
        inner.extend(beside(here))

    database.replace(str(path_of(here)), fill).close()
    assert len(inner) == 2
    assert beside(here) == ["index.db"]
    assert index.open(here).stamp == ""


# What a search costs


LIGHT = """
import sys
before = set(sys.modules)
from curator.edge import index
from curator.model import Workspace
here = Workspace(sys.argv[1], sys.argv[1] + "/git", sys.argv[1] + "/git")
cache = index.open(here)
assert cache.stamp == "one" and cache.weighed and cache.memo("x") is None
found = cache.postings("words", ["pool", "nowhere"])
ordinals, weights = found["pool"]
assert list(found) == ["pool"] and len(ordinals) == len(weights) and len(cache.prior_ranks()) > max(ordinals)
assert cache.documents(ordinals)[0].text
print(*sorted(name.partition(".")[0] for name in set(sys.modules) - before))
"""
HEAVY = {"yaml", "numpy", "rank_bm25", "git", "click", "jinja2", "json", "hashlib", "subprocess", "pathlib"}


def test_a_search_loads_no_heavy_module(here: Workspace) -> None:
    built(here, some(30))
    command = [sys.executable, "-S", "-c", LIGHT, here.root]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    assert not HEAVY & set(done.stdout.split())


def test_a_pipe_in_the_place_of_the_cache_is_no_cache_and_is_not_waited_for(base: Repo) -> None:
    path = base.root / ".git/curator/index.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(path)
    assert index.open(base.workspace).stamp == ""
