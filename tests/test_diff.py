"""`curator diff RANGE` as people and CI run it: four formats, quiet where nothing changed, safe whatever is in git."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema
import pytest

from tests.conftest import Repo

FORMS = ("terminal", "markdown", "json", "github")


def diff(repo: Repo, asked: str = "main..HEAD", form: str = "terminal") -> str:
    ran = repo.curator("diff", asked, "--format", form)
    assert ran.exit_code == 0, ran.output
    return ran.stdout


@pytest.fixture
def branch(base: Repo) -> Repo:
    """One memory on main; a branch that changes it and adds one."""
    base.memory("b", "Deploy from main only.")
    base.commit("b")
    base.git("switch", "-q", "-c", "topic")
    base.memory("a", "Run pytest with -q -n 2.")
    base.memory("new", "Tabs in Makefiles.")
    base.commit("topic")
    return base


def test_a_branch_is_shown_on_one_screen(branch: Repo) -> None:
    text = diff(branch)
    assert text.startswith("1 new, 1 changed, a block out of date; CLAUDE.md ")
    assert "+ convention  Tabs in Makefiles." in text
    assert "- convention  Run pytest with -q." in text
    assert "+ convention  Run pytest with -q {+-n 2+}." in text


def test_one_ref_compares_what_is_staged(branch: Repo) -> None:
    branch.memory("staged", "Staged only.")
    branch.memory("unstaged", "Written, not staged.")
    branch.git("add", "memories/convention/staged.yaml")
    text = diff(branch, "main")
    assert "Staged only." in text
    assert "Written, not staged." not in text


def test_the_formats_say_the_same(branch: Repo) -> None:
    assert diff(branch, form="markdown").startswith("<!-- curator:review -->\n### Memory changes: 1 new, 1 changed, ")
    assert json.loads(diff(branch, form="json"))["summary"] == "1 new, 1 changed, a block out of date"
    for line in diff(branch, form="github").splitlines():
        assert re.fullmatch(
            r"::(error|warning|notice) (file=(memories/[^,]+|CLAUDE.md),line=\d+,)?title=[^:]+::.+", line
        )


def test_annotations_name_the_range_as_a_readers_clone_has_it(branch: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    for at in range(12):
        branch.memory(f"m{at}", f"The rule number {at} stands alone.")
    branch.commit("many")
    assert "`curator diff main..HEAD --format json` holds all of them" in diff(branch, form="github")
    monkeypatch.setenv("CURATOR_RANGE", "origin/main..origin/topic")
    assert "`curator diff origin/main..origin/topic --format json`" in diff(branch, form="github")


def test_nothing_changed_prints_nothing(base: Repo) -> None:
    base.write("code.py", "x = 1\n")
    base.commit("code")
    for form in ("terminal", "markdown", "github"):
        assert diff(base, "HEAD~1..HEAD", form) == ""
    assert "no memory changes" in base.curator("diff", "HEAD~1..HEAD").stderr
    assert json.loads(diff(base, "HEAD~1..HEAD", "json"))["changes"] == []


def test_nothing_is_written(branch: Repo) -> None:
    for form in FORMS:
        diff(branch, form=form)
    assert branch.git("status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("nowhere..HEAD",), "nowhere"),
        (("main", "HEAD"), "`curator diff main..HEAD`"),
        (("--format", "markdown"), "`curator diff main..HEAD --format markdown`"),
        (("--", "--output=x..HEAD"), "--output=x"),
        (("main..HEAD", "--format", "xml"), "markdown"),
    ],
)
def test_what_cannot_be_asked_is_answered(branch: Repo, arguments: tuple[str, ...], told: str) -> None:
    ran = branch.curator("diff", *arguments)
    assert ran.exit_code == 2
    assert told in ran.stderr
    assert "Traceback" not in ran.output
    assert branch.git("status", "--porcelain") == ""


def test_the_help_says_what_to_type(base: Repo) -> None:
    text = base.curator("diff", "--help").stdout
    assert "curator diff main..HEAD" in text
    assert "[RANGE]" in text


def test_a_file_that_cannot_be_read_is_told_and_the_rest_shown(branch: Repo) -> None:
    branch.write("memories/gotcha/broken.yaml", b"schema: 1\nid: [\n\xff\x00")
    branch.commit("broken")
    for form in FORMS:
        text = diff(branch, form=form)
        assert "memories/gotcha/broken.yaml" in text
        assert form == "github" or "Makefiles" in text
    assert "::error file=memories/gotcha/broken.yaml" in diff(branch, form="github")


def test_json_has_all_that_a_comparison_holds(branch: Repo) -> None:
    """docs/json.md."""
    found = json.loads(diff(branch, form="json"))
    assert list(found)[:6] == ["base", "head", "base_commit", "head_commit", "one_sided", "summary"]
    assert list(found)[6:] == ["settings", "changes", "effects", "doubts", "looks", "findings", "notes"]
    assert (found["base"], found["head"]) == ("main", "HEAD")
    assert found["head_commit"] == branch.git("rev-parse", "HEAD").strip()
    change = next(one for one in found["changes"] if one["kind"] == "changed")
    assert change["before"]["path"] == change["after"]["path"] == "memories/convention/a.yaml"
    assert change["fields"][0] == {
        "name": "text",
        "before": "Run pytest with -q.",
        "after": "Run pytest with -q -n 2.",
    }
    (effect,) = found["effects"]
    assert effect["enters"] == [{"id": "new", "category": "convention", "path": "memories/convention/new.yaml"}]
    assert {shift["category"] for shift in effect["categories"]} >= {"convention", "gotcha"}
    assert (effect["change"], effect["differs"]) == ("", True)
    assert {"smell", "level", "path", "line", "message", "id", "other", "likeness"} == set(found["looks"][0])
    jsonschema.validate(found, SHAPE)


TEXTS = {"type": "string"}
ENTRY: dict[str, Any] = {"type": ["object", "null"], "required": ["id", "category", "text", "path"]}
SHAPE: dict[str, Any] = {
    "properties": {
        "changes": {
            "items": {
                "required": ["kind", "id", "before", "after", "fields", "by"],
                "properties": {"before": ENTRY, "after": ENTRY},
            }
        },
        "notes": {"type": "array", "items": TEXTS},
        "doubts": {
            "items": {"required": ["kind", "level", "message", "id", "category", "path", "line", "touched", "settled"]}
        },
    }
}


# --- T25: nothing in git drives a terminal or a log -------------------------------------------------------------------

ESCAPES = "\x1b[2J\x1b]52;c;ZXZpbA==\x07\x1b]8;;http://x\x1b\\\x9b31m"
STEERING = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]")


@pytest.fixture
def hostile(base: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Names, authors, texts and settings that try to drive what shows them."""
    monkeypatch.setenv("GIT_AUTHOR_NAME", f"Eve{ESCAPES}")
    monkeypatch.setenv("GIT_COMMITTER_NAME", f"Eve{ESCAPES}")
    base.git("switch", "-q", "-c", "topic")
    base.memory(f"x{ESCAPES.replace('/', '_')}", "Fine text in a file of a bad name.")
    base.memory("esc", f"Text with {ESCAPES} in it.")
    base.memory("cr", "One\rTwo \u202eright\u202c to left.")
    base.memory("log", "::error file=a::b\n::stop-commands::x\n##[error]y\nplain")
    base.memory(
        "ask", "Ask @evil/team about #1 and <b>this</b>, then /merge it.", more="tags: ['::warning::x', '@evil']\n"
    )
    base.write("memories/convention/quoted.yaml", QUOTED)
    base.write("memories/curator.yaml", f'namespace: "x{ESCAPES}"\n'.encode("unicode_escape").replace(b"\\n", b"\n"))
    base.write(f"memories/gotcha/{ESCAPES.replace('/', '_')}.yaml", "broken: [")
    base.commit(f"evil {ESCAPES}")
    return base


QUOTED = r"""schema: 1
id: "quoted"
category: convention
text: "Text \e[2J with \x9b31m escapes \a and \r returns."
importance: 5
review_by: '2099-12-31'
origin: {by: "user\e[2J", agent: "\x9bx", quote: "said \e]52;c;x\a @evil ::error::x"}
"""


@pytest.mark.parametrize("form", FORMS)
def test_no_byte_that_steers_is_printed(hostile: Repo, form: str) -> None:
    """T25."""
    ran = hostile.curator("diff", "main..HEAD", "--format", form)
    assert ran.exit_code == 0
    assert not STEERING.findall(ran.stdout_bytes)
    assert not STEERING.findall(ran.stderr_bytes)
    assert "1b[2J" in ran.stdout


@pytest.mark.parametrize("form", ["terminal", "markdown"])
def test_no_workflow_command_of_a_memory_reaches_the_output(hostile: Repo, form: str) -> None:
    """T25."""
    text = diff(hostile, form=form)
    assert not re.search(r"^\s*::\w", text, re.M)
    assert "##[" not in text


def test_only_our_workflow_commands_reach_the_output(hostile: Repo) -> None:
    """T25."""
    lines = diff(hostile, form="github").splitlines()
    assert lines
    for line in lines:
        assert re.match(r"::(error|warning|notice) (file=[^,:]+,)?(line=\d+,)?title=[^,:]+::", line)


def test_a_ref_of_a_hostile_name_is_shown_as_text(hostile: Repo) -> None:
    """T24: a branch may be called what git allows."""
    name = "evil`@evil#1::error"
    hostile.git("update-ref", f"refs/heads/{name.replace(':', '')}", "HEAD")
    text = diff(hostile, f"main..{name.replace(':', '')}", "markdown")
    assert "``curator diff main..evil`@evil#1error``" in text


def test_the_patch_of_what_waits_is_as_before(base: Repo) -> None:
    ran = base.curator("diff")
    assert (ran.exit_code, ran.stdout) == (0, "")
    assert "nothing waits for review" in ran.stderr
