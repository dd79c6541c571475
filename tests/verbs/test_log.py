"""`log` on real histories: renames, merges, shallow clones, what is gone and what was never committed."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from curator.cli import tracing
from tests.conftest import Repo

QUOTE = "always run it quietly, would you"
ORIGIN = (
    "review_by: '2099-12-31'\norigin:\n  by: user\n  agent: claude-code\n  session: 253fd5ef\n"
    f"  trigger: pre-compact\n  created: '2026-07-06T09:24:01Z'\n  quote: |\n    {QUOTE}\n"
)
LONG = "Spanish VAT rounds per line, not per order total.\nRounding the total is off by a cent on multi-item orders."


def history(repo: Repo, name: str) -> Any:
    ran = repo.curator("log", name, "--json")
    assert ran.exit_code == 0, ran.stderr
    return json.loads(ran.stdout)


def events(repo: Repo, name: str) -> list[str]:
    return [step["event"] for step in history(repo, name)["steps"]]


def told(repo: Repo, name: str) -> str:
    ran = repo.curator("log", name)
    assert ran.exit_code == 0, ran.stderr
    return ran.stdout


def moved(repo: Repo, old: str, new: str, *changes: tuple[str, str]) -> None:
    text = repo.read(old)
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    (repo.root / old).unlink()
    repo.write(new, text)
    repo.commit("move")


def test_the_newest_comes_first_and_the_birth_tells_who_said_it(base: Repo) -> None:
    base.memory("vat", LONG, "gotcha", more=ORIGIN)
    base.commit("Add the rule")
    base.memory("vat", LONG.replace("per line", "per order line"), "gotcha", more=ORIGIN)
    base.commit("Say which line")
    shown = told(base, "vat")
    assert shown.index("Ada: Say which line") < shown.index("Ada: Add the rule")
    assert "text: Spanish VAT rounds per {+order+} line, not per order total." in shown
    assert "added as memories/gotcha/vat.yaml" in shown
    assert "said by user, through claude-code, session 253fd5ef, pre-compact, 2026-07-06T09:24:01Z" in shown
    assert f'quote: "{QUOTE}"' in shown
    first, last = history(base, "vat")["steps"]
    assert (first["event"], last["event"]) == ("changed", "added")
    assert first["commit"] == base.git("rev-parse", "HEAD").strip()
    assert first["author"] == "Ada"
    assert first["date"].startswith("2026-01-01T00:00:00")
    assert [field["name"] for field in first["fields"]] == ["text"]
    assert last["origin"]["session"] == "253fd5ef"
    assert last["origin"]["quote"].strip() == QUOTE
    assert first["origin"] is None


def test_json_has_stable_keys(base: Repo) -> None:
    found = history(base, "a")
    assert list(found) == ["id", "path", "gone", "entry", "superseded_by", "steps", "notes"]
    assert list(found["steps"][0]) == [
        *("commit", "date", "author", "subject", "state", "event", "path", "was", "fields", "fault", "origin"),
    ]


def test_new_ids_categories_and_folders_are_followed_to_the_birth(base: Repo) -> None:
    base.memory("vat-old", LONG, "gotcha")
    base.commit("Add the rule")
    moved(base, "memories/gotcha/vat-old.yaml", "memories/decision/vat-old.yaml", ("gotcha", "decision"))
    moved(base, "memories/decision/vat-old.yaml", "memories/decision/vat-new.yaml", ('"vat-old"', '"vat-new"'))
    base.write("shop/memories/curator.yaml", "")
    moved(base, "memories/decision/vat-new.yaml", "shop/memories/decision/vat-new.yaml")
    base.write("services/memories/curator.yaml", "")
    moved(base, "shop/memories/decision/vat-new.yaml", "services/memories/decision/vat-new.yaml")
    base.git("rm", "-q", "shop/memories/curator.yaml")
    base.commit("tidy")
    steps = history(base, "vat-new")["steps"]
    assert [step["event"] for step in steps] == ["moved", "moved", "moved", "moved", "added"]
    assert steps[-1]["path"] == "memories/gotcha/vat-old.yaml"
    assert events(base, "vat-old") == events(base, "vat-new")
    assert events(base, "memories/gotcha/vat-old.yaml") == events(base, "vat-new")
    assert "moved from memories/decision/vat-old.yaml to memories/decision/vat-new.yaml" in told(base, "vat-new")


def test_a_rename_that_git_only_guesses_is_no_past_of_another_memory(base: Repo) -> None:
    more = "review_by: '2099-12-31'\n" + ORIGIN.partition("\n")[2].replace("quote: |\n    " + QUOTE, "confidence: 0.5")
    base.memory("old", "Never touch the staging database by hand.", more=more.replace("253fd5ef", "s1"))
    base.commit("Add one")
    (base.root / "memories/convention/old.yaml").unlink()
    base.memory("new", "Invoices are numbered without gaps, says the auditor.", more=more.replace("253fd5ef", "s1"))
    base.commit("One goes, another comes")
    assert "R0" in base.git("show", "-M", "--raw", "--format=", "HEAD"), "git takes it for a rename"
    assert events(base, "new") == ["added"]
    assert events(base, "old") == ["removed", "added"]


def test_a_memory_that_is_gone_is_found_by_id_end_of_id_and_file(base: Repo) -> None:
    base.memory("vat-rounds-4f1c9a", LONG, "gotcha")
    base.commit("Add the rule")
    base.git("rm", "-q", "memories/gotcha/vat-rounds-4f1c9a.yaml")
    base.commit("Take it out")
    for name in ("vat-rounds-4f1c9a", "4f1c9a", "vat-rounds", "memories/gotcha/vat-rounds-4f1c9a.yaml"):
        assert events(base, name) == ["removed", "added"]
    assert "(gone)" in told(base, "4f1c9a")
    assert "Ada: Take it out" in told(base, "4f1c9a")
    assert history(base, "4f1c9a")["gone"] is True
    base.memory("vat-rounds-4f1c9a", LONG, "decision")
    base.commit("It was right")
    assert events(base, "4f1c9a") == ["added", "removed", "added"]


def test_what_nobody_ever_knew_is_refused_with_the_next_step(base: Repo) -> None:
    ran = base.curator("log", "nothing")
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert "no memory 'nothing'" in ran.stderr
    assert "`curator list`" in ran.stderr
    base.memory("x1", "One.")
    base.memory("x2", "Two.")
    base.add()
    assert "fits 2 memories" in base.curator("log", "x").stderr


def test_retirement_and_replacement_are_told(base: Repo) -> None:
    base.memory("b", "Run pytest in parallel.", more="review_by: '2099-12-31'\nsupersedes:\n  - a\n")
    base.commit("Replace it")
    assert "superseded by b" in told(base, "a")
    assert history(base, "a")["superseded_by"] == ["b"]
    assert "supersedes a" in told(base, "b")
    assert base.curator("retire", "b", "--reason", "pytest is gone").exit_code == 0
    base.commit("Retire it")
    assert events(base, "b") == ["retired", "added"]
    assert "pytest is gone" in told(base, "b")
    text = base.read("memories/convention/b.yaml")
    base.write("memories/convention/b.yaml", text[: text.index("retired:")])
    base.commit("Bring it back")
    assert events(base, "b") == ["restored", "retired", "added"]


def test_what_is_not_committed_comes_first(base: Repo) -> None:
    base.memory("a", "Run pytest with -x.")
    base.add()
    base.memory("a", "Run pytest with -x and -q.")
    steps = history(base, "a")["steps"]
    assert [step["state"] for step in steps] == ["disk", "staged", ""]
    assert [step["fields"][0]["after"].strip() for step in steps[:2]] == [
        *("Run pytest with -x and -q.", "Run pytest with -x."),
    ]
    shown = told(base, "a")
    assert shown.index("on disk, not staged") < shown.index("staged, not committed") < shown.index("Ada: base")
    (base.root / "memories/convention/a.yaml").unlink()
    assert events(base, "a")[0] == "removed"


def test_a_move_that_is_only_staged_is_followed(base: Repo) -> None:
    base.git("mv", "memories/convention/a.yaml", "memories/convention/b.yaml")
    base.write("memories/convention/b.yaml", base.read("memories/convention/b.yaml").replace('"a"', '"b"'))
    base.add()
    steps = history(base, "b")["steps"]
    assert [step["event"] for step in steps] == ["moved", "added"]
    assert steps[0]["state"] == "staged"


def test_an_entry_never_committed_says_so(base: Repo) -> None:
    base.memory("new", "Be brief.")
    ran = base.curator("log", "memories/convention/new.yaml")
    assert ran.exit_code == 2
    assert "neither staged nor committed" in ran.stderr
    base.add()
    assert events(base, "new") == ["added"]
    assert "never committed" in told(base, "new")


def test_before_the_first_commit_there_is_only_what_is_staged(repo: Repo) -> None:
    repo.memory("new", "Be brief.")
    repo.add()
    assert events(repo, "new") == ["added"]
    assert history(repo, "new")["steps"][0]["state"] == "staged"
    assert repo.curator("log", "other").exit_code == 2


def test_commits_of_a_merged_branch_and_what_the_merge_itself_changed_are_told(base: Repo) -> None:
    base.git("checkout", "-qb", "topic")
    base.memory("a", "Run pytest with -q on the topic.")
    base.commit("On the topic")
    base.git("checkout", "-q", "main")
    base.memory("a", "Run pytest with -q on main.")
    base.commit("On main")
    subprocess.run(["git", "merge", "-q", "topic"], cwd=base.root, capture_output=True, check=False)
    base.memory("a", "Run pytest with -q everywhere.")
    base.commit("Both sides")
    steps = history(base, "a")["steps"]
    assert steps[0]["subject"] == "Both sides"
    assert {step["subject"] for step in steps} == {"Both sides", "On main", "On the topic", "base"}


def test_a_merge_that_only_brings_a_branch_adds_no_step(base: Repo) -> None:
    base.git("checkout", "-qb", "topic")
    base.memory("b", "Said on a branch.")
    base.commit("On the topic")
    base.git("checkout", "-q", "main")
    base.git("merge", "-q", "--no-ff", "-m", "Merge it", "topic")
    assert [step["subject"] for step in history(base, "b")["steps"]] == ["On the topic"]


def test_a_shallow_clone_says_where_history_is_cut(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    base.memory("a", "Run pytest with -x.")
    base.commit("Change it")
    clone = Repo(base.root.parent / "shallow")
    base.git("clone", "-q", "--depth", "1", f"file://{base.root}", str(clone.root))
    monkeypatch.chdir(clone.root)
    assert events(clone, "a") == ["cut"]
    shown = told(clone, "a")
    assert "older than this shallow clone" in shown
    assert "`git fetch --unshallow`" in shown
    clone.git("fetch", "-q", "--unshallow")
    assert events(clone, "a") == ["changed", "added"]
    assert "shallow" not in told(clone, "a")


def test_a_partial_clone_without_old_bytes_tells_what_it_can(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    base.git("config", "uploadpack.allowFilter", "true")
    moved(base, "memories/convention/a.yaml", "memories/gotcha/b.yaml", ("convention", "gotcha"), ('"a"', '"b"'))
    base.memory("c", "Be brief.")
    base.commit("Another")
    base.memory("c", "Be very brief.")
    base.commit("Longer")
    clone = Repo(base.root.parent / "partial")
    base.git("clone", "-q", "--filter=blob:none", f"file://{base.root}", str(clone.root))
    base.root.rename(base.root.parent / "gone")
    monkeypatch.chdir(clone.root)
    assert events(clone, "c") == ["unreadable", "added"]
    assert "its bytes are not in this clone" in told(clone, "c")
    assert events(clone, "b")[0] in {"moved", "added", "unreadable"}


def test_a_version_that_cannot_be_read_is_named_and_skipped(base: Repo) -> None:
    good = base.read("memories/convention/a.yaml")
    base.write("memories/convention/a.yaml", good.replace("schema: 1", "schema: 1\nschema: 1"))
    base.commit("Break it")
    base.write("memories/convention/a.yaml", good.replace("-q", "-x"))
    base.commit("Mend it")
    steps = history(base, "a")["steps"]
    assert [step["event"] for step in steps] == ["changed", "unreadable", "added"]
    assert "stands twice" in steps[1]["fault"]
    assert "skipped: `schema`: the key stands twice" in told(base, "a")
    base.write("memories/convention/a.yaml", "nothing")
    base.commit("Break it again")
    assert events(base, "a")[0] == "unreadable"


def test_an_old_version_with_a_secret_is_not_shown(base: Repo) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    base.memory("s", f"Use {token} to log in.")
    base.commit("Oh no")
    base.memory("s", "Ask ops for the token.")
    base.commit("Mend it")
    ran = base.curator("log", "s")
    assert token not in ran.output
    assert "looks like a secret" in ran.output
    assert token not in base.curator("log", "s", "--json").output


def test_t25_hostile_authors_subjects_and_texts_drive_no_terminal(base: Repo) -> None:
    message = base.root.parent / "message"
    message.write_bytes(b"caf\xe9 \x1b[2J ::error::x\r\x07\n")
    base.write("memories/convention/e.yaml", 'schema: 1\nid: e\ncategory: convention\ntext: "\\e]0;owned\\a\\e[2J"\n')
    base.add()
    base.git("-c", "user.name=\x1b[31mMal\u202e", "commit", "--author=\x9b2J\x1b]8;;x\x07 <m@x>", "-qF", str(message))
    for arguments in (["log", "e"], ["log", "e", "--json"], ["log", "\x1b[2J"]):
        ran = base.curator(*arguments)
        assert not [c for c in ran.output if c != "\n" and (ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 or c == "\u202e")]
        assert "Traceback" not in ran.output


def test_t20_names_that_look_like_options_are_names(base: Repo) -> None:
    for name in ("--output=x", "-rf", "HEAD", "../../etc/passwd", "memories/--output=x.yaml"):
        ran = base.curator("log", "--", name)
        assert ran.exit_code == 2
        assert "Traceback" not in ran.output
    assert not (base.root / "x").exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [("log.showRoot", "false"), ("log.showSignature", "true"), ("diff.renames", "false"), ("log.mailmap", "false")],
)
def test_settings_of_the_user_change_no_answer(base: Repo, name: str, value: str) -> None:
    base.git("config", name, value)
    moved(base, "memories/convention/a.yaml", "memories/gotcha/a.yaml", ("convention", "gotcha"))
    assert events(base, "a") == ["moved", "added"]


def test_a_trusted_branch_is_walked_too(base: Repo) -> None:
    base.git("checkout", "-qb", "trusted")
    base.memory("t", "Only there.")
    base.commit("On the trusted branch")
    base.git("checkout", "-q", "main")
    base.git("config", "curator.trust", "trusted")
    assert [step["subject"] for step in history(base, "t")["steps"] if step["commit"]] == ["On the trusted branch"]


def test_a_file_that_cannot_be_read_now_has_a_history(base: Repo) -> None:
    base.write("memories/convention/a.yaml", "nothing")
    base.commit("Break it")
    assert events(base, "a") == ["unreadable", "added"]


def test_many_versions_are_bounded_and_said(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    from curator.edge import lineage

    for number in range(4):
        base.memory("a", f"Run pytest with {number}.")
        base.commit()
    monkeypatch.setattr(lineage, "_MOST_STEPS", 3)
    assert len(history(base, "a")["steps"]) == 3
    assert "note: 2 older changes are not shown" in told(base, "a")
    assert tracing.log.help


def test_neither_command_loads_gitpython_numpy_or_the_template_engine(base: Repo) -> None:
    from tests.test_startup import loaded_by

    base.curator("render")
    for words in (["log", "a"], ["blame", "Run pytest"]):
        loaded = loaded_by(f"from curator.cli import main; main({words!r}, standalone_mode=False)")
        assert not loaded & {"git", "numpy", "jinja2", "rank_bm25"}


def test_what_is_no_memory_is_left_to_git(base: Repo) -> None:
    base.write("memories/curator.yaml", "")
    ran = base.curator("log", "memories/curator.yaml")
    assert ran.exit_code == 2
    assert "no memory" in ran.stderr
    assert "`git log -- memories/curator.yaml`" in ran.stderr


@pytest.mark.parametrize(("name", "said"), [("", "an empty name"), ("/etc/passwd", "outside the repository")])
def test_what_can_be_no_memory_is_refused_in_its_own_words(base: Repo, name: str, said: str) -> None:
    ran = base.curator("log", name)
    assert (ran.exit_code, said in ran.stderr) == (2, True)


def test_a_name_with_a_line_break_forges_no_line(base: Repo) -> None:
    path = "memories/gotcha/b\nred  2026-01-01  Eve: x.yaml"
    base.write(path, base.read("memories/convention/a.yaml"))
    base.commit("hostile")
    ran = base.curator("log", path)
    assert "\nred  2026" not in ran.output
    assert "\\x0ared  2026" in ran.output


def imported(repo: Repo) -> str:
    repo.write("AGENTS.md", "# Rules\n\n- Never use floats for amounts of money.\n")
    repo.commit("rules of old")
    assert repo.curator("import", "AGENTS.md", "--yes").exit_code == 0
    repo.commit("imported")
    return next(path.stem for path in (repo.root / "memories").rglob("*floats*.yaml"))


def test_an_imported_line_is_told_by_who_wrote_it(base: Repo) -> None:
    name = imported(base)
    written = base.git("log", "-1", "--format=%h", "--abbrev=10", "HEAD~1").strip()
    author = base.git("log", "-1", "--format=%an", "HEAD~1").strip()
    for ran in (base.curator("log", name), base.curator("blame", "floats for amounts")):
        assert f"written by {author} in AGENTS.md, {written} " in ran.stdout
        assert "rules of old" in ran.stdout
        assert "said by" not in ran.stdout
        assert "checked out" not in ran.stdout


def test_the_edge_of_a_shallow_clone_wrote_nothing(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    name = imported(base)
    clone = Repo(base.root.parent / "edge")
    base.git("clone", "-q", "--depth", "1", f"file://{base.root}", str(clone.root))
    monkeypatch.chdir(clone.root)
    shown = clone.curator("blame", "floats for amounts").stdout
    assert "  text      older than this shallow clone\n" in shown
    assert "a commit that is not here" in clone.curator("log", name).stdout
