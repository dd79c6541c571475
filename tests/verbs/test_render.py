"""The main job: reviewed entries become the block."""

from __future__ import annotations

import json
import os
import re

import pytest

from curator.edge import store
from tests.conftest import END, START, Repo


def test_render_writes_the_staged_entries_between_the_markers_and_nothing_else(base: Repo) -> None:
    result = base.curator("render")
    assert result.exit_code == 0
    text = base.read("CLAUDE.md")
    assert text.startswith(f"# Project\ntop\n{START}\n## Agent memory\n")
    assert "### Conventions\n- Run pytest with -q.\n" in text
    assert text.endswith(f"{END}\nUSER TAIL\n")


def test_a_second_render_writes_nothing(base: Repo) -> None:
    base.curator("render")
    before = (base.root / "CLAUDE.md").stat()
    assert "block unchanged" in base.curator("render").stderr
    after = (base.root / "CLAUDE.md").stat()
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)


def test_render_shows_a_bar_for_each_category_and_what_was_left_out(base: Repo) -> None:
    base.memory("long", "数" * 600)
    base.add()
    result = base.curator("render")
    assert "convention" in result.stdout
    assert "1 shown, 1 left out" in result.stdout
    assert "left out, over budget: long" in result.stderr
    assert "to show all: raise convention to " in result.stderr
    assert '1 more did not fit: `curator recall "<topic>"`.' in base.read("CLAUDE.md")


def many_targets(repo: Repo) -> None:
    """Three files for the whole repository, two for one scope, one for a folder that nothing is about."""
    repo.memory("api", "Handlers log no tokens.", more="scope: api/\n")
    for number in range(5):
        repo.memory(f"old{number}", f"Rule {number}.", more="retired: {on: '2026-01-01', reason: gone}\n")
    paths = {"AGENTS.md": "", "GEMINI.md": "", "one.md": "api/", "two.md": "api/", "three.md": "web/"}
    rows = "".join(f"  - path: {path}\n" + (f"    scope: {scope}\n" if scope else "") for path, scope in paths.items())
    repo.write("memories/curator.yaml", f"schema: 1\ntargets:\n  - path: CLAUDE.md\n{rows}")
    for path in paths:
        repo.write(path, f"{START}\n{END}\n")
    repo.add()


def test_many_targets_are_told_in_few_lines(base: Repo) -> None:
    many_targets(base)
    result = base.curator("render")
    told = re.sub(r"\d+ tokens", "N tokens", result.stdout).split("\n")
    assert [line for line in told if line and not line.startswith(" ")] == [
        "CLAUDE.md, AGENTS.md, GEMINI.md: N tokens each, 2,200 budgeted in all categories",
        "one.md, two.md: N tokens each, 2,200 budgeted in all categories",
        "three.md: N tokens, no memory in it",
    ]
    assert [line.split()[0] for line in told if line.startswith(" ")] == ["convention", "convention"]
    assert result.stderr.startswith(
        "CLAUDE.md, AGENTS.md, GEMINI.md, one.md, two.md, three.md: block rewritten\n"
        "left out, retired: 5 memories (`curator list --out`)\n"
    )
    assert base.curator("render").stderr.startswith(
        "CLAUDE.md, AGENTS.md, GEMINI.md, one.md, two.md, three.md: block un"
    )
    status = base.curator("status").stdout
    assert re.search(r"\n\nCLAUDE.md, AGENTS.md, GEMINI.md: \d+ tokens each", status)
    assert status.count("0/") == 0


def test_what_one_of_many_targets_leaves_out_is_told_with_its_name(base: Repo) -> None:
    many_targets(base)
    base.memory("long", "数" * 600)
    base.memory("longer", "数" * 600, more="scope: api/\n")
    base.memory("lost", "No block is for this one.", more="scope: elsewhere/\n")
    text = base.read("memories/curator.yaml").replace("AGENTS.md\n", "AGENTS.md\n    budget: {convention: 2000}\n")
    base.write("memories/curator.yaml", text.replace("  - path: three.md\n    scope: web/\n", ""))
    base.add()
    told = base.curator("render").stderr.split("\n")
    assert [line for line in told if line.startswith("left out")] == [
        "left out of CLAUDE.md, GEMINI.md, over budget: long",
        "left out of one.md, two.md, over budget: longer",
        "left out, retired: 5 memories (`curator list --out`)",
        "left out, scope elsewhere/: lost",
    ]
    assert sum(line.startswith("to show all: raise convention to ") for line in told) == 1
    assert not any(
        "left out, scope" in line for line in base.curator("render", "--target", "one.md").stderr.split("\n")
    )


def test_a_budget_of_a_target_is_named_as_its_own(base: Repo) -> None:
    base.write("memories/curator.yaml", "schema: 1\ntargets:\n  - path: CLAUDE.md\n    budget: {convention: 5}\n")
    base.add()
    assert " under the `budget` of CLAUDE.md in memories/curator.yaml\n" in base.curator("render").stderr


def test_a_loose_file_is_named_and_not_used(base: Repo) -> None:
    base.memory("loose", "Nobody reviewed this.")
    result = base.curator("render")
    assert "memories/convention/loose.yaml: note: neither staged nor committed: not used" in result.stderr
    assert "Nobody reviewed" not in base.read("CLAUDE.md")


def test_trusted_bytes_are_used_where_the_file_on_disk_differs(base: Repo) -> None:
    base.memory("a", "Changed behind the back.")
    result = base.curator("render")
    assert "a.yaml: note: differs from the staged version, which is used" in result.stderr
    assert "Run pytest with -q." in base.read("CLAUDE.md")


def test_check_fails_with_a_diff_until_the_block_is_rendered(base: Repo) -> None:
    result = base.curator("render", "--check")
    assert result.exit_code == 1
    assert "-old\n" in result.stdout
    assert "+- Run pytest with -q.\n" in result.stdout
    assert "CLAUDE.md: the block is out of date\n  -> `curator render`, then `git add CLAUDE.md`" in result.stderr
    assert base.read("CLAUDE.md").count("old") == 1
    base.curator("render")
    assert base.curator("render", "--check").exit_code == 0


def test_check_sees_a_hand_edit_after_it_was_known_to_be_right(base: Repo) -> None:
    base.curator("render")
    assert base.curator("render", "--check").exit_code == 0
    base.write("CLAUDE.md", base.read("CLAUDE.md").replace("- Run pytest", "- Also this.\n- Run pytest"))
    result = base.curator("render", "--check")
    assert result.exit_code == 1
    assert "-- Also this." in result.stdout


def test_a_hand_edited_line_is_named_when_it_goes(base: Repo) -> None:
    base.curator("render")
    base.write("CLAUDE.md", base.read("CLAUDE.md").replace("- Run pytest", "- Also this.\n- Run pytest"))
    assert "gone from the block, no memory says it: - Also this." in base.curator("render").stderr


def test_diff_shows_the_change_and_exits_0(base: Repo) -> None:
    result = base.curator("render", "--diff")
    assert result.exit_code == 0
    assert "+- Run pytest with -q." in result.stdout
    assert "old" in base.read("CLAUDE.md")


def test_expiry_alone_never_fails_a_check_and_leaves_at_the_next_render(
    base: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    from curator.cli import door

    base.memory("due", "Only until spring.", more="expires: '2026-06-01'\nreview_by: '2099-12-31'\n")
    base.add()
    monkeypatch.setattr(door, "today", lambda: "2026-05-01")
    base.curator("render")
    assert "Only until spring." in base.read("CLAUDE.md")
    monkeypatch.setattr(door, "today", lambda: "2026-06-02")
    assert base.curator("render", "--check").exit_code == 0
    (base.root / ".git" / "curator" / "index.db").unlink()
    assert base.curator("render", "--check").exit_code == 0
    result = base.curator("render")
    assert "left out, expired: due" in result.stderr
    assert "Only until spring." not in base.read("CLAUDE.md")
    assert base.curator("render", "--check").exit_code == 0


def test_an_entry_shows_through_the_last_day_before_it_expires(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    from curator.cli import door

    base.memory("due", "Only until spring.", more="expires: '2026-06-01'\nreview_by: '2099-12-31'\n")
    base.add()
    monkeypatch.setattr(door, "today", lambda: "2026-06-01")
    base.curator("render")
    assert "Only until spring." in base.read("CLAUDE.md")


def test_render_reads_the_trusted_ref_when_one_is_set(base: Repo) -> None:
    base.write("memories/curator.yaml", "schema: 1\ntrust: HEAD\n")
    base.commit()
    base.memory("new", "Staged, not committed.")
    base.add()
    result = base.curator("render")
    assert "Staged, not committed." not in base.read("CLAUDE.md")
    assert "new.yaml: note: not in HEAD: not used" in result.stderr
    base.commit()
    base.curator("render")
    assert "Staged, not committed." in base.read("CLAUDE.md")


def test_the_users_own_trust_setting_overrides_the_repositorys(base: Repo) -> None:
    base.memory("new", "Staged, not committed.")
    base.add()
    base.git("config", "curator.trust", "HEAD")
    base.curator("render")
    assert "Staged, not committed." not in base.read("CLAUDE.md")


def test_a_missing_trusted_ref_is_named(base: Repo) -> None:
    base.write("memories/curator.yaml", "schema: 1\ntrust: origin/main\n")
    base.add()
    result = base.curator("render")
    assert result.exit_code == 2
    assert "memories/curator.yaml: the trusted ref 'origin/main' does not exist here" in result.stderr


def test_block_main_is_checked_on_the_default_branch_only(base: Repo) -> None:
    base.write("memories/curator.yaml", "schema: 1\nblock: main\n")
    base.commit()
    assert base.curator("render", "--check").exit_code == 1
    base.git("checkout", "-qb", "feature")
    result = base.curator("render", "--check")
    assert result.exit_code == 0
    assert "block: main" in result.stderr


def test_render_for_a_task_prints_hits_first_and_writes_nothing(base: Repo) -> None:
    base.write("memories/curator.yaml", "schema: 1\nbudget: {convention: 30}\n")
    base.memory("b", "Deploy with terraform from the infra folder.")
    base.memory("c", "Name branches after tickets.")
    base.add()
    before = base.read("CLAUDE.md")
    result = base.curator("render", "--task", "terraform deploy fails")
    assert "Deploy with terraform" in result.stdout
    assert base.read("CLAUDE.md") == before


def test_a_task_block_goes_only_into_a_file_that_git_ignores(base: Repo) -> None:
    refused = base.curator("render", "--task", "pytest", "--to", "CLAUDE.local.md")
    assert refused.exit_code == 2
    assert "git does not ignore it" in refused.stderr
    base.write(".gitignore", "CLAUDE.local.md\n")
    assert base.curator("render", "--task", "pytest", "--to", "CLAUDE.local.md").exit_code == 0
    assert base.curator("render", "--task", "pytest", "--to", "CLAUDE.local.md").exit_code == 0
    text = base.read("CLAUDE.local.md")
    assert text.count(START) == 1
    assert "Run pytest with -q." in text


def test_targets_with_scope_get_the_entries_of_their_folder(base: Repo) -> None:
    base.write(
        "memories/curator.yaml",
        "schema: 1\ntargets:\n  - path: CLAUDE.md\n  - path: shop/CLAUDE.md\n    scope: shop/\n",
    )
    base.memory("s", "Shop rule.", more="scope: shop/\nreview_by: '2099-12-31'\n")
    base.block("shop/CLAUDE.md")
    base.commit()
    assert base.curator("render").exit_code == 0
    assert "Shop rule." in base.read("shop/CLAUDE.md")
    assert "Shop rule." not in base.read("CLAUDE.md")
    assert "Run pytest" not in base.read("shop/CLAUDE.md")


def test_only_the_named_target_is_rendered(base: Repo) -> None:
    base.write("memories/curator.yaml", "schema: 1\ntargets:\n  - path: CLAUDE.md\n  - path: AGENTS.md\n")
    base.block("AGENTS.md")
    base.commit()
    assert base.curator("render", "--target", "AGENTS.md").exit_code == 0
    assert "Run pytest" in base.read("AGENTS.md")
    assert "Run pytest" not in base.read("CLAUDE.md")
    unknown = base.curator("render", "--target", "NOTES.md")
    assert unknown.exit_code == 2
    assert "NOTES.md is not a target" in unknown.stderr


def test_a_slow_render_never_puts_an_older_block_over_a_newer_one(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    from curator.core import rank

    real = rank.order
    calls = []

    def slow(*arguments: object) -> object:
        calls.append(1)
        if len(calls) == 1:  # somebody adds a memory and renders while this render thinks
            base.memory("newer", "Added meanwhile.")
            base.add()
            base.curator("render")
        return real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(rank, "order", slow)
    assert base.curator("render").exit_code == 0
    assert "- Added meanwhile." in base.read("CLAUDE.md")


def test_an_unfinished_merge_changes_nothing(base: Repo) -> None:
    base.git("checkout", "-qb", "other")
    base.memory("a", "One.")
    base.commit()
    base.git("checkout", "-q", "main")
    base.memory("a", "Two.")
    base.commit()
    with pytest.raises(Exception, match="merge"):
        base.git("merge", "-q", "other")
    before = base.read("CLAUDE.md")
    result = base.curator("render")
    assert result.exit_code == 2
    assert "memories/convention/a.yaml: unmerged" in result.stderr
    assert base.read("CLAUDE.md") == before


def test_render_json_holds_what_was_shown_and_left_out(base: Repo) -> None:
    base.memory("long", "数" * 600)
    base.add()
    told = json.loads(base.curator("render", "--json").stdout)
    (target,) = told["targets"]
    assert told["changed"] == ["CLAUDE.md"]
    assert [part["shown"] for part in target["categories"] if part["category"] == "convention"] == [["a"]]
    assert target["left_out"][0]["id"] == "long"


def test_the_same_store_gives_the_same_bytes_in_any_order_of_hashing(base: Repo) -> None:
    import subprocess
    import sys

    for number in range(30):
        base.memory(f"m{number}", f"Rule {number} about widgets and gears.")
    base.add()
    seen = set()
    for seed in ("0", "1", "2"):
        (base.root / ".git" / "curator" / "index.db").unlink(missing_ok=True)
        environment = os.environ | {"PYTHONHASHSEED": seed, "LC_ALL": "C" if seed == "1" else "C.UTF-8"}
        subprocess.run(
            [sys.executable, "-m", "curator", "render"], cwd=base.root, env=environment, check=True, capture_output=True
        )
        seen.add(base.read("CLAUDE.md"))
    assert len(seen) == 1


def test_nested_stores_of_a_monorepo_are_read_where_they_hold_settings(base: Repo) -> None:
    base.write("memories/curator.yaml", "targets:\n  - path: CLAUDE.md\n  - path: pay/CLAUDE.md\n    scope: pay/\n")
    base.write("pay/memories/curator.yaml", "")
    base.write("pay/memories/gotcha/n.yaml", base.read(base.memory("n", "Pay rule.", "gotcha")))
    (base.root / "memories/gotcha/n.yaml").unlink()
    base.write("lib/memories/gotcha/x.yaml", base.read("pay/memories/gotcha/n.yaml"))
    base.block("pay/CLAUDE.md")
    base.commit()
    base.curator("render")
    assert "Pay rule." in base.read("pay/CLAUDE.md")
    assert "Pay rule." not in base.read("CLAUDE.md")
    told = json.loads(base.curator("list", "--json").stdout)
    assert [entry["path"] for entry in told["entries"]] == ["memories/convention/a.yaml", "pay/memories/gotcha/n.yaml"]


def test_a_check_never_remembers_a_block_of_an_older_index(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    base.curator("render")
    (base.root / ".git/curator/index.db").unlink()
    real = store.remember

    def late(*arguments: object) -> None:
        monkeypatch.setattr(store, "remember", real)
        base.memory("newer", "Staged meanwhile.")
        base.add()
        real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(store, "remember", late)
    base.curator("render", "--check")
    assert base.curator("render", "--check").exit_code == 1


def test_a_scope_covers_its_folder_and_not_its_namesakes(base: Repo) -> None:
    base.write("memories/curator.yaml", "targets:\n  - path: CLAUDE.md\n  - path: svc/CLAUDE.md\n    scope: svc\n")
    base.memory("old", "Old service.", more="scope: svc-old\nreview_by: '2099-12-31'\n")
    base.memory("new", "New service.", more="scope: svc\nreview_by: '2099-12-31'\n")
    base.block("svc/CLAUDE.md")
    base.commit()
    base.curator("render")
    assert "New service." in base.read("svc/CLAUDE.md")
    assert "Old service." not in base.read("svc/CLAUDE.md")


def test_two_targets_that_are_one_file_must_want_one_block(base: Repo) -> None:
    (base.root / "AGENTS.md").symlink_to("CLAUDE.md")
    base.write("memories/curator.yaml", "targets:\n  - path: CLAUDE.md\n  - path: AGENTS.md\n")
    base.commit()
    assert base.curator("render").exit_code == 0
    base.write("memories/curator.yaml", "targets:\n  - path: CLAUDE.md\n  - path: AGENTS.md\n    budget: {gotcha: 9}\n")
    base.add()
    result = base.curator("render")
    assert result.exit_code == 2
    assert "two targets are this file" in result.stderr


def test_a_check_of_many_expiry_dates_composes_only_blocks_that_differ(
    base: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    from curator.core import page

    base.write("memories/curator.yaml", "budget: {convention: 40}\n")
    for day in range(1, 29):
        base.memory(f"z{day:02}", f"Rule {day} of many.", more=f"expires: '2099-01-{day:02}'\n")
    base.add()
    base.curator("render")
    base.write("CLAUDE.md", base.read("CLAUDE.md").replace("- Run", "- Do run"))
    real, calls = page.body, []

    def counted(*arguments: object, **options: object) -> str:
        calls.append(1)
        return real(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(page, "body", counted)
    assert base.curator("render", "--check").exit_code == 1
    assert len(calls) <= 30


def test_block_main_asks_nothing_of_another_branchs_target(base: Repo) -> None:
    base.write("memories/curator.yaml", "block: main\n")
    base.commit()
    base.git("checkout", "-qb", "feature")
    (base.root / "CLAUDE.md").unlink()
    assert base.curator("render", "--check").exit_code == 0
