"""What an audit decides, from values alone."""

from __future__ import annotations

import pytest

from curator.core import mention, survey, wording
from curator.core.intake import Blamed
from curator.core.survey import Version
from curator.core.verdict import Change, Reason
from curator.model import State
from curator.outcome import Statement


def stated(text: str, first: int = 1, last: int = 1, headings: tuple[str, ...] = ()) -> Statement:
    return Statement(text, first, last, headings)


def version(place: int, old: str, new: str) -> Version:
    return Version(f"c{place}", "2026-01-01", "Ada", "s", old, new, place)


def test_front_matter_becomes_blank_lines() -> None:
    assert survey.body("---\nglobs: a\n---\nUse git.\n") == "\n\n\nUse git.\n"
    assert survey.body("Use git.\n---\n") == "Use git.\n---\n"


def test_a_claim_is_as_old_as_its_newest_line() -> None:
    blamed = (Blamed(1, "old", "2026-01-01T00:00:00Z"), Blamed(2, "new", "2026-03-01T00:00:00Z"))

    (claim,) = survey.claims([stated("x", 1, 2)], blamed, "loose")

    assert (claim.commit, claim.time) == ("new", "2026-03-01T00:00:00Z")


@pytest.mark.parametrize(
    ("blamed", "unknown"),
    [
        ((Blamed(1, "a", "2026-01-01T00:00:00Z"), Blamed(2, unknown="loose")), "loose"),
        ((Blamed(1, unknown="cut off"), Blamed(2, unknown="cut off")), "cut off"),
        ((), "loose"),
    ],
)
def test_a_claim_without_a_commit_says_why(blamed: tuple[Blamed, ...], unknown: str) -> None:
    (claim,) = survey.claims([stated("x", 1, 2)], blamed, "loose")

    assert (claim.commit, claim.unknown) == ("", unknown)


def broken(*blobs: str) -> dict[str, bool]:
    return dict.fromkeys(blobs, True)


def test_the_culprit_is_the_first_of_the_unbroken_run_to_now() -> None:
    versions = (version(0, "c", "d"), version(1, "b", "c"), version(2, "a", "b"))
    bad = broken("c", "d")

    assert survey.culprit(versions, lambda blob: blob in bad) == versions[1]


def test_an_earlier_break_that_was_mended_is_no_culprit() -> None:
    versions = (version(0, "a", "c"), version(1, "b", "a"), version(2, "a", "b"))
    bad = broken("b", "c")

    assert survey.culprit(versions, lambda blob: blob in bad) == versions[0]


def test_no_culprit_where_the_newest_version_holds_or_none_ever_did() -> None:
    versions = (version(0, "a", "b"),)

    assert survey.culprit(versions, lambda blob: False) is None
    assert survey.culprit(versions, lambda blob: True) is None
    assert survey.culprit((), lambda blob: True) is None


def test_among_branches_the_newest_breach_counts() -> None:
    versions = (version(0, "x", "y"), version(1, "a", "b"), version(2, "a", "b"))
    bad = broken("b")

    assert survey.breach(versions, lambda blob: blob in bad) == versions[1]


@pytest.mark.parametrize(
    "path",
    [
        "CLAUDE.md",
        "web/AGENTS.md",
        "GEMINI.md",
        ".claude/rules/a/b.md",
        ".claude/CLAUDE.md",
        ".cursorrules",
        ".cursor/rules/x.mdc",
        "web/.cursor/rules/x.md",
        ".github/copilot-instructions.md",
        ".windsurfrules",
    ],
)
def test_instruction_files_are_known_by_name(path: str) -> None:
    assert wording.instructions([path, "README.md", "docs/CLAUDE.md.txt"]) == (path,)


def test_samples_of_instruction_files_instruct_nobody() -> None:
    assert wording.instructions(["templates/CLAUDE.md", "tests/fixtures/AGENTS.md", "vendor/x/AGENTS.md"]) == ()


@pytest.mark.parametrize(
    ("path", "home"),
    [
        ("CLAUDE.md", ""),
        ("web/AGENTS.md", "web/"),
        (".claude/rules/a.md", ""),
        (".claude/CLAUDE.md", ""),
        ("web/.cursor/rules/a.mdc", "web/"),
        (".github/copilot-instructions.md", ""),
    ],
)
def test_a_file_speaks_of_the_folder_around_its_tool_folder(path: str, home: str) -> None:
    assert wording.folder(path) == home


@pytest.mark.parametrize(
    ("text", "home", "written"),
    [
        ("see `web/src/app.ts`", "web/", "web/src/app.ts"),
        ("see `src/app.ts`", "web/", "src/app.ts"),
        ("see `app.ts`", "web/", "app.ts"),
        ("see ../web/src/app.ts.", "api/", "../web/src/app.ts"),
        ("see `myapp.ts` and `app.ts.bak`", "web/", ""),
    ],
)
def test_a_path_is_found_as_it_is_written(text: str, home: str, written: str) -> None:
    assert wording.spelled(text, "web/src/app.ts", home) == written


@pytest.mark.parametrize(
    ("written", "home", "new", "expected"),
    [
        ("web/src/app.ts", "", "web/lib/app.ts", "web/lib/app.ts"),
        ("src/app.ts", "web/", "web/lib/main.ts", "lib/main.ts"),
        ("src/app.ts", "web/", "api/main.ts", "api/main.ts"),
        ("app.ts", "", "web/main.ts", "main.ts"),
        ("app.ts", "", "web/twice.ts", "web/twice.ts"),
        ("../web/src/app.ts", "api/", "lib/app.ts", "../lib/app.ts"),
    ],
)
def test_a_new_path_is_written_as_the_old_one_was(written: str, home: str, new: str, expected: str) -> None:
    known = mention.paths({new, "web/main.ts", "other/twice.ts"})

    assert wording.respelled(written, "web/src/app.ts", new, home, known) == expected


def test_only_the_path_itself_is_rewritten() -> None:
    line = "`a/b.py`, not `x/a/b.py` or `a/b.pyc`; ./a/b.py too"

    assert wording.rewritten(line, "a/b.py", "c.py") == "`c.py`, not `x/a/b.py` or `a/b.pyc`; ./c.py too"
    assert wording.rewritten("under `lib/` or `lib`", "lib/", "src/") == "under `src/` or `src`"


def test_names_are_those_that_say_enough_and_no_sample_code() -> None:
    text = "Use `warm_cache`, `--dry-run`, `lint:fix`, `main` and `get`.\n```py\nlocal_name = 1\n```\nLaTeX"

    assert set(wording.names(text)) == {"warm_cache", "--dry-run", "lint:fix"}


def test_folders_are_named_with_a_slash() -> None:
    text = "Under `src/api/` and docs/, in `lib/core`; not https://x.org/a/b/, `a/*/b/` or `./.hidden`"

    assert set(wording.folders(text)) == {"src/api/", "docs/", "lib/core/"}


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("Never call `f_x`.", True),
        ("Use `g_x` instead of `f_x`.", True),
        ("Do not touch it. Call `f_x` first.", False),
        ("Call `f_x` first.", False),
        ("`f_x` is no longer needed", True),
    ],
)
def test_a_denial_counts_in_the_sentence_that_has_it(text: str, denied: bool) -> None:
    assert wording.denied(stated(text), "f_x") is denied


def test_a_denial_may_stand_in_the_heading() -> None:
    assert wording.denied(stated("`f_x`", headings=("Do not use",)), "f_x")


@pytest.mark.parametrize("text", ["`a/b.txt` is gitignored", "Generated into `a/b.txt`", "e.g. `a/b.txt`"])
def test_a_path_that_is_made_or_an_example_is_at_most_for_review(text: str) -> None:
    reason = Reason(State.STALE, Change.PATH_GONE, "a/b.txt")

    weighed = survey.weighed(reason, stated(text), "a/b.txt")

    assert weighed is not None
    assert weighed.state is State.REVIEW


def test_edited_lines_weak_terms_and_prose_tell_nothing_after_months() -> None:
    said = stated("Call `f_x` of `a.py`.")

    for reason in (
        Reason(State.REVIEW, Change.LINES_GONE, "a.py", "f_x"),
        Reason(State.REVIEW, Change.TERM_GONE, "a.py", "word"),
        Reason(State.STALE, Change.TERM_GONE, "README.md", "f_x"),
        Reason(State.STALE, Change.TERM_GONE, "a.py", "f_x(one"),
    ):
        assert survey.weighed(reason, said, "a.py") is None


@pytest.mark.parametrize(
    ("path", "name", "held", "told"),
    [
        ("a.py", "f_x", True, True),
        ("a.py", "client", True, False),
        ("a.py", "client", False, True),
        ("a.json", "f_x", True, False),
        ("a.json", "f_x", False, True),
    ],
)
def test_a_name_that_stands_elsewhere_weighs_less(path: str, name: str, held: bool, told: bool) -> None:
    reason = Reason(State.STALE, Change.TERM_GONE, path, name)

    assert (survey.standing(reason, held) is not None) is told


def test_a_definition_that_is_handed_on_does_no_harm() -> None:
    reason = Reason(State.STALE, Change.DEFINITION_GONE, "a.ts", "start")

    assert survey.seen(reason, "export {\n  start,\n} from './b'\n").state is State.AUTO
    assert survey.seen(reason, "start()\n").state is State.STALE
    assert survey.seen(reason, "nothing\n").change is Change.TERM_GONE


@pytest.mark.parametrize(
    ("stood", "state"),
    [
        ({"a.py": "def warm_cache(): ...\n"}, State.STALE),
        ({"a.py": "CALLS = {'warm_cache': 1}\n"}, State.STALE),
        ({"a.py": "warm_cache()\n"}, State.REVIEW),
        ({"tests/test_a.py": "warm_cache()\n"}, None),
        ({}, None),
    ],
)
def test_a_lost_name_is_stale_where_it_was_defined(stood: dict[str, str], state: State | None) -> None:
    reason = survey.lost(stated("Call `warm_cache` first."), "warm_cache", stood)

    assert (reason.state if reason else None) is state


def test_a_denied_word_or_version_that_went_tells_nothing() -> None:
    said = stated("Not needed: `2.3.1` and `f_x` of `a.py`.")

    assert survey.weighed(Reason(State.STALE, Change.TERM_GONE, "a.py", "2.3.1"), said, "a.py") is None
    kept = survey.weighed(Reason(State.STALE, Change.TERM_GONE, "a.py", "f_x"), said, "a.py")
    assert kept is not None
    assert kept.state is State.REVIEW
