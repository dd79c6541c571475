"""New entries: by a person, by an agent, from a form."""

from __future__ import annotations

import re
import stat
import subprocess
from pathlib import Path

import pytest

from tests.conftest import Repo


def entries(repo: Repo) -> list[Path]:
    return sorted(path for path in repo.root.glob("memories/*/*.yaml") if path.stem != "a")


def proposals(repo: Repo) -> list[Path]:
    return sorted((repo.root / ".git/curator/inbox").glob("*.yaml"))


def test_add_writes_one_staged_file_and_renders_and_stages_the_block(base: Repo) -> None:
    base.write("src/app.py", "def main(): ...\n")
    base.commit()
    result = base.curator(
        *("add", "Ship on Fridays. Never on Mondays.", "--category", "decision", "--why", "Support is here."),
        *("--tag", "release", "--trigger", "when do we ship", "--source", "src/app.py#main", "--importance", "8"),
    )
    assert result.exit_code == 0, result.stderr
    (path,) = entries(base)
    assert re.fullmatch(r"ship-[a-z-]+-[0-9a-f]{6}", path.stem)
    text = path.read_text(encoding="utf-8")
    assert "text: |\n  Ship on Fridays.\n  Never on Mondays.\n" in text
    assert re.search(r"  - path: src/app.py\n    symbol: main\n    header: '[0-9a-f]{4}'\n    blob: ", text)
    assert "origin:\n  by: user\n" in text
    assert base.git("diff", "--cached", "--name-only").split() == ["CLAUDE.md", path.relative_to(base.root).as_posix()]
    assert "- Ship on Fridays. Never on Mondays." in base.git("show", ":CLAUDE.md")
    assert base.git("status", "--porcelain").count("\n") == 2
    assert base.curator("render", "--check").exit_code == 0


def test_a_new_file_follows_the_umask(base: Repo) -> None:
    base.curator("add", "Ship on Fridays.")
    assert stat.S_IMODE(entries(base)[0].stat().st_mode) == 0o644


def test_only_the_block_is_staged_not_what_else_changed_in_its_file(base: Repo) -> None:
    base.write("CLAUDE.md", base.read("CLAUDE.md") + "unfinished work\n")
    base.curator("add", "Ship on Fridays.")
    assert "unfinished work" not in base.git("show", ":CLAUDE.md")
    assert "Ship on Fridays." in base.git("show", ":CLAUDE.md")
    assert base.read("CLAUDE.md").endswith("unfinished work\n")


def test_no_render_leaves_the_block(base: Repo) -> None:
    base.curator("add", "Ship on Fridays.", "--no-render")
    assert "Ship on" not in base.read("CLAUDE.md")


def test_an_agents_add_waits_in_the_inbox(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    result = base.curator("add", "Ship on Fridays.")
    assert "waits in the inbox" in result.stdout
    assert not entries(base)
    (path,) = proposals(base)
    assert "  by: agent\n  agent: claude-code\n" in path.read_text(encoding="utf-8")
    assert base.git("status", "--porcelain") == ""
    assert "proposed already" in base.curator("add", "Ship on Fridays.").stdout
    assert len(proposals(base)) == 1


def test_the_users_own_setting_lets_an_agent_act_as_a_person(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    base.git("config", "curator.agentsMay", "true")
    base.curator("add", "Ship on Fridays.")
    (path,) = entries(base)
    assert "  by: agent\n  agent: claude-code\n" in (base.root / path).read_text(encoding="utf-8"), "said all the same"


@pytest.mark.parametrize("command", [("retire", "a", "--reason", "x"), ("edit", "a")])
def test_a_persons_decision_is_refused_to_an_agent(
    base: Repo, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    result = base.curator(*command)
    assert result.exit_code == 2
    assert "is a person's decision, and claude-code runs this shell" in result.stderr


def test_a_text_the_guard_refuses_is_not_written(base: Repo) -> None:
    result = base.curator("add", "See <!-- hidden --> this.")
    assert result.exit_code == 2
    assert "this cannot be a memory: text: " in result.stderr
    assert not entries(base)
    assert base.git("status", "--porcelain") == ""


def test_an_unknown_source_is_named(base: Repo) -> None:
    result = base.curator("add", "Ship on Fridays.", "--source", "src/gone.py")
    assert result.exit_code == 2
    assert "src/gone.py: not a tracked file" in result.stderr


def test_a_source_is_taken_as_typed_in_a_sub_folder(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    base.write("src/app.py", "print(1)\n")
    base.commit()
    monkeypatch.chdir(base.root / "src")
    result = base.curator("add", "Ship on Fridays.", "--source", "app.py")
    assert result.exit_code == 0
    assert "  - path: src/app.py\n" in entries(base)[0].read_text(encoding="utf-8")
    assert "added and staged: ../memories/convention/" in result.stdout


def test_the_same_thing_is_refused_and_a_like_one_is_named(base: Repo) -> None:
    same = base.curator("add", "run PYTEST with -q")
    assert same.exit_code == 2
    assert "memories/convention/a.yaml: that is known already" in same.stderr
    told = base.curator("add", "Always run pytest quietly, with -q.").stderr
    assert "looks like convention/a" in told
    assert "\n  -> `curator show a`; what replaces it is added with `--supersedes a`\n" in told


def test_a_retired_thing_does_not_come_back(base: Repo) -> None:
    base.curator("retire", "a", "--reason", "we use nox")
    result = base.curator("add", "Run pytest with -q.")
    assert result.exit_code == 2
    assert "was retired: we use nox" in result.stderr


def test_a_todo_gets_a_time_to_live_and_an_entry_without_sources_a_review_date(base: Repo) -> None:
    base.curator("add", "Drop the old endpoint.", "--category", "todo")
    text = entries(base)[0].read_text(encoding="utf-8")
    assert re.search(r"^expires: '\d{4}-\d\d-\d\d'$", text, re.M)
    assert re.search(r"^review_by: '\d{4}-\d\d-\d\d'$", text, re.M)


def test_text_comes_from_standard_input_with_a_dash(base: Repo) -> None:
    base.curator("add", "-", "--category", "convention", stdin="Ship on Fridays.\nNot on Mondays.\n")
    assert "  Ship on Fridays.\n  Not on Mondays.\n" in entries(base)[0].read_text(encoding="utf-8")


def test_without_text_a_form_opens_in_the_editor(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    script = base.write("../editor.sh", "#!/bin/sh\nsed -i 's/^text: |$/text: |\\n  Ship on Fridays./' \"$1\"\n")
    script.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(script))
    assert base.curator("add").exit_code == 0
    assert "  Ship on Fridays.\n" in entries(base)[0].read_text(encoding="utf-8")


def test_an_untouched_form_adds_nothing(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "true")
    assert "nothing was added" in base.curator("add").stderr
    assert not entries(base)


def test_a_form_that_cannot_be_read_opens_again_with_its_text_kept(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    script = base.write("../editor.sh", '#!/bin/sh\necho "colour: red" >> "$1"\n')
    script.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(script))
    result = base.curator("add", stdin="n\n")
    assert result.exit_code == 2
    assert "unknown key 'colour'" in result.stderr
    assert "Edit again?" in result.stderr


def test_retire_marks_the_file_and_takes_the_line_out(base: Repo) -> None:
    base.curator("render")
    base.commit()
    assert base.curator("retire", "a", "--reason", "we use nox").exit_code == 0
    assert re.search(
        r"retired:\n  on: '\d{4}-\d\d-\d\d'\n  reason: we use nox\n", base.read("memories/convention/a.yaml")
    )
    assert "Run pytest" not in base.read("CLAUDE.md")
    assert base.git("diff", "--cached", "--name-only").split() == ["CLAUDE.md", "memories/convention/a.yaml"]
    again = base.curator("retire", "a", "--reason", "x")
    assert again.exit_code == 2
    assert "already retired on" in again.stderr


def test_retire_refuses_a_file_with_changes_that_are_not_staged(base: Repo) -> None:
    base.write("memories/convention/a.yaml", base.read("memories/convention/a.yaml") + "# note\n")
    result = base.curator("retire", "a", "--reason", "x")
    assert result.exit_code == 2
    assert "has changes that are not staged" in result.stderr


def test_edit_checks_what_comes_back_and_stages_it(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    script = base.write("../editor.sh", '#!/bin/sh\nsed -i s/-q/-x/ "$1"\n')
    script.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(script))
    assert base.curator("edit", "a").exit_code == 0
    assert "- Run pytest with -x." in base.git("show", ":CLAUDE.md")
    script.write_text('#!/bin/sh\nsed -i "s/^category: .*/category: nope/" "$1"\n', encoding="utf-8")
    result = base.curator("edit", "a", stdin="n\n")
    assert result.exit_code == 2
    assert "memories/convention/a.yaml:3: " in result.stderr
    assert "category: convention" in base.read("memories/convention/a.yaml")


def test_a_missing_block_does_not_lose_the_entry(repo: Repo) -> None:
    repo.write("CLAUDE.md", "# Rules\n")
    repo.commit()
    result = repo.curator("add", "Ship on Fridays.")
    assert result.exit_code == 0
    assert "the block was not rendered: CLAUDE.md" in result.stderr
    assert "curator init" in result.stderr
    assert len(entries(repo)) == 1


def test_add_puts_an_entry_into_the_nested_store_of_its_scope(base: Repo) -> None:
    base.write("pay/memories/curator.yaml", "")
    base.commit()
    base.curator("add", "Pay rule.", "--scope", "pay", "--category", "gotcha")
    (path,) = base.root.glob("pay/memories/gotcha/*.yaml")
    assert "scope:" not in path.read_text(encoding="utf-8")


def conflict_in_the_target(repo: Repo) -> None:
    repo.curator("render")
    repo.commit()
    for branch, words in (("other", "theirs"), ("main", "ours")):
        repo.git("checkout", "-q", *(["-b", branch] if branch == "other" else [branch]))
        repo.write("CLAUDE.md", repo.read("CLAUDE.md").replace("top\n", f"{words}\n"))
        repo.commit()
    with pytest.raises(subprocess.CalledProcessError):
        repo.git("merge", "-q", "other")


def test_an_open_merge_of_the_target_stays_open(base: Repo) -> None:
    conflict_in_the_target(base)
    resolved = re.sub(r"<<<<<<<.*?>>>>>>> other\n", "ours and theirs\n", base.read("CLAUDE.md"), flags=re.S)
    base.write("CLAUDE.md", resolved)
    result = base.curator("add", "Ship on Fridays.")
    assert result.exit_code == 0
    assert "CLAUDE.md: unmerged" in result.stderr
    assert base.git("ls-files", "-u", "CLAUDE.md")
    assert "ours and theirs" in base.read("CLAUDE.md")
    assert "- Ship on Fridays." in base.read("CLAUDE.md")


def test_an_ignored_place_is_named_before_anything_is_written(base: Repo) -> None:
    base.write(".gitignore", "memories/gotcha/\n")
    result = base.curator("add", "Ship on Fridays.", "--category", "gotcha")
    assert result.exit_code == 2
    assert "git ignores it, so nothing was written" in result.stderr
    assert "memories/gotcha/ship-" in result.stderr
    assert not list(base.root.glob("memories/gotcha/*"))


def test_an_unusable_lock_is_named_before_anything_is_written(base: Repo) -> None:
    (base.root / ".git/curator").write_text("in the way", encoding="utf-8")
    assert base.curator("add", "Ship on Fridays.").exit_code == 2
    assert not entries(base)


def test_what_an_edited_entry_said_before_may_be_added_again(base: Repo) -> None:
    base.curator("add", "Ship on Fridays.")
    (path,) = entries(base)
    path.write_text(path.read_text(encoding="utf-8").replace("Fridays", "Mondays"), encoding="utf-8")
    base.add()
    assert base.curator("add", "Ship on Mondays.").exit_code == 2
    assert base.curator("add", "Ship on Fridays.").exit_code == 0


def test_a_form_takes_paths_from_the_current_folder(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    base.write("src/app.py", "print(1)\n")
    base.commit()
    script = base.write(
        "../editor.sh",
        "#!/bin/sh\nsed -i -e 's/^text: |$/text: |\\n  Ship on Fridays./' "
        "-e 's/^sources: .*/sources: [app.py]/' \"$1\"\n",
    )
    script.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(script))
    monkeypatch.chdir(base.root / "src")
    assert base.curator("add").exit_code == 0
    assert "  - path: src/app.py\n" in entries(base)[0].read_text(encoding="utf-8")


def test_edit_keeps_line_ends_and_repairs_bytes_that_are_no_utf8(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    crlf = base.read("memories/convention/a.yaml").replace("\n", "\r\n")
    base.write("memories/convention/a.yaml", crlf)
    base.commit()
    monkeypatch.setenv("EDITOR", "true")
    assert "unchanged" in base.curator("edit", "a").stdout
    assert base.read("memories/convention/a.yaml") == crlf
    base.write("memories/convention/a.yaml", base.read("memories/convention/a.yaml").replace("-q", "caf\udce9"))
    base.commit()
    script = base.write("../editor.sh", '#!/bin/sh\nLC_ALL=C sed -i s/caf./-q/ "$1"\n')
    script.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(script))
    result = base.curator("edit", "memories/convention/a.yaml")
    assert result.exit_code == 0, result.stderr
    assert base.read("memories/convention/a.yaml") == crlf


def test_an_editor_that_fails_is_an_error_with_a_next_step(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "false")
    result = base.curator("edit", "a")
    assert result.exit_code == 2
    assert "set EDITOR to an editor that runs here" in result.stderr


def test_a_reworded_line_is_no_loss(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    base.curator("render")
    base.commit()
    script = base.write("../editor.sh", '#!/bin/sh\nsed -i "s/with -q/with -x/" "$1"\n')
    script.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(script))
    result = base.curator("edit", "a")
    assert result.exit_code == 0
    assert "gone from the block" not in result.stderr


def test_a_text_that_cannot_be_taken_is_kept(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    script = base.write("../editor.sh", '#!/bin/sh\nsed -i "s/^importance: .*/importance: 99/" "$1"\n')
    script.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(script))
    result = base.curator("edit", "a")
    assert result.exit_code == 2
    assert "your text is kept in .git/curator/unfinished.yaml" in result.stderr
    assert "importance: 99" in base.read(".git/curator/unfinished.yaml")
    assert "importance: 5" in base.read("memories/convention/a.yaml")


@pytest.mark.parametrize("propose", [[], ["--propose"]])
def test_what_is_replaced_may_be_named_by_the_end_of_its_id(base: Repo, propose: list[str]) -> None:
    base.memory("old-rule-8c0d07", "Deploy from any branch.")
    base.commit()
    command = ["add", *propose, "Deploy from main only.", "--supersedes"]
    ran = base.curator(*command, "8c0d70")
    assert ran.exit_code == 2
    assert "no memory '8c0d70'" in ran.stderr
    ran = base.curator(*command, "old-rule-8c0d70")
    assert (ran.exit_code, "did you mean old-rule-8c0d07?" in ran.stderr) == (2, True)
    assert base.curator(*command, "8c0d07").exit_code == 0
    places = [*base.root.glob("memories/*/deploy-main-*.yaml"), *base.root.glob(".git/curator/inbox/*.yaml")]
    assert ["- old-rule-8c0d07" in place.read_text() for place in places] == [True]


def test_an_edit_that_names_nothing_to_replace_is_refused(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    base.memory("old-rule-8c0d07", "Deploy from any branch.")
    base.commit()
    for name, code in (("zebra", 2), ("8c0d07", 0)):
        monkeypatch.setenv("EDITOR", f"sed -i '$a supersedes: [{name}]'")
        assert base.curator("edit", "a").exit_code == code
    assert "old-rule-8c0d07" in base.read("memories/convention/a.yaml")


def test_an_edit_of_the_category_moves_the_file(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "sed -i 's/^category: .*/category: gotcha/'")
    ran = base.curator("edit", "a")
    assert ran.exit_code == 0, ran.stderr
    assert "memories/gotcha/a.yaml" in ran.stdout
    assert "###" not in ran.output
    assert not (base.root / "memories/convention/a.yaml").exists()
    moved = "R  memories/convention/a.yaml -> memories/gotcha/a.yaml\n"
    assert base.git("status", "--porcelain", "--", "memories") == moved
    assert "### Gotchas\n- Run pytest with -q." in base.read("CLAUDE.md")
    monkeypatch.setenv("EDITOR", "sed -i 's/^category: .*/category: convention/'")
    base.write("memories/convention/a.yaml", "something else\n")
    ran = base.curator("edit", "a")
    assert (ran.exit_code, "is there already" in ran.stderr) == (2, True)
    assert base.read("memories/convention/a.yaml") == "something else\n"


def test_a_file_that_is_not_there_is_told(base: Repo) -> None:
    ran = base.curator("add", "Do not use shop/nothere.py.")
    assert "shop/nothere.py is not in this repository\n" in ran.stderr
    ran = base.curator("add", "Cancel with Order.cancel.")
    assert "nothing in it can be checked against the code: name its file with `--source`; a person looks" in ran.stderr
    base.write("RULES.md", "# Rules\n\n- Do not load shop/gone.py anywhere.\n")
    ran = base.curator("import", "RULES.md")
    assert "named, and not in this repository\n     3  shop/gone.py\n" in ran.stdout
