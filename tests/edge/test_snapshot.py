"""The memories of two trees: read once, kept for the next time, and of use to a search afterwards."""

from __future__ import annotations

import pytest

from curator.core import vetting
from curator.edge import index, snapshot, store
from tests.conftest import Repo


def test_what_was_only_looked_at_is_found_by_a_search_once_it_is_checked_out(base: Repo) -> None:
    base.git("checkout", "-q", "-b", "feature")
    base.memory("zebra", "The zebra crossing is painted twice.")
    base.commit("zebra")
    base.git("checkout", "-q", "main")
    store.load(base.workspace)
    snapshot.both(base.workspace, "main", "feature")
    base.git("checkout", "-q", "feature")
    ran = base.curator("recall", "zebra crossing")
    assert "painted twice" in ran.output


def test_files_are_parsed_once_whichever_side_they_are_on(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    base.write("memories/curator.yaml", "schema: 1\n")
    base.commit("settings")
    base.git("checkout", "-q", "-b", "feature")
    base.memory("b", "Another rule of its own.")
    base.commit("b")
    first = snapshot.both(base.workspace, "main", "feature")

    def never(*_: object) -> None:
        raise AssertionError("read again")

    monkeypatch.setattr(vetting, "vet", never)
    monkeypatch.setattr(store, "settings_of", never)
    assert [one.entries for one in snapshot.both(base.workspace, "main", "feature")] == [one.entries for one in first]


def test_many_files_are_looked_up_together_and_come_to_the_same(base: Repo) -> None:
    for number in range(600):
        base.memory(f"m{number}", f"Rule number {number} names thing_{number}.")
    base.commit("many")
    _, after = snapshot.both(base.workspace, "HEAD~1", "HEAD")
    cache = index.open(base.workspace)
    wanted = store.files(after.tree, after.config)
    together = cache.known(wanted)
    assert together == {pair: one for pair in wanted for one in cache.known([pair]).values()}
    assert len(together) == 601
    again = snapshot.both(base.workspace, "HEAD~1", "HEAD")[1]
    assert (again.entries, again.bags, again.costs) == (after.entries, after.bags, after.costs)


def test_the_earlier_tree_is_what_git_says_it_is(base: Repo) -> None:
    base.write("src/a.py", "a = 1\n")
    base.commit("a")
    base.git("mv", "src/a.py", "src/b.py")
    (base.root / "CLAUDE.md").unlink()
    base.memory("a", "Run pytest with two flags.")
    base.commit("changes")
    before, after = snapshot.both(base.workspace, "HEAD~1", "HEAD")
    assert set(before.tree.files) == set(base.git("ls-tree", "-r", "--name-only", "HEAD~1").split())
    assert set(after.tree.files) == set(base.git("ls-tree", "-r", "--name-only", "HEAD").split())
    assert [one.text for one in before.entries] == ["Run pytest with -q."]
    base.write("staged.txt", "x\n")
    base.add()
    before, after = snapshot.both(base.workspace, "HEAD~1", "")
    assert "staged.txt" in after.tree.files
    assert set(before.tree.files) == set(base.git("ls-tree", "-r", "--name-only", "HEAD~1").split())
