"""What git says of changed paths, and where a gone one went."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from curator.edge import changes, listing, plumbing
from curator.edge.changes import Change, Renamed
from curator.edge.plumbing import Tracked
from curator.errors import CuratorError
from tests.conftest import Repo

CODE = "".join(f"line_{number} = {number}\n" for number in range(40))
NAMES = [
    "plain.py",
    "two words.py",
    'quo"te.py',
    "colon:name.py",
    "tab\tname.py",
    "new\nline.py",
    "\nfirst.py",
    "last.py\n",
    "\x01one.py",
    ":(glob)**",
    ":!plain.py",
    "*.py",
    "[a].py",
    "-dash.py",
    "back\\slash.py",
    "\xe9.py",
    "日本.py",
    os.fsdecode(b"latin-\xe9.py"),
]


def blob(repo: Repo, path: str) -> str:
    return plumbing.index(repo.workspace).files[path].blob


def went(repo: Repo, path: str, blob: str = "") -> Renamed:
    """Where *path* went, as `renamed` says; a Renamed without a path where it does not know."""
    here = repo.workspace
    return changes.renamed(here, plumbing.index(here).files, {path: blob}).get(path, Renamed())


def test_added_changed_deleted_and_mode_changed_files_are_told_with_modes_and_blobs(repo: Repo) -> None:
    for name in ("changed", "deleted", "link"):
        repo.write(name, f"{name}\n")
    repo.commit()
    before = plumbing.index(repo.workspace).files
    repo.write("added", "x\n")
    repo.write("changed", "y\n")
    (repo.root / "deleted").unlink()
    (repo.root / "link").unlink()
    (repo.root / "link").symlink_to("changed")
    repo.add()
    after = plumbing.index(repo.workspace).files
    found = changes.to_index(repo.workspace, "HEAD")
    assert found == (
        Change("A", "added", None, after["added"]),
        Change("M", "changed", before["changed"], after["changed"]),
        Change("D", "deleted", before["deleted"], None),
        Change("T", "link", before["link"], after["link"]),
    )
    repo.commit()
    assert changes.between(repo.workspace, "HEAD~1", "HEAD") == found


@pytest.mark.parametrize("name", NAMES)
def test_any_name_is_read_as_it_is_and_followed_when_it_moves(repo: Repo, name: str) -> None:
    repo.write(name, CODE)
    repo.commit()
    old = blob(repo, name)
    (repo.root / "sub").mkdir()
    (repo.root / name).rename(repo.root / "sub" / name)
    repo.write(f"sub/{name}", CODE + "more\n")
    repo.add()
    (found,) = changes.to_index(repo.workspace, "HEAD", renames=True)
    assert (found.status, found.was, found.path) == ("R", name, f"sub/{name}")
    assert found.before == Tracked("100644", old)
    assert went(repo, name).path == f"sub/{name}"
    repo.commit()
    commit = repo.git("rev-parse", "HEAD").strip()
    assert went(repo, name) == Renamed(f"sub/{name}", commit)


def test_without_renames_a_move_is_two_changes(repo: Repo) -> None:
    repo.write("a.py", CODE)
    repo.commit()
    repo.git("mv", "a.py", "b.py")
    assert [one.status for one in changes.to_index(repo.workspace, "HEAD")] == ["D", "A"]


def test_the_same_bytes_elsewhere_are_the_file(repo: Repo) -> None:
    repo.write("a.py", CODE)
    repo.commit()
    old = blob(repo, "a.py")
    repo.git("mv", "a.py", "b.py")
    assert went(repo, "a.py", old) == Renamed("b.py")


def test_of_several_copies_the_one_that_keeps_the_base_name_is_the_file(repo: Repo) -> None:
    repo.write("old/a.py", CODE)
    repo.add()
    old = blob(repo, "old/a.py")
    repo.git("rm", "-qf", "--cached", "old/a.py")
    for path in ("new/a.py", "new/b.py", "c.py"):
        repo.write(path, CODE)
    repo.git("add", "new", "c.py")
    assert went(repo, "old/a.py", old) == Renamed("new/a.py")
    repo.write("more/a.py", CODE)
    repo.git("add", "more")
    assert went(repo, "old/a.py", old) == Renamed()


def test_an_empty_file_is_not_found_by_its_bytes(repo: Repo) -> None:
    repo.write("pkg/__init__.py", "")
    repo.write("other/__init__.py", "")
    repo.commit()
    old = blob(repo, "pkg/__init__.py")
    repo.git("rm", "-q", "pkg/__init__.py")
    assert went(repo, "pkg/__init__.py", old).path == ""


def test_a_link_with_the_same_bytes_is_not_the_file(repo: Repo) -> None:
    repo.write("a", "target")
    repo.commit()
    old = blob(repo, "a")
    repo.git("rm", "-q", "a")
    (repo.root / "b").symlink_to("target")
    repo.add()
    assert went(repo, "a", old).path == ""


def test_a_chain_of_renames_is_followed_to_its_end(repo: Repo) -> None:
    text = CODE
    repo.write("a0.py", text)
    repo.commit()
    for number in range(5):
        repo.git("mv", f"a{number}.py", f"a{number + 1}.py")
        text += f"edit_{number}\n"
        repo.write(f"a{number + 1}.py", text)
        repo.commit()
    assert went(repo, "a0.py").path == "a5.py"
    repo.git("rm", "-q", "a5.py")
    repo.commit()
    assert went(repo, "a0.py").path == ""


def test_a_committed_rename_is_followed_by_one_that_is_only_staged(repo: Repo) -> None:
    repo.write("a.py", CODE)
    repo.commit()
    repo.git("mv", "a.py", "b.py")
    repo.write("b.py", CODE + "one\n")
    repo.commit()
    repo.git("mv", "b.py", "c.py")
    repo.write("c.py", CODE + "one\ntwo\n")
    repo.add()
    assert went(repo, "a.py").path == "c.py"


def test_a_known_answer_is_not_believed_when_that_file_went_on(repo: Repo) -> None:
    repo.write("a.py", CODE)
    repo.commit()
    repo.git("mv", "a.py", "b.py")
    repo.commit()
    known = {"a.py": went(repo, "a.py")}
    repo.git("mv", "b.py", "c.py")
    repo.commit()
    here = repo.workspace
    found = changes.renamed(here, plumbing.index(here).files, {"a.py": ""}, known)
    assert found["a.py"].path == "c.py"


def test_two_files_that_swap_names_are_not_gone(repo: Repo) -> None:
    repo.write("a.py", CODE)
    repo.write("b.py", "other\n" * 20)
    repo.commit()
    repo.git("mv", "a.py", "t.py")
    repo.git("mv", "b.py", "a.py")
    repo.git("mv", "t.py", "b.py")
    repo.commit()
    here = repo.workspace
    assert changes.renamed(here, plumbing.index(here).files, {}) == {}


def test_a_path_that_came_back_and_went_again_is_followed_by_its_last_removal(repo: Repo) -> None:
    repo.write("a.py", CODE)
    repo.commit()
    repo.git("mv", "a.py", "b.py")
    repo.commit()
    repo.write("a.py", "again\n" * 30)
    repo.commit()
    repo.git("mv", "a.py", "c.py")
    repo.write("c.py", "again\n" * 30 + "x\n")
    repo.commit()
    assert went(repo, "a.py").path == "c.py"


def test_a_circle_of_renames_ends(repo: Repo) -> None:
    repo.write("a.py", CODE)
    repo.commit()
    for old, new in (("a.py", "b.py"), ("b.py", "a.py"), ("a.py", "b.py")):
        repo.git("mv", old, new)
        repo.commit()
    repo.git("rm", "-q", "b.py")
    repo.commit()
    assert went(repo, "a.py").path == ""


def test_a_file_that_was_deleted_on_a_branch_that_was_merged_is_followed(repo: Repo) -> None:
    repo.write("a.py", CODE)
    repo.commit()
    repo.git("checkout", "-qb", "side")
    repo.git("mv", "a.py", "b.py")
    repo.write("b.py", CODE + "side\n")
    repo.commit("side")
    repo.git("checkout", "-q", "main")
    repo.write("n.py", "1\n")
    repo.commit("main")
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    assert went(repo, "a.py").path == "b.py"


def test_a_file_that_only_the_merge_itself_removed_is_no_error(repo: Repo) -> None:
    repo.write("a.py", CODE)
    repo.commit()
    repo.git("checkout", "-qb", "side")
    repo.write("m.py", "1\n")
    repo.commit("side")
    repo.git("checkout", "-q", "main")
    repo.write("n.py", "1\n")
    repo.commit("main")
    repo.git("merge", "-q", "--no-ff", "--no-commit", "side")
    repo.git("mv", "a.py", "b.py")
    repo.write("b.py", CODE + "x\n")
    repo.commit("evil merge")
    assert went(repo, "a.py").path in {"", "b.py"}


def test_a_path_that_never_was_is_not_found(repo: Repo) -> None:
    repo.write("a.py", CODE)
    repo.commit()
    assert went(repo, "never.py", "1" * 40) == Renamed()


def test_before_the_first_commit_nothing_is_found_and_nothing_fails(repo: Repo) -> None:
    repo.write("a.py", CODE)
    repo.add()
    assert [one.status for one in changes.to_index(repo.workspace, changes.base(repo.workspace))] == ["A"]
    assert went(repo, "b.py") == Renamed()


def test_sha_256_works_as_sha_1(repo: Repo) -> None:
    shutil.rmtree(repo.root / ".git")
    repo.git("init", "-q", "-b", "main", "--object-format=sha256")
    assert changes.base(repo.workspace) == repo.git("hash-object", "-t", "tree", "/dev/null").strip()
    repo.write("a.py", CODE)
    repo.write("e", "")
    repo.commit()
    old = blob(repo, "a.py")
    empty = blob(repo, "e")
    assert len(old) == 64
    repo.git("mv", "a.py", "b.py")
    repo.git("mv", "e", "f")
    assert went(repo, "a.py", old) == Renamed("b.py")
    here = repo.workspace
    assert "e" not in dict(changes._same_bytes(plumbing.index(here).files, {"e": empty}))


def test_in_a_shallow_clone_the_search_ends_where_history_does(repo: Repo, tmp_path: Path) -> None:
    repo.write("a.py", CODE)
    repo.commit()
    repo.git("mv", "a.py", "b.py")
    repo.write("b.py", CODE + "x\n")
    repo.commit()
    repo.write("n.py", "1\n")
    repo.commit()
    for depth, found in ((1, ""), (2, ""), (3, "b.py")):
        there = Repo(tmp_path / f"depth{depth}")
        repo.git("clone", "-q", "--depth", str(depth), f"file://{repo.root}", str(there.root))
        assert went(there, "a.py").path == found


def test_a_file_removed_in_the_first_commit_of_a_shallow_clone_is_no_certain_loss(repo: Repo, tmp_path: Path) -> None:
    repo.write("a.py", CODE)
    repo.commit()
    repo.git("rm", "-q", "a.py")
    repo.git("commit", "-qm", "gone", "--allow-empty")
    there = Repo(tmp_path / "there")
    repo.git("clone", "-q", "--depth", "1", f"file://{repo.root}", str(there.root))
    assert went(there, "a.py") == Renamed(unsure=True)


def test_the_base_of_an_unknown_ref_is_refused(repo: Repo) -> None:
    repo.write("a", "1\n")
    repo.commit()
    for ref in ("nowhere", "--output=x", "HEAD:a", "HEAD^{tree}", "a b"):
        with pytest.raises(CuratorError, match="is no commit here"):
            changes.base(repo.workspace, ref)
    assert not (repo.root / "x").exists()


def test_an_annotated_tag_is_a_base(repo: Repo) -> None:
    repo.write("a", "1\n")
    repo.commit()
    repo.git("tag", "-am", "one", "v1")
    assert changes.base(repo.workspace, "v1") == repo.git("rev-parse", "HEAD").strip()


def test_the_fork_point_is_where_the_branch_left(repo: Repo) -> None:
    repo.write("a", "1\n")
    repo.commit()
    left = repo.git("rev-parse", "HEAD").strip()
    repo.git("checkout", "-qb", "side")
    repo.write("b", "1\n")
    repo.commit()
    repo.git("checkout", "-q", "main")
    repo.write("c", "1\n")
    repo.commit()
    repo.git("checkout", "-q", "side")
    assert changes.fork_point(repo.workspace, "main") == left
    repo.git("checkout", "-q", "--orphan", "other")
    repo.git("commit", "-qm", "other")
    assert changes.fork_point(repo.workspace, "main") == repo.git("rev-parse", "main").strip()


def test_a_merge_under_way_is_seen_in_a_linked_work_tree_too(repo: Repo) -> None:
    repo.write("a", "1\n")
    repo.commit()
    repo.git("branch", "side")
    repo.git("checkout", "-q", "side")
    repo.write("b", "1\n")
    repo.commit()
    side = repo.git("rev-parse", "HEAD").strip()
    repo.git("checkout", "-q", "main")
    assert changes.merging(repo.workspace) == ()
    repo.git("worktree", "add", "-q", "../linked", "-b", "other")
    there = Repo(repo.root.parent / "linked")
    there.git("merge", "-q", "--no-ff", "--no-commit", "side")
    assert changes.merging(there.workspace) == (side,)
    assert changes.merging(repo.workspace) == ()


def test_links_and_unicode_give_a_path_further_names(repo: Repo) -> None:
    repo.write("shop/tax.py", CODE)
    repo.write("\xe9.py", CODE)
    for name, target in (
        ("tax.py", "shop/tax.py"),
        ("again.py", "tax.py"),
        ("store", "shop"),
        ("deep/er", "../shop"),
        ("loop", "loop"),
        ("root", "."),
        ("out", "../x"),
        ("abs", "/etc"),
    ):
        path = repo.root / name
        path.parent.mkdir(exist_ok=True)
        path.symlink_to(target)
    repo.add()
    assert changes.names(repo.workspace, ["shop/tax.py"], listing.links(listing.read(repo.workspace))) == {
        "shop/tax.py",
        "tax.py",
        "again.py",
        "store/tax.py",
        "deep/er/tax.py",
    }
    links = listing.links(listing.read(repo.workspace))
    assert changes.names(repo.workspace, ["\xe9.py"], links) == {"\xe9.py", "e\u0301.py"}
    assert changes.names(repo.workspace, ["shop.py"], listing.links(listing.read(repo.workspace))) == {"shop.py"}
    assert changes.names(repo.workspace, [], listing.links(listing.read(repo.workspace))) == set()


def test_a_move_of_many_files_at_once_is_followed(repo: Repo) -> None:
    for number in range(300):
        repo.write(f"old/m{number}.py", f"name_{number} = 1\n" + CODE + f"tail_{number} = 1\n")
    repo.commit()
    repo.git("mv", "old", "new")
    for number in range(300):
        repo.write(f"new/m{number}.py", f"name_{number} = 2\n" + CODE + f"tail_{number} = 1\n")
    repo.commit()
    assert went(repo, "old/m7.py").path == "new/m7.py"
