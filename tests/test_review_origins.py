"""Whose words a proposal holds, as the review says it; and that a review of thousands begins at once."""

from __future__ import annotations

import json
import os

import pytest

from curator.core import codec, keys
from curator.verbs import waiting
from tests.conftest import Repo
from tests.proposing import inbox, propose, put

TEXT = "The tax report is slow because it reads every order twice."
LINE = "I looked: tax.py loads all orders once to count and once to sum, that is why the report takes so long"
MODEL = "model/claude-haiku-4-5"


def page(repo: Repo) -> str:
    return repo.curator("review", "--plain", stdin="q\n").output


@pytest.mark.parametrize(
    ("by", "words"),
    [
        ("model", "A model's wording of what you said"),
        ("user", "A model's wording of what you said"),
        ("agent", "A model's wording of what claude-code said"),
        ("tool", "A model's wording of what a tool put out"),
        (None, "A model's wording of what nobody tells who said"),
    ],
)
def test_a_models_wording_stands_below_the_line_and_who_said_that(base: Repo, by: str | None, words: str) -> None:
    propose(base, TEXT, by=by, quote=LINE, extractor=MODEL, confidence=0.9)
    seen = page(base)
    assert f"{MODEL} · its confidence 0.90\n" in seen
    assert f"{words} (session 5d0c77e1, 3 Mar 14:03, at compaction):\n  I looked: tax.py loads" in seen
    assert f"Text      {TEXT}\n" in seen
    assert "Look twice: a model worded it: hold it against the line that it goes by\n" in seen
    assert ("Look twice: it was put out by a tool or a page first" in seen) == (by == "tool")
    assert "word for word" not in seen
    assert "Proposed because" not in seen


def test_a_models_wording_without_its_line_is_not_passed_off_as_said(base: Repo) -> None:
    propose(base, TEXT, by="agent", extractor=MODEL)
    seen = page(base)
    assert "A model's wording of what claude-code said (session 5d0c77e1, 3 Mar 14:03, at compaction), of which no" in (
        " ".join(seen.split())
    )
    assert "the line that it goes by, which was not kept" in " ".join(seen.split())
    assert "word for word" not in seen


def test_what_a_model_worded_is_never_accepted_together_with_others(base: Repo) -> None:
    key = propose(base, TEXT, by="model", quote=LINE, extractor=MODEL)
    seen = base.curator("accept", "--all")
    assert seen.exit_code == 1
    assert f"{key[:6]} stays: a model worded it" in seen.stderr
    assert base.curator("accept", key).exit_code == 0
    (path,) = base.root.glob("memories/convention/tax*.yaml")
    text = path.read_text("utf-8")
    assert "  by: model\n" in text
    assert f"  extractor: {MODEL}\n" in text
    assert LINE in text


def test_a_model_that_a_stranger_names_is_his_claim(base: Repo) -> None:
    key = propose(base, TEXT, by="model", quote=LINE, extractor=MODEL)
    base.write(f".git/curator/fetched/{key}", "origin\n")
    assert "From origin, which claims: a model's wording of what a user said" in page(base)


@pytest.mark.parametrize("extractor", ["import/claude-mem", None])
def test_an_import_says_where_from_and_keeps_how_often_it_was_seen(base: Repo, extractor: str | None) -> None:
    key = propose(
        base, TEXT, by="import", seen=41, extractor=extractor, agent=None, session=None, trigger=None, confidence=None
    )
    seen = page(base)
    source = " from claude-mem" if extractor else ""
    assert f"\nImported{source} (3 Mar 14:03), word for word:\n" in seen
    assert "\nSeen      41 times\n" in seen
    assert "Look twice" not in seen
    who = "claude-mem" if extractor else "import"
    assert f"  {key[:6]}  convention  {who}  The tax report" in base.curator("status").stdout
    assert base.curator("accept", "--all").exit_code == 0
    (path,) = base.root.glob("memories/convention/tax*.yaml")
    assert "\nseen: 41\n" in path.read_text("utf-8")
    assert "  by: import\n" in path.read_text("utf-8")


def test_a_hostile_name_of_an_extractor_drives_no_terminal_and_floods_none(base: Repo) -> None:
    propose(base, TEXT, by="model", quote=LINE, extractor="model/" + "\u202ex\u200b" * 400)
    seen = page(base)
    assert "\u202e" not in seen
    assert seen.count(r"\u202e") < 30


# --- Thousands ----------------------------------------------------------------------------------------------------


def _many(repo: Repo, number: int) -> list[str]:
    made = []
    for count in range(number):
        text = f"Fact number {count} of the import."
        made.append(keys.key("default", text))
        lines = f"id: {codec.slug(text)}-{made[-1][:6]}\ncategory: convention\ntext: |\n  {text}\nimportance: 5\n"
        path = put(repo, made[-1], f"schema: 1\n{lines}origin:\n  by: import\n  key: '{made[-1]}'\n")
        os.utime(path, (1000 + count, 1000 + count))
    return made


def test_a_review_of_many_looks_at_them_part_by_part(base: Repo) -> None:
    made = _many(base, 2 * waiting.PART + 5)
    put(base, "bad", "no: entry\n")
    os.utime(base.root / ".git/curator/inbox/bad.yaml", (1000 + waiting.PART, 1000 + waiting.PART))
    parts = list(waiting.parts(base.workspace, today="2026-05-01"))
    assert [len(one.prepared) for one in parts] == [waiting.PART, waiting.PART - 1, 6]
    assert [one.more for one in parts] == [waiting.PART + 6, 6, 0]
    assert [one.proposal.key for part in parts for one in part.prepared] == made
    told = base.curator("review", "--plain", stdin="k\n" * len(made)).output
    assert told.startswith(f"{len(made) + 1} wait\n")
    assert f"1 of {len(made) + 1}  {made[0][:6]}" in told
    assert f"{len(made)} of {len(made)}  {made[-1][:6]}" in told
    assert told.count("bad.yaml") == 1
    assert told.count(" of 10") == 2 * len(made)  # each page, and the weight on it
    assert f"{len(made)} put off. {len(made) + 1} still wait." in told


def test_status_counts_all_and_reads_the_first(base: Repo) -> None:
    _many(base, 530)
    told = base.curator("status").stdout
    assert told.startswith("Waiting   530: `curator review`\n")
    assert "  and 520 more\n" in told
    value = json.loads(base.curator("status", "--json").stdout)
    assert (value["waiting"], len(value["proposals"])) == (530, 530)
    assert len(inbox(base)) == 530
