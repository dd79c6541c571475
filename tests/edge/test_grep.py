"""Terms found in tracked files: real repositories, whole words, the index and nothing but the index."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable

import pytest

from curator.core import terms
from curator.edge import grep, plumbing
from tests.conftest import Repo


def found(repo: Repo, *wanted: str, at: str = "", but: Iterable[str] = ()) -> dict[str, tuple[str, ...]]:
    return grep.files(repo.workspace, wanted, at=at, but=tuple(but))


def test_each_term_has_the_files_that_hold_it(repo: Repo) -> None:
    repo.write("b.py", "def round_vat(): ...\n")
    repo.write("a.py", "round_vat()\nMAX_OPEN = 1\n")
    repo.add()
    assert found(repo, "round_vat", "MAX_OPEN", "gone") == {
        "round_vat": ("a.py", "b.py"),
        "MAX_OPEN": ("a.py",),
        "gone": (),
    }
    assert found(repo, "round_vat", but=["a.py"]) == {"round_vat": ("b.py",)}
    assert found(repo) == {}


@pytest.mark.parametrize(
    "term",
    ["a.b", "x[0]", "f(*args)", "^start", "end$", "a|b", "c++", "{id}", "back\\slash", "what?", "*", "[[", "é.è", "]"],
)
def test_a_term_is_no_pattern(repo: Repo, term: str) -> None:
    repo.write("holds.txt", f"say {term} here\n")
    repo.write("not.txt", "aXb x0 fargs start end a b c id backslash wha e\n")
    repo.add()
    assert found(repo, term) == {term: ("holds.txt",)}


SAMPLES = {
    "max": "MAX_OLD = 1\n",
    "both": "MAX_OLD = MAX\n",
    "dollar": "$round = 1; echo round$;\n",
    "flag": "run --cache-dir x, then --no-cache\n",
    "flags": "run --cache, x--burst\n",
    "dashed": "foo-bar\n",
    "dotted": "a.b.c\n",
    "version": "since v1.2 and V3.4, not 11.2\n",
    "after": "foo_b xfoo foo\n",
    "crlf": "one MAX\r\ntwo\r\n",
}
TERMS = (
    *("MAX", "MAX_OLD", "round", "$round", "round$", "--cache", "cache", "--cache-dir", "--burst", "-dir"),
    *("foo", "foo-b", "foo-bar", "bar", "a.b", "b.c", "a.b.c", "b", "1.2", "3.4", "foo_b", "no-cache", "run --cache"),
)


@pytest.mark.parametrize("at", ["", "HEAD"])
def test_a_word_is_what_the_terms_say_it_is(repo: Repo, at: str) -> None:
    for name, text in SAMPLES.items():
        repo.write(name, text)
    repo.commit()
    expected = {
        term: tuple(sorted(name for name, text in SAMPLES.items() if terms.holds(text, term))) for term in TERMS
    }
    assert found(repo, *TERMS, at=at) == expected
    for term in TERMS:
        assert found(repo, term, at=at) == {term: expected[term]}


def test_the_index_decides_not_the_work_tree(repo: Repo) -> None:
    for name in ("staged.py", "changed.py", "deleted.py", "kept.py"):
        repo.write(name, "round_vat\n")
    repo.write("later.py", "nothing\n")
    repo.add()
    repo.write("changed.py", "nothing\n")
    repo.write("later.py", "round_vat\n")
    repo.write("untracked.py", "round_vat\n")
    (repo.root / "deleted.py").unlink()
    repo.git("update-index", "--skip-worktree", "kept.py")
    (repo.root / "kept.py").unlink()
    assert found(repo, "round_vat") == {"round_vat": ("changed.py", "deleted.py", "kept.py", "staged.py")}


def test_many_files_that_differ_are_found_in_the_index(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grep, "_FEW", 1)
    test_the_index_decides_not_the_work_tree(repo)


def test_a_commits_private_index_is_the_one_that_is_read(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.write("a.py", "round_vat\n")
    repo.add()
    private = repo.root / ".git/next-index-1.lock"
    private.write_bytes((repo.root / ".git/index").read_bytes())
    repo.write("a.py", "other\n")
    repo.write("b.py", "round_vat\n")
    repo.add()
    assert found(repo, "round_vat") == {"round_vat": ("b.py",)}
    monkeypatch.setenv("GIT_INDEX_FILE", str(private))
    assert found(repo, "round_vat") == {"round_vat": ("a.py",)}


def test_a_commit_is_read_as_it_was(repo: Repo) -> None:
    repo.write("a.py", "round_vat\n")
    repo.commit()
    repo.git("mv", "a.py", "b.py")
    repo.commit()
    assert found(repo, "round_vat", at="HEAD~1") == {"round_vat": ("a.py",)}
    assert found(repo, "round_vat", at="HEAD") == {"round_vat": ("b.py",)}


def test_an_unborn_branch_has_an_index(repo: Repo) -> None:
    assert found(repo, "x") == {"x": ()}
    repo.write("a.py", "x\n")
    repo.add()
    assert found(repo, "x") == {"x": ("a.py",)}


def test_odd_names_are_kept_whole(repo: Repo) -> None:
    names = sorted([os.fsdecode(b"bad-\xff.py"), "new\nline.py", 'quo"te.py', "règle 日本.py", ":colon.py", "-dash.py"])
    for name in names:
        repo.write(name, "round_vat\n")
    repo.commit()
    assert found(repo, "round_vat") == {"round_vat": tuple(names)}
    assert found(repo, "round_vat", at="HEAD") == {"round_vat": tuple(names)}


def test_links_submodules_and_binary_files_hold_nothing(repo: Repo) -> None:
    inner = Repo(repo.root.parent / "inner")
    inner.root.mkdir()
    inner.git("init", "-q")
    inner.write("a.py", "round_vat\n")
    inner.commit()
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.root), "sub")
    repo.git("config", "submodule.recurse", "true")
    repo.write("a.py", "round_vat\n")
    repo.write("b.bin", b"\0round_vat\n")
    (repo.root / "link.py").symlink_to("round_vat")
    repo.commit()
    assert found(repo, "round_vat", at="HEAD") == {"round_vat": ("a.py",)}
    assert found(repo, "round_vat") == {"round_vat": ("a.py",)}


def test_the_users_settings_of_grep_change_nothing(repo: Repo) -> None:
    repo.write("sub/a.py", "x\nround.vat\n")
    repo.commit()
    for name, value in (("lineNumber", "true"), ("column", "true"), ("patternType", "fixed"), ("fullName", "false")):
        repo.git("config", f"grep.{name}", value)
    repo.git("config", "color.grep", "always")
    assert found(repo, "round.vat") == {"round.vat": ("sub/a.py",)}


def test_a_term_with_a_line_break_or_without_letters_is_nowhere(repo: Repo) -> None:
    repo.write("a.py", "one\ntwo\n")
    repo.add()
    assert found(repo, "one\ntwo", "", "a\0b") == {"one\ntwo": (), "": (), "a\0b": ()}


def test_two_hundred_terms_take_one_grep_and_a_common_one_is_cut(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"name_{number}" for number in range(200)]
    for number in range(0, 200, 2):
        repo.write(f"f{number:03}.py", f"common\nname_{number} + name_{number + 1}\n")
    repo.add()
    asked: list[str] = []
    real = plumbing.git

    def counted(*arguments: object, **options: object) -> bytes:
        asked.append(str(arguments[1]))
        return real(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(plumbing, "git", counted)
    told = grep.files(repo.workspace, [*names, "common"], most=10)
    assert asked.count("grep") == 1
    assert len(asked) <= 4
    assert told["name_7"] == ("f006.py",)
    assert all(len(told[name]) == 1 for name in names)
    assert told["common"] == tuple(f"f{number:03}.py" for number in range(0, 20, 2))


@pytest.mark.parametrize("form", ["name_{}", "--flag-{}", "foo.a{}", "1.{}", "\u00e9{}\u00e9", "a{} -"])
def test_a_match_is_not_tried_against_each_of_thousands_of_terms(form: str) -> None:
    wanted = sorted(form.format(number) for number in range(3000))
    start = time.process_time()
    assert sum(map(len, grep._groups(wanted))) == len(wanted)
    known = grep._Terms(wanted)
    assert all(term in known.hidden(term) for term in wanted)
    assert time.process_time() - start < 1


def test_of_a_match_all_terms_are_told_that_may_stand_or_begin_in_it() -> None:
    wanted = ["--cache", "1.2", "a b", "b c", "b-", "foo", "foo-bar", "no", "\u00e9"]
    known = grep._Terms(wanted)
    assert set(known.hidden("foo-bar")) == {"foo", "foo-bar"}
    assert set(known.hidden("a b")) == {"a b", "b c", "b-"}
    assert set(known.hidden("v1.2")) == {"1.2"}
    assert set(known.hidden("say \u00e9")) == {"\u00e9"}
    assert set(known.hidden("x --cache")) == {"--cache"}
