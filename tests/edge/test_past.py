"""Texts of the past: how many are held at once, and which are not read at all."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from curator.core import stale
from curator.edge import past, plumbing
from curator.model import Workspace
from tests.conftest import Repo


def blob(repo: Repo, text: str) -> str:
    repo.write("any", text)
    return repo.git("hash-object", "-w", "any").strip()


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The bytes that each reading of blobs takes."""
    taken: list[int] = []
    real = plumbing.contents

    def counted(workspace: Workspace, blobs: Iterable[str], most: int = 0) -> dict[str, bytes]:
        found = real(workspace, blobs, most)
        taken.append(sum(map(len, found.values())))
        return found

    monkeypatch.setattr(plumbing, "contents", counted)
    return taken


def test_versions_are_read_as_they_are_asked_for_a_few_megabytes_at_a_time(repo: Repo, read: list[int]) -> None:
    texts = [f"{number}\r\n".ljust(900_000, "x") for number in range(24)]
    blobs = [blob(repo, text) for text in texts]
    held = past.Texts(repo.workspace, blobs)
    assert read == []
    assert held.get(blobs[0]) == texts[0].replace("\r\n", "\n")
    assert len(read) == 1
    assert all(held.get(one) == text.replace("\r\n", "\n") for one, text in zip(blobs, texts, strict=True))
    assert held.get(blobs[0]) == texts[0].replace("\r\n", "\n")
    assert max(read) <= 8 << 20
    assert len(read) == 4


def test_small_versions_are_read_at_once(repo: Repo, read: list[int]) -> None:
    blobs = [blob(repo, f"{number}\n") for number in range(60)]
    held = past.Texts(repo.workspace, ["", *blobs, *blobs])
    assert [held.get(one) for one in blobs] == [f"{number}\n" for number in range(60)]
    assert len(read) == 1


def test_what_is_too_long_or_not_at_hand_is_not_read(repo: Repo, read: list[int]) -> None:
    long, short = blob(repo, "x" * (stale.LONGEST + 1)), blob(repo, "short\n")
    absent = "1" * len(short)
    held = past.Texts(repo.workspace, [long, absent, short])
    assert [held.get(one) for one in (long, absent, short, "2" * len(short))] == [None, None, "short\n", None]
    assert past.texts(repo.workspace, [long, absent, short, ""]) == {short: "short\n"}
    assert past.text(repo.workspace, long) is None
    assert max(read) == len("short\n")


def test_where_git_cannot_tell_sizes_every_blob_counts_as_the_longest(
    repo: Repo, read: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    blobs = [blob(repo, f"{number}\n") for number in range(20)]
    long = blob(repo, "x" * (stale.LONGEST + 1))
    monkeypatch.setattr(past, "_sizes", lambda _, asked: (dict.fromkeys(asked, stale.LONGEST), stale.LONGEST))
    held = past.Texts(repo.workspace, [*blobs, long])
    assert [held.get(one) for one in (*blobs, long)] == [*(f"{number}\n" for number in range(20)), None]
    assert len(read) == 3


def test_an_audit_does_not_read_a_file_too_long_to_be_judged(repo: Repo, read: list[int]) -> None:
    repo.write("data/big.txt", "x" * (stale.LONGEST + 1))
    repo.write("CLAUDE.md", "- `round_vat` reads data/big.txt\n")
    repo.commit("one")
    repo.write("data/big.txt", "y" * (stale.LONGEST + 2))
    repo.commit("two")
    result = repo.curator("audit")
    assert "data/big.txt" not in [line.split(":")[0] for line in result.output.splitlines()]
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert max(read, default=0) < stale.LONGEST
