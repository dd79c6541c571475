"""`curator export`: memories for another tool, and for another repository."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Repo

WHOLE = """\
schema: 1
id: vat-rounds-per-line-4f1c9a
category: gotcha
text: |
  Spanish VAT rounds per line, not per order total.
  Rounding the total is off by a cent on multi-item orders.
why: |
  Tax authority rule; checkout was wrong until March.
importance: 7
tags:
  - checkout
  - vat
triggers:
  - one cent off
scope: shop/
task: cf-131
sources:
  - path: shop/tax.py
    symbol: round_vat
    header: '77aa'
    blob: 9c1e2ab4d0f1a2b3c4d5e6f708192a3b4c5d6e7f
    terms:
      round_vat: [def, '3fa1', '90bc']
supersedes:
  - gone-for-good-77aa01
seen: 3
origin:
  by: user
  agent: claude-code
  session: 253fd5ef
  trigger: pre-compact
  commit: f446dcf
  created: '2026-07-06T09:24:01Z'
  quote: |
    vat has to be rounded per line
  extractor: rules/1
  confidence: 0.71
  key: b81d02f3a977
"""


@pytest.fixture
def kept(repo: Repo) -> Repo:
    """A repository with a full entry, a plain one, a retired, a superseded and an expired one, staged."""
    repo.write("memories/gotcha/vat-rounds-per-line-4f1c9a.yaml", WHOLE)
    repo.write("shop/tax.py", "def round_vat(x):\n    return x\n")
    repo.memory("floats", "Amounts are integers in minor units.", "constraint")
    repo.memory("retired", "Use floats.", more="retired:\n  on: '2026-01-02'\n  reason: rounding\n")
    repo.memory("older", "Money is kept in cents.", "constraint")
    repo.memory("newer", "Money is kept in minor units.", "decision", more="supersedes:\n  - older\n")
    repo.memory("expired", "The freeze ends on Friday.", "todo", more="expires: '2026-01-03'\n")
    repo.add()
    return repo


def exported(repo: Repo, *options: str) -> dict[str, dict[str, object]]:
    """Entries of `export --json`, by id."""
    run = repo.curator("export", "--json", *options)
    assert run.exit_code == 0, run.output
    value = json.loads(run.stdout)
    assert set(value) == {"schema", "entries"}
    return {entry["id"]: entry for entry in value["entries"]}


def test_an_exported_entry_has_the_keys_of_its_file_without_what_holds_in_this_repository_alone(kept: Repo) -> None:
    entry = exported(kept)["vat-rounds-per-line-4f1c9a"]
    assert entry == {
        "id": "vat-rounds-per-line-4f1c9a",
        "category": "gotcha",
        "text": "Spanish VAT rounds per line, not per order total.\n"
        "Rounding the total is off by a cent on multi-item orders.",
        "why": "Tax authority rule; checkout was wrong until March.",
        "importance": 7,
        "tags": ["checkout", "vat"],
        "triggers": ["one cent off"],
        "scope": "shop/",
        "task": "cf-131",
        "sources": [{"path": "shop/tax.py", "symbol": "round_vat"}],
        "seen": 3,
        "origin": {"by": "user", "agent": "claude-code", "created": "2026-07-06T09:24:01Z"},
    }


def test_what_has_ended_is_left_out_unless_all_is_asked_for(kept: Repo) -> None:
    assert set(exported(kept)) == {"vat-rounds-per-line-4f1c9a", "floats", "newer"}
    assert "supersedes" not in exported(kept)["newer"]
    every = exported(kept, "--all")
    assert {"retired", "older", "expired"} < set(every)
    assert every["retired"]["retired"] == {"on": "2026-01-02", "reason": "rounding"}
    assert every["newer"]["supersedes"] == ["older"]


def test_a_category_alone_is_exported(kept: Repo) -> None:
    assert set(exported(kept, "--category", "constraint")) == {"floats"}
    refused = kept.curator("export", "--category", "nonsense")
    assert refused.exit_code == 2
    assert "no category 'nonsense'" in refused.stderr


def test_a_page_lists_the_memories_under_their_categories_with_what_a_reader_judges_them_by(kept: Repo) -> None:
    run = kept.curator("export", "--markdown")
    assert run.exit_code == 0
    assert run.stdout == (
        "# Agent memory\n"
        "\n"
        "## Constraints\n"
        "\n"
        "- Amounts are integers in minor units.\n"
        "\n"
        "## Decisions\n"
        "\n"
        "- Money is kept in minor units.\n"
        "\n"
        "## Gotchas\n"
        "\n"
        "- Spanish VAT rounds per line, not per order total."
        " Rounding the total is off by a cent on multi-item orders.\n"
        "  - Why: Tax authority rule; checkout was wrong until March.\n"
        "  - Scope: `shop/`\n"
        "  - Files: `shop/tax.py` (`round_vat`)\n"
        "  - Tags: checkout, vat\n"
    )
    assert run.stderr == "3 memories\n"
    assert kept.curator("export").stdout == run.stdout


def test_a_retired_memory_says_so_on_the_page(kept: Repo) -> None:
    assert "- Use floats.\n  - Retired: 2026-01-02, rounding\n" in kept.curator("export", "--all").stdout


def test_a_path_with_markup_in_its_name_stays_a_code_span(repo: Repo) -> None:
    repo.write("a`[x](y).py", "x = 1\n")
    repo.memory("odd", "Odd names are kept.", more="sources:\n  - path: 'a`[x](y).py'\n")
    repo.add()
    assert "  - Files: ``a`[x](y).py``\n" in repo.curator("export").stdout


def test_an_empty_store_exports_nothing_and_no_half_page(repo: Repo) -> None:
    run = repo.curator("export")
    assert (run.exit_code, run.stdout, run.stderr) == (0, "", "0 memories\n")
    assert exported(repo) == {}


def test_a_memory_that_cannot_be_read_is_named_and_the_others_are_exported(base: Repo) -> None:
    base.write("memories/gotcha/broken.yaml", "schema: 1\nid: [\n")
    base.add()
    run = base.curator("export", "--json")
    assert [entry["id"] for entry in json.loads(run.stdout)["entries"]] == ["a"]
    assert "memories/gotcha/broken.yaml" in run.stderr


def test_both_forms_at_once_are_refused(base: Repo) -> None:
    assert base.curator("export", "--json", "--markdown").exit_code == 2


def test_exporting_changes_nothing_and_says_the_same_twice(kept: Repo) -> None:
    before = kept.git("status", "--porcelain")
    first = kept.curator("export", "--json", "--all").stdout
    assert kept.curator("export", "--json", "--all").stdout == first
    assert first.isascii()
    assert kept.git("status", "--porcelain") == before


def test_what_is_exported_makes_the_same_memories_in_another_repository(
    kept: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = tmp_path / "memories.json"
    taken.write_text(kept.curator("export", "--json").stdout, encoding="utf-8")
    there = Repo(tmp_path / "there")
    there.root.mkdir()
    there.git("init", "-q", "-b", "main")
    there.write("shop/tax.py", "def round_vat(x):\n    return x\n")
    there.add()
    monkeypatch.chdir(there.root)
    run = there.curator("import", str(taken), "--accept", "--yes")
    assert run.exit_code == 0, run.output
    run = there.curator("export", "--json")

    def told(entries: list[dict[str, object]]) -> list[dict[str, object]]:
        keys = ("category", "text", "why", "importance", "tags", "triggers", "scope", "task", "sources", "seen")
        return sorted(({key: entry.get(key) for key in keys} for entry in entries), key=str)

    assert told(json.loads(run.stdout)["entries"]) == told(json.loads(taken.read_text("utf-8"))["entries"])
