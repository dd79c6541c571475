"""What blocks hold that no memory says, and blocks that are out of date: told by `diff`, and by `check --since`."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable

import pytest

from curator.core.compare import Compared, Kind, Look, Smell
from curator.edge import snapshot
from curator.edge.snapshot import Snapshot
from curator.model import Level, Workspace
from curator.verbs import diff
from tests.conftest import END, Repo

TODAY = "2026-07-01"
LINE = "- Run `make deploy` when a test fails."
BLOCKS = (Smell.BY_HAND, Smell.OUTDATED)


def compared(repo: Repo, asked: str = "main..HEAD") -> Compared:
    return diff.run(repo.workspace, asked, today=TODAY)


def looks(repo: Repo, asked: str = "main..HEAD") -> list[Look]:
    return [one for one in compared(repo, asked).looks if one.smell in BLOCKS]


def render(repo: Repo, message: str) -> None:
    repo.add()
    assert repo.curator("render").exit_code == 0
    repo.commit(message)


def by_hand(repo: Repo, *lines: str, path: str = "CLAUDE.md") -> None:
    text = repo.read(path)
    repo.write(path, text.replace(END, "".join(f"{line}\n" for line in lines) + END))


@pytest.fixture(params=["here", "main"])
def shop(repo: Repo, request: pytest.FixtureRequest) -> Repo:
    """A rendered block on main, a branch checked out; under both settings of `block`."""
    repo.write("memories/curator.yaml", f"block: {request.param}\n")
    repo.memory("a", "Run pytest with -q.")
    repo.block(inner="")
    render(repo, "base")
    repo.git("switch", "-q", "-c", "topic")
    return repo


@pytest.fixture
def here(repo: Repo) -> Repo:
    repo.memory("a", "Run pytest with -q.")
    repo.block(inner="")
    render(repo, "base")
    repo.git("switch", "-q", "-c", "topic")
    return repo


def test_a_line_by_hand_in_the_block_is_an_error_at_its_line(shop: Repo) -> None:
    by_hand(shop, LINE)
    shop.commit("by hand")
    for asked in ("main..HEAD", "main...HEAD", "main"):
        (look,) = looks(shop, asked)
        assert (look.smell, look.level, look.path) == (Smell.BY_HAND, Level.ERROR, "CLAUDE.md")
        assert shop.read("CLAUDE.md").split("\n")[look.line - 1] == LINE
    assert not compared(shop).is_nothing


def test_all_formats_tell_it_before_all_else(shop: Repo) -> None:
    by_hand(shop, LINE)
    shop.memory("b", "Deploy from main only.")
    shop.commit("by hand")
    screen = shop.curator("diff", "main..HEAD").stdout.split("\n")
    assert "the block changed by hand (1 place)" in screen[0]
    assert screen[2] == "Look at this first" and LINE in screen[3]
    comment = shop.curator("diff", "main..HEAD", "--format", "markdown").stdout
    assert "the block changed by hand" in comment.split("\n")[1]
    assert comment.index("Look at this first") < comment.index("What the agent reads")
    assert shop.curator("diff", "main..HEAD", "--format", "github").stdout.startswith("::error file=CLAUDE.md,line=")
    told = json.loads(shop.curator("diff", "main..HEAD", "--format", "json").stdout)
    assert told["looks"][0]["smell"] == "by hand in the block"


def test_a_block_that_changed_by_hand_is_not_said_to_be_the_same(shop: Repo) -> None:
    by_hand(shop, LINE)
    shop.commit("by hand")
    for form in ("markdown", "terminal"):
        text = shop.curator("diff", "main..HEAD", "--format", form).stdout
        assert LINE in text
        assert "no memory changes" not in text and "same as before" not in text and "as it is" not in text


def test_lines_that_follow_one_another_are_one_thing(shop: Repo) -> None:
    by_hand(shop, "- One.", "- Two.")
    shop.commit("by hand")
    (look,) = looks(shop)
    assert look.message == "2 lines in the block that no memory says, from: - One."


def test_what_the_base_holds_already_is_no_news(shop: Repo) -> None:
    shop.git("switch", "-q", "main")
    by_hand(shop, LINE)
    shop.commit("debt")
    shop.git("switch", "-q", "topic")
    shop.git("merge", "-q", "main")
    shop.memory("b", "Deploy from main only.")
    shop.commit("more")
    assert Smell.BY_HAND not in {one.smell for one in looks(shop)}


def test_what_the_base_renders_meanwhile_is_no_line_by_hand(shop: Repo) -> None:
    """The branch goes on with the old wording of a memory in its block, which main has in new words."""
    shop.memory("b", "Deploy from main only.")
    if "here" in shop.read("memories/curator.yaml"):
        render(shop, "topic")
    else:
        shop.commit("topic")
    shop.git("switch", "-q", "main")
    shop.memory("a", "Run pytest with -q -n 2.")
    render(shop, "main")
    made = compared(shop, "main..topic")
    assert [one.smell for one in made.looks if one.smell in BLOCKS] == []
    assert {one.entry.id: one.kind for one in made.changes} == {"b": Kind.ADDED}


@pytest.mark.parametrize(
    "line",
    [
        "Check before relying on: nothing. Push to main at once.",
        "3 more did not fit: push to main.",
        "## Something else",
        "<!-- a comment -->",
        "  - below an item",
    ],
)
def test_what_only_looks_like_a_closing_line_is_by_hand(shop: Repo, line: str) -> None:
    by_hand(shop, line)
    shop.commit("by hand")
    assert [one.smell for one in looks(shop)] == [Smell.BY_HAND]


def test_a_memory_that_was_retired_long_ago_does_not_come_back_by_hand(shop: Repo) -> None:
    shop.git("switch", "-q", "main")
    shop.memory("old", "Push to the old server.", more="retired:\n  on: '2026-01-01'\n  reason: gone\n")
    shop.commit("old")
    shop.git("switch", "-q", "-C", "topic")
    by_hand(shop, "- Push to the old server.")
    shop.commit("by hand")
    assert [one.smell for one in looks(shop)] == [Smell.BY_HAND]


def test_a_rendered_block_is_right(shop: Repo) -> None:
    shop.memory("b", "Deploy from main only.")
    render(shop, "b")
    assert looks(shop) == []
    assert looks(shop) == []  # from the cache


def test_a_block_that_was_not_rendered_is_told_where_it_has_to_come_along(shop: Repo) -> None:
    shop.memory("b", "Deploy from main only.")
    shop.commit("b")
    expected = [Smell.OUTDATED] if "here" in shop.read("memories/curator.yaml") else []
    found = looks(shop)
    assert [one.smell for one in found] == expected
    assert all(one.level is Level.WARNING and "`curator render`" in one.message for one in found)


def test_code_alone_asks_for_no_block(here: Repo) -> None:
    here.write("code.py", "x = 1\n")
    here.commit("code")
    assert compared(here).is_nothing


def test_a_line_taken_out_by_hand_makes_it_out_of_date(here: Repo) -> None:
    here.write("CLAUDE.md", here.read("CLAUDE.md").replace("- Run pytest with -q.\n", ""))
    here.commit("by hand")
    assert [one.smell for one in looks(here)] == [Smell.OUTDATED]


def test_markers_that_go_are_told(shop: Repo) -> None:
    shop.write("CLAUDE.md", shop.read("CLAUDE.md").replace(END, LINE))
    shop.commit("broken")
    (look,) = looks(shop)
    assert look.level is Level.ERROR
    assert "the end marker is missing" in look.message


def test_a_target_behind_a_link_is_looked_at(shop: Repo) -> None:
    shop.git("switch", "-q", "main")
    shop.git("mv", "CLAUDE.md", "AGENTS.md")
    (shop.root / "CLAUDE.md").symlink_to("AGENTS.md")
    shop.commit("link")
    shop.git("switch", "-q", "-C", "topic")
    by_hand(shop, LINE, path="AGENTS.md")
    shop.commit("by hand")
    (look,) = looks(shop)
    assert (look.smell, look.path) == (Smell.BY_HAND, "AGENTS.md")


def test_the_branchs_own_file_counts_where_main_moved_on(shop: Repo) -> None:
    by_hand(shop, LINE)
    shop.commit("by hand")
    shop.git("switch", "-q", "main")
    shop.memory("b", "Deploy from main only.")
    render(shop, "main")
    (look,) = looks(shop, "main..topic")
    assert (look.smell, look.level) == (Smell.BY_HAND, Level.ERROR)
    assert not (shop.root / ".git/curator").joinpath("merge").exists()


def test_blocks_that_conflict_leave_the_memories_merged(here: Repo) -> None:
    here.memory("b", "Deploy from main only.")
    render(here, "topic")
    here.git("switch", "-q", "main")
    here.memory("c", "Parcels are weighed twice.")
    render(here, "main")
    assert subprocess.run(["git", "merge", "-q", "topic"], cwd=here.root, capture_output=True).returncode
    here.git("merge", "--abort")
    made = compared(here, "main..topic")
    assert {one.entry.id: one.kind for one in made.changes} == {"b": Kind.ADDED}
    assert made.notes == (
        "merged as text, without a merge driver, CLAUDE.md conflicts in the block alone: `curator render` settles it",
    )
    assert [one for one in made.looks if one.smell in BLOCKS] == []
    assert here.curator("diff", "main..topic").stdout.split("\n")[1].startswith("! merged as text")


def test_a_conflict_beside_the_block_is_named(here: Repo) -> None:
    for branch in ("topic", "main"):
        here.git("switch", "-q", branch)
        here.write("code.py", f"x = '{branch}'\n")
        here.memory(branch, f"The rule of {branch} is one of a kind.")
        here.commit(branch)
    assert compared(here, "main..topic").notes == (
        "merged as text, without a merge driver, code.py conflicts; the memories merge, and are compared as merged",
    )


# --- check --since ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["by hand", "not rendered", "settings"])
def test_since_a_branch_its_block_has_to_be_right(here: Repo, kind: str) -> None:
    if kind == "by hand":
        by_hand(here, LINE)
    elif kind == "settings":
        here.write("memories/curator.yaml", "preamble: false\n")
    else:
        here.memory("b", "Deploy from main only.")
    here.commit(kind)
    ran = here.curator("check", "--since", "main")
    assert ran.exit_code == 1
    assert "CLAUDE.md" in ran.stderr and "`curator render`" in ran.stderr


def test_since_a_branch_that_touches_neither_the_block_is_not_looked_at(here: Repo) -> None:
    here.git("switch", "-q", "main")
    by_hand(here, LINE)
    here.commit("debt")
    here.git("switch", "-q", "-C", "topic")
    here.write("code.py", "x = 1\n")
    here.commit("code")
    assert here.curator("check", "--since", "main").exit_code == 0


def test_since_a_branch_that_renders_all_is_well(shop: Repo) -> None:
    shop.memory("b", "Deploy from main only.")
    render(shop, "b")
    assert shop.curator("check", "--since", "main").exit_code == 0


def test_since_a_branch_that_changes_prose_alone_is_not_held_to_the_debt_of_the_base(here: Repo) -> None:
    here.git("switch", "-q", "main")
    here.memory("b", "Deploy from main only.")
    here.commit("not rendered")
    here.git("switch", "-q", "-C", "topic")
    here.write("CLAUDE.md", here.read("CLAUDE.md").replace("USER TAIL", "OTHER TAIL"))
    here.add()
    assert here.curator("check", "--staged").exit_code == 0
    here.commit("prose")
    assert looks(here) == looks(here, "main...HEAD") == looks(here, "main") == []
    assert here.curator("check", "--since", "main").exit_code == 0
    here.memory("c", "Parcels are weighed twice.")
    here.commit("now it is held to the block")
    assert [one.smell for one in looks(here)] == [Smell.OUTDATED]
    assert here.curator("check", "--since", "main").exit_code == 1


def test_since_a_branch_that_breaks_off_a_marker_is_held_to_it(here: Repo) -> None:
    here.write("CLAUDE.md", here.read("CLAUDE.md").replace(END, ""))
    here.commit("broken")
    assert here.curator("check", "--since", "main").exit_code == 1


# --- a trusted ref ------------------------------------------------------------------------------------------------


@pytest.fixture(params=["settings", "git config"])
def trusting(repo: Repo, request: pytest.FixtureRequest) -> Repo:
    """A branch of a store that trusts main: a render writes what main holds."""
    repo.memory("a", "Run pytest with -q.")
    repo.write("memories/curator.yaml", "trust: main\n" if request.param == "settings" else "schema: 1\n")
    repo.block(inner="")
    repo.commit("base")
    if request.param == "git config":
        repo.git("config", "curator.trust", "main")
    render(repo, "rendered")
    repo.git("switch", "-q", "-c", "topic")
    return repo


def test_with_a_trusted_ref_no_branch_is_held_to_its_own_memories(trusting: Repo) -> None:
    trusting.memory("b", "Deploy from main only.")
    trusting.add()
    assert trusting.curator("check", "--staged").exit_code == 0
    render(trusting, "b")
    assert "Deploy" not in trusting.read("CLAUDE.md")
    assert trusting.curator("check", "--since", "main").exit_code == 0
    if "trust" in trusting.read("memories/curator.yaml"):  # a review reads no settings of one clone
        assert looks(trusting) == looks(trusting, "main...HEAD") == looks(trusting, "main") == []


def test_with_a_trusted_ref_a_line_by_hand_is_told_all_the_same(trusting: Repo) -> None:
    by_hand(trusting, LINE)
    trusting.commit("by hand")
    assert [one.smell for one in looks(trusting)] == [Smell.BY_HAND]


def test_a_line_that_the_base_says_meanwhile_is_not_by_hand(shop: Repo) -> None:
    """A branch behind main may hold the block of main: it was rendered with `trust: main`, or came by hand."""
    shop.git("switch", "-q", "main")
    shop.memory("b", "Deploy from main only.")
    render(shop, "main went on")
    block = shop.read("CLAUDE.md")
    shop.git("switch", "-q", "topic")
    shop.write("CLAUDE.md", block)
    shop.memory("c", "Parcels are weighed twice.")
    shop.commit("the block of main")
    for asked in ("main..topic", "main...topic", "main"):
        assert Smell.BY_HAND not in {one.smell for one in looks(shop, asked)}
    by_hand(shop, LINE)
    shop.commit("by hand")
    for asked in ("main..topic", "main...topic", "main"):
        assert [one.message for one in looks(shop, asked) if one.smell is Smell.BY_HAND] == [
            f"a line in the block that no memory says: {LINE}"
        ]


def test_where_main_went_on_with_code_alone_no_third_side_is_read(shop: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    by_hand(shop, LINE)
    shop.memory("b", "Deploy from main only.")
    shop.commit("topic")
    shop.git("switch", "-q", "main")
    shop.write("code.py", "x = 1\n")
    shop.commit("main")
    read: list[str] = []
    both = snapshot.both

    def noted(
        workspace: Workspace, before: str, after: str, near: Iterable[Snapshot] = ()
    ) -> tuple[Snapshot, Snapshot]:
        read.append(after)
        return both(workspace, before, after, near)

    monkeypatch.setattr(snapshot, "both", noted)
    assert [one.smell for one in looks(shop, "main..topic")] == [Smell.BY_HAND]
    assert len(read) == 1
    shop.memory("c", "Parcels are weighed twice.")
    shop.commit("main")
    assert [one.smell for one in looks(shop, "main..topic")] == [Smell.BY_HAND]
    assert len(read) == 3
