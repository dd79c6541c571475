from __future__ import annotations

from dataclasses import replace

import pytest

from curator.core import codec, stale, verdict
from curator.core.verdict import Change
from curator.model import Entry, Evidence, Source, State
from tests.core.stale_cases import CASES, CLOSE_PY, LEXER_RS, OPEN_PY, POOL, POOL_PY, POOL_SAYS, Case, swap

BEFORE, AFTER = "1111aaaa", "2222bbbb"
STAMPED = stale.stamped(POOL_SAYS, POOL, POOL_PY, BEFORE)
RENAMED = swap(POOL_PY, ("open_pool", "start_pool"))


def judged(case: Case) -> State:
    source = stale.stamped(case.statement, case.source, case.before, BEFORE)
    blob = BEFORE if case.after == case.before and not case.moved else AFTER
    return stale.judge(case.statement, source, case.after, blob=blob, moved=case.moved, others=case.others).state


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_change_is_judged_by_what_the_statement_names(case: Case) -> None:
    assert judged(case) is case.expected


@pytest.mark.parametrize("case", [case for case in CASES if case.is_plain], ids=lambda case: case.name)
def test_two_texts_give_the_same_state_as_stored_evidence(case: Case) -> None:
    path = case.source.path
    assert stale.judge_statement(case.statement, path, case.before, case.after, path) is case.expected


@pytest.mark.parametrize("case", [case for case in CASES if case.is_plain], ids=lambda case: case.name)
def test_the_scoring_function_is_what_is_stored_and_judged_later(case: Case) -> None:
    path = case.source.path
    source = stale.stamped(case.statement, Source(path), case.before, BEFORE, path)
    entry = Entry("a", "convention", f"{case.statement}\n", "memories/convention/a.yaml", sources=(source,))
    stored, _ = codec.read(codec.write(entry).encode(), entry.path, ["convention"])
    assert stored is not None
    blob = BEFORE if case.after == case.before else AFTER
    later = stale.judge(stored.text, stored.sources[0], case.after, blob=blob).state
    assert stale.judge_statement(case.statement, path, case.before, case.after, path) is later


def test_there_are_enough_cases_in_every_language() -> None:
    languages = [case.name.partition(":")[0] for case in CASES]
    assert len(CASES) >= 60
    assert all(languages.count(name) >= 7 for name in ("python", "typescript", "go", "rust", "yaml", "markdown"))
    assert len({case.name for case in CASES}) == len(CASES)


def test_a_reason_names_the_term_the_file_and_the_lines_that_held_it() -> None:
    verdict = stale.judge(POOL_SAYS, STAMPED, RENAMED, blob=AFTER, old_text=POOL_PY)
    reason = verdict.reasons[0]
    assert (reason.name, reason.change, reason.lines) == ("open_pool", Change.TERM_GONE, ("def open_pool(size):",))
    assert reason.message == "`open_pool` is gone from app/pool.py"


def test_a_reason_has_no_lines_when_the_old_text_is_unknown() -> None:
    assert stale.judge(POOL_SAYS, STAMPED, RENAMED, blob=AFTER).reasons[0].lines == ()


def test_a_reason_shows_three_distinct_lines_at_most() -> None:
    many = POOL_PY + "".join(f"use({number}, MAX_OPEN)\n" for number in range(40)) + "print(MAX_OPEN)\n" * 9
    source = stale.stamped(POOL_SAYS, POOL, many, BEFORE)
    verdict = stale.judge(POOL_SAYS, source, swap(many, ("MAX_OPEN", "LIMIT")), old_text=many)
    assert [len(reason.lines) for reason in verdict.reasons if reason.name == "MAX_OPEN"] == [3]
    assert len(set(verdict.reasons[0].lines)) == 3


def test_the_worst_reason_comes_first() -> None:
    source = stale.stamped("See `--burst`.", replace(POOL, symbol="open_pool"), POOL_PY, BEFORE)
    after = swap(POOL_PY, ("(size):", "(size, wait):"), ("--burst", "--fast"))
    verdict = stale.judge("See `--burst`.", source, after)
    assert [reason.name for reason in verdict.reasons][:1] == ["--burst"]
    assert [reason.state for reason in verdict.reasons] == [State.STALE, State.NOTE, State.NOTE]


def test_a_definition_that_left_but_is_still_mentioned_is_told_apart_from_a_term_that_is_gone() -> None:
    imported = swap(POOL_PY, (OPEN_PY, "from other import open_pool\n"))
    reason = stale.judge(POOL_SAYS, STAMPED, imported).reasons[0]
    assert reason.change is Change.DEFINITION_GONE
    assert reason.message == "`open_pool` is no longer defined in app/pool.py"


def test_a_term_that_stands_in_another_cited_file_asks_for_review_and_says_where() -> None:
    verdict = stale.judge(POOL_SAYS, STAMPED, swap(POOL_PY, ("--burst", "--fast")), others={"app/cli.py": "--burst"})
    assert verdict.state is State.REVIEW
    assert verdict.reasons[0].message == "`--burst` is gone from app/pool.py, but stands in app/cli.py"


def test_a_file_that_moved_says_where_to() -> None:
    verdict = stale.judge(POOL_SAYS, STAMPED, POOL_PY, blob=BEFORE, moved="app/db/pool.py")
    assert verdict.state is State.MOVED
    assert verdict.reasons[0].message == "app/pool.py moved to app/db/pool.py"


def test_an_exact_rename_needs_no_text() -> None:
    assert stale.judge(POOL_SAYS, STAMPED, None, blob=BEFORE, moved="app/db/pool.py").state is State.MOVED


def test_a_file_that_moved_and_lost_a_term_tells_both() -> None:
    verdict = stale.judge(POOL_SAYS, STAMPED, RENAMED, blob=AFTER, moved="db/pool.py")
    assert [reason.change for reason in verdict.reasons] == [Change.TERM_GONE, Change.MOVED]
    assert verdict.reasons[0].path == "db/pool.py"


def test_the_same_blob_is_fresh_whatever_the_evidence_says() -> None:
    source = replace(STAMPED, terms=(Evidence("no_such_term", ("0000",)),))
    assert stale.judge("`no_such_term`", source, POOL_PY, blob=BEFORE) == verdict.Verdict(State.FRESH)


def test_a_source_that_was_never_stamped_is_unknown_while_its_path_is_there() -> None:
    assert stale.judge(POOL_SAYS, POOL, POOL_PY, blob=AFTER).reasons[0].change is Change.NOT_STAMPED
    assert stale.judge(POOL_SAYS, POOL, None).state is State.STALE


def test_a_file_that_is_not_at_hand_is_unknown() -> None:
    assert stale.unreadable("app/pool.py").state is State.UNKNOWN


def test_a_text_that_cannot_be_judged_gives_no_evidence() -> None:
    for text in ("\0" + POOL_PY, POOL_PY + "#" * stale.LONGEST, "version https://git-lfs.github.com/spec/v1\n"):
        source = stale.stamped(POOL_SAYS, replace(POOL, symbol="open_pool"), text, BEFORE)
        assert (source.blob, source.header, source.terms) == (BEFORE, "", ())


def test_an_absence_keeps_no_terms() -> None:
    assert stale.stamped(POOL_SAYS, replace(POOL, absent="requests"), POOL_PY, BEFORE).terms == ()


def test_the_header_of_the_symbol_is_kept() -> None:
    assert len(stale.stamped("Pools.", replace(POOL, symbol="open_pool"), POOL_PY, BEFORE).header) == 4


def test_a_term_that_the_reworded_statement_does_not_name_any_more_is_not_judged() -> None:
    assert stale.judge("`MAX_OPEN` is the limit.", STAMPED, RENAMED).state is State.AUTO


def test_a_symbol_written_by_hand_is_stale_when_even_the_name_is_gone() -> None:
    by_hand = Source("app/pool.py", symbol="open_pool", blob=BEFORE)
    assert stale.judge("Pools.", by_hand, RENAMED).state is State.STALE
    assert stale.judge("Pools.", by_hand, "open_pool()\n").state is State.AUTO


def test_a_source_is_checkable_by_terms_symbol_line_or_absence() -> None:
    assert not stale.is_checkable(POOL)
    for sharper in (
        STAMPED,
        replace(POOL, symbol="open_pool"),
        replace(POOL, text="MAX_OPEN = 20"),
        replace(POOL, absent="requests"),
    ):
        assert stale.is_checkable(sharper)


def test_an_entry_is_as_bad_as_its_worst_source() -> None:
    assert verdict.worst([State.AUTO, State.STALE, State.NOTE]) is State.STALE
    assert verdict.worst([State.FRESH, State.UNKNOWN]) is State.UNKNOWN
    assert verdict.worst([State.REVIEW, State.MOVED]) is State.MOVED
    assert verdict.worst([]) is State.UNKNOWN


def test_small_edits_add_up_because_the_baseline_stays() -> None:
    first = swap(POOL_PY, ("def open_pool(size)", "def open_pool(size, wait)"))
    second = swap(first, ("print(MAX_OPEN)", "log(MAX_OPEN)"))
    third = swap(second, ("min(size, MAX_OPEN)", "MAX_OPEN"), ("MAX_OPEN = 20", "MAX_OPEN: int = 20"))
    states = [stale.judge(POOL_SAYS, STAMPED, text).state for text in (first, second, third)]
    assert states == [State.NOTE, State.NOTE, State.REVIEW]


def test_several_weak_terms_that_go_together_make_a_statement_stale_where_none_is_strong() -> None:
    says = "The janitor sweeps idle sockets."
    before = "the janitor\nidle sockets\na janitor\nidle socket\n"
    assert stale.judge_statement(says, "a.py", before, "idle socket\n", "a.py") is State.REVIEW
    assert stale.judge_statement(says, "a.py", before, "nothing\n", "a.py") is State.STALE


def test_a_topic_of_the_file_that_goes_makes_a_statement_stale_where_no_term_is_strong() -> None:
    says = "Restores a JSONL backup."
    before = "".join(f"read JSONL {word}\n" for word in ("first", "second", "third", "fourth")) + "backup\nbackups\n"
    after = before.replace("JSONL", "Dolt")
    assert stale.judge_statement(says, "a.go", before, after, "a.go") is State.STALE
    fewer = before.replace("read JSONL fourth\n", "")
    assert stale.judge_statement(says, "a.go", fewer, fewer.replace("JSONL", "Dolt"), "a.go") is State.REVIEW


def test_edits_of_half_the_lines_are_a_note_where_the_term_spread_over_the_file() -> None:
    before = "use(openPool, 1)\nuse(openPool, 2)\n"
    edited = "use(openPool, 1)\nuse(openPool, 9)\n"
    spread = edited + "".join(f"more(openPool, {number})\n" for number in range(9))
    assert stale.judge_statement("See `openPool`.", "a.ts", before, edited, "a.ts") is State.REVIEW
    assert stale.judge_statement("See `openPool`.", "a.ts", before, spread, "a.ts") is State.NOTE


def test_a_short_name_that_the_file_defined_is_as_good_as_a_strong_term() -> None:
    says = "`ab` comes before `openPool`."
    assert stale.judge_statement(says, "a.py", "def ab():\n    openPool()\n", "openPool()\n", "") is State.STALE
    assert stale.judge_statement(says, "a.py", "ab()\nopenPool()\n", "openPool()\n", "") is State.REVIEW


def test_the_edit_of_a_line_with_an_ordinary_word_is_no_matter() -> None:
    before = "the janitor sweeps\na janitor\n"
    after = before.replace("sweeps", "dusts")
    assert stale.judge_statement("Ask the janitor.", "a.md", before, after, "a.md") is State.AUTO


def test_the_edit_of_the_only_line_is_a_note() -> None:
    assert stale.judge_statement("See `openPool`.", "a.ts", "openPool(1)", "openPool(2)", "a.ts") is State.NOTE


def test_a_term_all_over_the_file_outweighs_one_edited_line() -> None:
    many = "".join(f"use(openPool, {number})\n" for number in range(30))
    before, after = many + "shutPool(1)\nshutPool(2)\n", many + "shutPool(3)\nshutPool(4)\n"
    assert stale.judge_statement("`openPool`, `shutPool`", "a.ts", before, after, "a.ts") is State.NOTE


def test_another_file_named_by_its_path_asks_for_review_only() -> None:
    before, after = "# as tests/test_pool.py does\nx = 1\n", "x = 1\n"
    assert stale.judge_statement("Like `tests/test_pool.py`.", "a.py", before, after, "a.py") is State.REVIEW


def test_an_unnamed_edit_of_every_other_line_changes_nothing() -> None:
    after = swap(LEXER_RS, ("skip_trivia", "skip"), ("self.rest", "self.tail"))
    assert stale.judge_statement("`TokenKind` has three kinds.", "l.rs", LEXER_RS, after, "l.rs") is State.AUTO


def test_a_file_that_lost_what_no_sentence_names_is_not_stale() -> None:
    assert stale.judge(POOL_SAYS, STAMPED, swap(POOL_PY, (CLOSE_PY, ""))).reasons == ()


def test_a_value_that_a_line_no_longer_says_is_told_with_the_line_that_said_it() -> None:
    old, new = "POOL_SIZE: 16\nWORKERS: 16\n", "POOL_SIZE: 8\nWORKERS: 16\n"
    source = stale.stamped("POOL_SIZE is 16.", Source("flags.yaml"), old, "-")
    [reason] = stale.judge("POOL_SIZE is 16.", source, new, old_text=old).reasons[:1]
    assert (reason.change, reason.name, reason.lines) == (Change.VALUE_EDITED, "POOL_SIZE", ("POOL_SIZE: 16",))
