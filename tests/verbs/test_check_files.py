"""`check FILE...`: memory files as they lie on disk, for editors and hooks that pass file names."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from curator.model import Source
from tests.citing import RULE, TAX, cite, taxed
from tests.conftest import Repo

GOOD = "schema: 1\nid: {id}\ncategory: {category}\ntext: {text}\nimportance: 5\nreview_by: '2099-12-31'\n"
A = "memories/convention/a.yaml"
LINE = re.compile(r"(?P<path>[^:]+):(?P<line>[1-9]\d*): (?P<level>error|warning|note): (?P<message>.+)")


def good(name: str, text: str = "Be brief.", category: str = "convention") -> str:
    return GOOD.format(id=name, category=category, text=text)


def found(repo: Repo, *names: str, code: int = 0, stdin: str | None = None) -> list[str]:
    """The lines of the findings, every one of which an editor can read."""
    ran = repo.curator("check", *names, stdin=stdin)
    assert ran.exit_code == code, ran.output
    lines = ran.stderr.splitlines()
    assert lines[:-1] == [line for line in lines if LINE.fullmatch(line)]
    return lines[:-1]


def test_a_sound_file_is_silent_but_for_the_count(base: Repo) -> None:
    ran = base.curator("check", A)
    assert (ran.exit_code, ran.stdout, ran.stderr) == (0, "1 file checked: 1 cites no file; nothing to do\n", "")


def test_what_lies_on_disk_is_checked_and_not_what_is_staged(base: Repo) -> None:
    text = base.read(A)
    base.write(A, text.replace("importance: 5", "importance: 50\ncolour: red"))
    first, second, third = found(base, A, code=1)
    assert first.startswith(f"{A}:1: note: differs from the staged version, which is used (git add {A})")
    assert second.startswith(f"{A}:6: error: `importance` must be a whole number from 1 to 10, not '50'")
    assert third.startswith(f"{A}:7: error: unknown key 'colour' (known keys: ")
    assert base.curator("check", "a").exit_code == 0, "an id means the staged entry"
    base.add()
    base.write(A, text)
    assert base.curator("check", A).exit_code == 0


def test_a_file_that_nobody_staged_is_checked_and_called_that(base: Repo) -> None:
    path = "memories/gotcha/new.yaml"
    base.write(path, good("new", category="gotcha"))
    assert found(base, path) == [f"{path}:1: note: neither staged nor committed: not used (git add {path})"]
    base.write(path, good("new", text="'Read <!-- this -->.'", category="gotcha"))
    lines = found(base, path, code=1)
    assert any(line.startswith(f"{path}:4: error: text: `<!--` opens a comment") for line in lines)


def test_paths_count_from_the_current_folder_and_are_told_from_there(
    base: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    base.write("memories/convention/bad.yaml", "schema: 1\n")
    monkeypatch.chdir(base.root / "memories/convention")
    assert all(line.startswith("bad.yaml:1: ") for line in found(base, "bad.yaml", code=1))
    monkeypatch.chdir(base.root / "memories")
    assert all(line.startswith("convention/bad.yaml:1: ") for line in found(base, "convention/bad.yaml", code=1))
    assert found(base, str(base.root / "memories/convention/bad.yaml"), code=1)


def test_guard_and_secrets_are_held_against_the_file(base: Repo) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    base.write(A, good("a", text=f"'Use {token}.'"))
    ran = base.curator("check", A)
    assert ran.exit_code == 1
    assert "looks like a secret" in ran.stderr
    assert token not in ran.output
    base.write(A, good("a", text="Hidden\u200bword."))
    assert any(":4: error: text: U+200B" in line for line in found(base, A, code=1))


def test_one_bad_file_hides_no_other(base: Repo) -> None:
    base.write("memories/convention/b.yaml", "[" * 5000)
    base.write("memories/convention/c.yaml", good("c") + "bad: 1\n")
    base.write("memories/convention/d.yaml", b"\xff\xfe\x00")
    (base.root / "memories/convention/e.yaml").symlink_to("a.yaml")
    (base.root / "memories/convention/f.yaml").mkdir()
    names = [f"memories/convention/{letter}.yaml" for letter in "abcdef"]
    lines = found(base, *names, code=1)
    assert {line.partition(":")[0] for line in lines if ": error: " in line} == set(names[1:])


def test_doubled_ids_and_keys_are_held_against_the_others(base: Repo) -> None:
    path = "memories/gotcha/a.yaml"
    base.write(path, good("a", category="gotcha"))
    assert any(f"{path}:2: error: the same id a as {A}" in line for line in found(base, path, code=1))
    base.write(A, base.read(A) + "origin:\n  key: aaaaaaaaaaaa\n")
    base.add()
    other = "memories/gotcha/b.yaml"
    base.write(other, good("b", category="gotcha") + "origin:\n  key: aaaaaaaaaaaa\n")
    assert any(f"the same key aaaaaaaaaaaa as {A}" in line for line in found(base, other, code=1))
    clash = "memories/convention/A.yaml"
    base.write(clash, good("A"))
    assert found(base, clash, code=1)


def test_a_fault_in_a_text_of_several_lines_is_told_by_its_line(base: Repo) -> None:
    path = "memories/gotcha/new.yaml"
    base.write(path, good("new", text="|\n  One.\n  Two <!-- three -->.", category="gotcha"))
    assert any(line.startswith(f"{path}:6: error: text: `<!--`") for line in found(base, path, code=1))


def test_a_file_that_was_moved_on_disk_is_no_double(base: Repo) -> None:
    path = "memories/gotcha/a.yaml"
    base.write(path, good("a", category="gotcha"))
    (base.root / A).unlink()
    assert [line for line in found(base, path) if "the same id" in line] == []


def test_several_new_files_are_held_against_one_another(base: Repo) -> None:
    for category in ("gotcha", "decision"):
        base.write(f"memories/{category}/new.yaml", good("new", category=category))
    lines = found(base, "memories/gotcha/new.yaml", "memories/decision/new.yaml", code=1)
    assert sum("the same id new" in line for line in lines) == 1


def test_what_the_file_cites_is_held_against_what_is_staged(base: Repo) -> None:
    taxed(base)
    path = "memories/convention/vat.yaml"
    assert base.curator("check", path).stdout == "1 file checked: 1 fresh; nothing to do\n"
    base.write("shop/tax.py", "RATE = 21\n")
    assert base.curator("check", path).exit_code == 0, "the code is not staged"
    base.add()
    number = base.read(path).split("\n").index("  - path: shop/tax.py") + 1
    lines = found(base, path, code=1)
    assert lines == [line for line in lines if line.startswith(f"{path}:{number}: error: stale: `round_vat` is gone")]
    text = base.read(path)
    base.write(path, text[: text.index("sources:")].replace(RULE, "VAT is the bank's business."))
    assert not any("stale" in line for line in found(base, path))


def test_a_newly_written_source_that_is_not_there_is_an_error(base: Repo) -> None:
    path = "memories/gotcha/new.yaml"
    base.write(path, good("new", category="gotcha") + "sources:\n  - path: no/such.py\n")
    lines = found(base, path, code=1)
    assert any(line.startswith(f"{path}:8: error: stale: no/such.py is not a tracked file") for line in lines)


def test_settings_are_checked_fault_by_fault(base: Repo) -> None:
    path = "memories/curator.yaml"
    base.write(path, "block: there\nbudget:\n  gotcha: many\ntrust: a..b\n")
    lines = [line for line in found(base, path, code=1) if ": error: " in line]
    assert [line.split(":")[1] for line in lines] == ["1", "3", "4"]
    base.write(path, "a: [\n")
    assert found(base, path, code=1)
    base.write(path, "block: main\n")
    assert not [line for line in found(base, path) if "error" in line]


def test_categories_are_those_on_disk(base: Repo) -> None:
    path = "memories/style/new.yaml"
    base.write("memories/curator.yaml", "budget:\n  style: 100\n  convention: 100\n")
    base.write(path, good("new", category="style"))
    assert not [line for line in found(base, path, "memories/curator.yaml") if "error" in line]


def test_memories_of_a_nested_folder_count_where_it_says_so(base: Repo) -> None:
    path = "svc/memories/gotcha/n.yaml"
    base.write(path, good("n", category="gotcha") + "bad: 1\n")
    (line,) = found(base, path)
    assert "note: not read: svc/memories/ holds no curator.yaml, which makes its memories count" in line
    base.write("svc/memories/curator.yaml", "")
    assert any(f"{path}:7: error: unknown key 'bad'" in line for line in found(base, path, code=1))
    assert not [line for line in found(base, "svc/memories/curator.yaml") if "warning" in line]
    base.write("svc/memories/curator.yaml", "block: main\n")
    assert any(
        "warning: only the settings of the root count" in line for line in found(base, "svc/memories/curator.yaml")
    )


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("README.yaml", "no memory file"),
        ("memories/memory.schema.json", "no memory file"),
        ("./memories", "no memory file"),
        ("CLAUDE.md", "no memory 'CLAUDE.md'"),
        ("docs/x.yml", "no memory file"),
        ("../x.yaml", "outside the repository"),
        ("/etc/passwd", "outside the repository"),
        ("memories/gotcha/nothing.yaml", "no such file"),
    ],
)
def test_what_is_no_memory_file_is_refused_with_a_hint(base: Repo, path: str, said: str) -> None:
    base.write("README.yaml", "x: 1\n")
    ran = base.curator("check", path)
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert said in ran.stderr
    assert "  -> " in ran.stderr


def test_a_deleted_file_is_told(base: Repo) -> None:
    (base.root / A).unlink()
    assert "note: deleted on disk, but staged, so it is still used" in found(base, A)[0]
    base.git("rm", "-q", A)
    assert "note: deleted, and that is staged" in found(base, A)[0]


def test_a_wrong_ending_and_a_hidden_name_are_told(base: Repo) -> None:
    base.write("memories/gotcha/x.yml", good("x", category="gotcha"))
    assert "error: only *.yaml files are read (git mv " in found(base, "memories/gotcha/x.yml", code=1)[0]
    base.write("memories/.draft/x.yaml", "anything")
    assert "note: not read: its name begins with a dot" in found(base, "memories/.draft/x.yaml")[0]


def test_an_unsaved_buffer_is_checked_in_place_of_its_file(base: Repo) -> None:
    lines = found(base, "-", "--stdin-filename", A, stdin=base.read(A) + "bad: 1\n", code=1)
    assert [line.partition(" (")[0] for line in lines] == [f"{A}:8: error: unknown key 'bad'"]
    assert found(base, "-", "--stdin-filename", "memories/gotcha/n.yaml", stdin=good("n", category="gotcha")) == []
    ran = base.curator("check", "-", "--stdin-filename", "src/a.py", stdin="x")
    assert ran.exit_code == 2


@pytest.mark.parametrize("names", [("-",), ("a", "--stdin-filename", A), ("-", "--stdin-filename", A, "--staged")])
def test_half_a_buffer_is_refused(base: Repo, names: tuple[str, ...]) -> None:
    assert base.curator("check", *names, stdin="").exit_code == 2


def test_ids_and_files_may_be_asked_for_together(base: Repo) -> None:
    base.memory("b", "Log in UTC.")
    ran = base.curator("check", "a", "memories/convention/b.yaml")
    assert ran.exit_code == 0
    assert "1 file and 1 memory checked" in ran.stderr


def test_json_has_the_same_keys_as_for_all(base: Repo) -> None:
    taxed(base)
    base.write("memories/convention/vat.yaml", base.read("memories/convention/vat.yaml") + "bad: 1\n")
    told = json.loads(base.curator("check", A, "memories/convention/vat.yaml", "--json").stdout)
    assert list(told) == ["entries", "states", "uncited", "findings"]
    assert [one["id"] for one in told["entries"]] == ["a"]
    assert {one["level"] for one in told["findings"]} == {"note", "error"}


def test_strict_and_block_on_mean_what_they_mean_for_all(base: Repo) -> None:
    base.memory("due", "Ask finance again.", more="review_by: '2026-01-01'\n")
    path = "memories/convention/due.yaml"
    lines = found(base, path)
    assert any(line.startswith(f"{path}:7: warning: ") and "2026-01-01" in line for line in lines)
    assert base.curator("check", path, "--strict").exit_code == 1
    base.write(path, "nothing")
    assert base.curator("check", path).exit_code == 1
    assert base.curator("check", path, "--block-on", "none").exit_code == 0


def test_nothing_is_written_and_no_index_is_touched(base: Repo) -> None:
    base.write(A, base.read(A) + "# more\n")
    before = (base.root / ".git/index").read_bytes()
    base.curator("check", A)
    assert (base.root / ".git/index").read_bytes() == before


def test_with_a_trusted_ref_the_file_is_held_against_it(base: Repo) -> None:
    base.git("config", "curator.trust", "HEAD")
    base.write(A, base.read(A) + "# more\n")
    base.add()
    assert any("differs from the HEAD version" in line for line in found(base, A))


def test_t25_hostile_names_and_texts_drive_no_terminal(base: Repo) -> None:
    path = "memories/convention/\x1b[2J\x9b\n::error::x.yaml"
    base.write(path, 'schema: 1\nid: e\ntext: "\\e[2J"\n\x1b: 1\n')
    ran = base.curator("check", path)
    assert ran.exit_code == 1
    assert not [c for c in ran.output if c != "\n" and (ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0)]
    assert not [line for line in ran.stderr.split("\n") if line.startswith("::")]


def test_t15_nothing_outside_the_repository_is_read(base: Repo, tmp_path: Path) -> None:
    secret = tmp_path / "outside.yaml"
    secret.write_text("text: top secret\n", encoding="utf-8")
    (base.root / "memories/convention/link.yaml").symlink_to(secret)
    (base.root / "memories/gotcha").symlink_to(tmp_path)
    for path in ("memories/convention/link.yaml", "memories/gotcha/outside.yaml"):
        ran = base.curator("check", path)
        assert ran.exit_code in {1, 2}
        assert "top secret" not in ran.output


def test_many_files_at_once_are_no_trouble(base: Repo) -> None:
    base.write("shop/tax.py", TAX)
    for number in range(40):
        cite(base, f"m{number}", RULE, Source("shop/tax.py"))
    base.commit()
    names = [f"memories/convention/m{number}.yaml" for number in range(40)]
    ran = base.curator("check", *names)
    assert ran.exit_code == 0, ran.output
    assert "40 files checked: 40 fresh" in ran.output


def test_a_symbol_that_does_not_exist_is_told_at_its_line_with_the_one_that_was_meant(base: Repo) -> None:
    taxed(base)
    path = "memories/gotcha/new.yaml"
    base.write(path, good("new", category="gotcha") + "sources:\n  - path: shop/tax.py\n    symbol: round_vta\n")
    (line,) = [one for one in found(base, path, code=1) if "error" in one]
    assert line.startswith(
        f"{path}:9: error: stale: `round_vta` does not occur in shop/tax.py (did you mean `round_vat`?"
    )


def test_each_source_that_is_wrong_is_told_at_its_own_line(base: Repo) -> None:
    taxed(base)
    path = "memories/gotcha/new.yaml"
    sources = "sources:\n  - path: shop/taxx.py\n  - path: lib/tax.py\n  - path: shop/tax.py\n    text: RATE = 22\n"
    base.write(path, good("new", category="gotcha") + sources)
    lines = [one for one in found(base, path, code=1) if "error" in one]
    assert [one.split(" (")[0].removeprefix(f"{path}:") for one in lines] == [
        "8: error: stale: shop/taxx.py is not a tracked file",
        "9: error: stale: lib/tax.py is not a tracked file",
        "11: error: stale: no line of shop/tax.py reads `RATE = 22`",
    ]
    assert all("did you mean shop/tax.py?" in one for one in lines[:2])
    assert not any("curator edit" in one for one in lines), "no command knows an entry that is not staged"
    base.add()
    told = base.curator("check", "new")
    assert (told.exit_code, "shop/taxx.py is not a tracked file (and 2 more)" in told.stderr) == (1, True)
    assert "did you mean shop/tax.py? `curator edit new`" in told.stderr


def test_a_symbol_that_was_edited_after_the_file_was_confirmed_is_held_against_it(base: Repo) -> None:
    base.write("shop/tax.py", TAX)
    path = cite(base, "vat", RULE, Source("shop/tax.py", "round_vat"))
    base.commit("tax")
    assert found(base, path) == []
    base.write(path, base.read(path).replace("symbol: round_vat", "symbol: round_vta"))
    assert any("`round_vta` does not occur" in line for line in found(base, path, code=1))


def test_a_file_that_went_is_gone_and_one_that_never_was_is_not(base: Repo) -> None:
    taxed(base)
    path = "memories/gotcha/new.yaml"
    base.write(path, good("new", category="gotcha") + "sources:\n  - path: shop/tax.py\n  - path: shop/other.py\n")
    base.git("rm", "-q", "shop/tax.py")
    for state in ("staged", "committed"):
        told = "\n".join(found(base, path, code=1))
        assert "shop/tax.py is gone" in told
        assert "shop/other.py is not a tracked file" in told
        if state == "staged":
            base.git("commit", "-qm", "gone")


def test_what_the_guard_says_comes_with_the_faults_of_the_format(base: Repo) -> None:
    path = "memories/gotcha/new.yaml"
    base.write(path, "id: new\ncategory: gotcha\ntext: |\n  One.\n  Two <!-- three -->.\ncolour: red\n")
    lines = found(base, path, code=1)
    assert any(line.startswith(f"{path}:6: error: unknown key 'colour'") for line in lines)
    (told,) = [line for line in lines if "opens a comment" in line]
    assert told.startswith(f"{path}:5: error: text: `<!--` opens a comment (say it")


def test_a_file_of_any_size_is_answered_by_its_first_bytes(base: Repo) -> None:
    path = "memories/gotcha/huge.yaml"
    base.write(path, "")
    with (base.root / path).open("r+b") as file:
        file.truncate(1 << 32)
    assert any("bytes are too many" in line for line in found(base, path, code=1))


def test_a_closed_standard_input_is_an_empty_file(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    from curator.cli import door

    monkeypatch.setattr("sys.stdin", None)
    assert door.standard_input() == ""
    assert not door.is_attended()
    assert not door.agreed("Really?")


def test_names_in_hints_are_words_of_a_shell(base: Repo) -> None:
    path = "memories/gotcha/a; touch pwned #.yaml"
    base.write(path, good("a", category="gotcha"))
    told = base.curator("check", path).stderr
    assert f"(git add '{path}')" in told
    base.write(path.replace("yaml", "yml"), "")
    assert (
        f"git mv '{path.replace('yaml', 'yml')}' '{path}'" in base.curator("check", path.replace("yaml", "yml")).stderr
    )


def test_a_file_under_a_link_is_told_that_git_keeps_nothing_there(base: Repo) -> None:
    (base.root / "memories/up").symlink_to("..")
    lines = found(base, f"memories/up/{A}", code=1)
    assert any("under the link memories/up" in line for line in lines)
