"""Decisions of several people at once, and of one who looked at something else: what was seen is what is taken."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from curator.cli import deciding
from curator.cli.door import Door
from curator.core import codec
from curator.errors import CuratorError
from curator.model import CATEGORIES
from curator.verbs import waiting
from tests.conftest import Repo
from tests.proposing import inbox, propose


def entries(repo: Repo) -> list[Path]:
    return sorted(path for path in (repo.root / "memories").rglob("*.yaml") if path.stem not in {"a", "curator"})


def test_a_proposal_that_changed_since_it_was_shown_is_not_taken(base: Repo) -> None:
    key = propose(base, "Never commit directly to main.")
    shown = waiting.run(base.workspace, today="2026-05-01").proposals[0]
    path = base.root / f".git/curator/inbox/{key}.yaml"
    path.write_text(path.read_text().replace("directly to main", "without tests"))
    with pytest.raises(CuratorError, match="was changed while you looked at it"):
        deciding.take(Door(base.workspace), key, None, seen=shown)
    assert entries(base) == []
    assert inbox(base) == [key]


def test_that_it_was_said_again_meanwhile_is_no_change(base: Repo) -> None:
    key = propose(base, "Never commit directly to main.", seen=1)
    shown = waiting.run(base.workspace, today="2026-05-01").proposals[0]
    path = base.root / f".git/curator/inbox/{key}.yaml"
    path.write_text(path.read_text().replace("seen: 1", "seen: 2"))
    deciding.take(Door(base.workspace), key, None, seen=shown)
    assert len(entries(base)) == 1
    assert inbox(base) == []


def test_of_two_that_contradict_each_other_only_one_is_taken_in_bulk(base: Repo) -> None:
    propose(base, "We always cache user sessions in Redis.")
    later = propose(base, "From now on we no longer cache user sessions in Redis.")
    result = base.curator("accept", "--all")
    assert result.exit_code == 1
    assert "seems to replace" in result.stderr
    assert inbox(base) == [later]


def test_what_is_accepted_and_refused_at_once_is_only_one_of_both(base: Repo) -> None:
    key = propose(base, "Never commit directly to main.")
    ran: list[BaseException | None] = []

    def run(decide: object) -> None:
        try:
            assert callable(decide)
            decide()
            ran.append(None)
        except CuratorError as error:
            ran.append(error)

    at = Door(base.workspace)
    deeds = (lambda: deciding.take(at, key, None), lambda: deciding.refuse(at, key, "noise"))
    threads = [threading.Thread(target=run, args=(deed,)) for deed in deeds]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    refused = (base.root / f".git/curator/rejected/{key}").exists()
    assert refused is not bool(entries(base))
    assert inbox(base) == []


def test_no_edit_of_a_proposal_raises_who_said_it(base: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = propose(base, "Use the staging mirror for packages.", by="tool")
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\nsed -i -e 's/by: .*/by: user/' -e 's/mirror/proxy/' \"$1\"\n")
    editor.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(editor))
    assert base.curator("edit", key).exit_code == 0
    assert base.curator("accept", key).exit_code == 0
    (path,) = entries(base)
    entry, _ = codec.read(path.read_bytes(), f"memories/{path.parent.name}/{path.name}", list(CATEGORIES))
    assert entry
    assert "proxy" in entry.text
    assert entry.origin.by == "tool"


def test_a_failed_edit_keeps_no_secret(base: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = propose(base, "Use the staging mirror for packages.")
    token = "ghp_" + "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zaB3dE"
    editor = tmp_path / "editor"
    editor.write_text(f"#!/bin/sh\nsed -i 's/mirror/mirror with {token}/' \"$1\"\n")
    editor.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(editor))
    result = base.curator("edit", key, stdin="n\n")
    assert result.exit_code != 0
    assert "not kept" in result.stderr
    assert token not in result.output + result.stderr
    kept = [path for path in (base.root / ".git/curator").rglob("*") if path.is_file()]
    assert not any(token.encode() in path.read_bytes() for path in kept)


def test_a_repeat_counts_a_few_times_whatever_a_proposal_says(base: Repo) -> None:
    memory = base.curator("add", "Never commit directly to main.", "--category", "constraint")
    assert memory.exit_code == 0
    (path,) = entries(base)
    key = propose(base, "Never commit directly to main.", "constraint", id=path.stem, seen=999_999)
    assert base.curator("accept", key).exit_code == 0
    assert "seen: 6\n" in path.read_text()


def test_a_review_shows_a_proposal_anew_that_changed_while_it_was_looked_at(
    base: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = propose(base, "Never commit directly to main.")
    path = base.root / f".git/curator/inbox/{key}.yaml"
    take = deciding.take
    taken: list[object] = []

    def changing(*given: object, **more: object) -> object:
        if not taken:
            path.write_text(path.read_text().replace("directly to main", "without tests"))
        taken.append(given)
        return take(*given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(deciding, "take", changing)
    result = base.curator("review", "--plain", stdin="a\nq\n")
    assert "was changed while you looked at it" in result.output
    assert "Never commit without tests." in result.output.partition("was changed")[2]
    assert entries(base) == []
