"""A sparse checkout without memories/: said by name with the way out, before anything is written."""

from __future__ import annotations

import pytest

from tests.conftest import Repo
from tests.transcripts import inbox

OUT = "is outside of this sparse checkout, so nothing was written"
WAY = "git sparse-checkout add memories"


@pytest.fixture(params=["--cone", "--no-cone"])
def sparse(base: Repo, request: pytest.FixtureRequest) -> Repo:
    base.memory("kept-b", "Never push to main.", more="review_by: '2099-12-31'\n")
    base.write("app/a.py", "A = 1\n")
    base.commit()
    base.git("sparse-checkout", "set", request.param, "app")
    return base


def refused(repo: Repo, *words: str) -> None:
    result = repo.curator(*words)
    assert result.exit_code == 2, result.stdout
    assert OUT in result.stderr and WAY in result.stderr
    assert repo.git("status", "--porcelain") == ""


def test_nothing_is_left_lying_by_an_add_or_an_accept(sparse: Repo) -> None:
    refused(sparse, "add", "Never use tabs in code files.")
    assert sparse.curator("add", "--propose", "Never use tabs in code files.").exit_code == 0
    (key,) = inbox(sparse)
    refused(sparse, "accept", key)
    assert list(inbox(sparse)) == [key]
    sparse.git("sparse-checkout", "add", "memories")
    assert sparse.curator("accept", key).exit_code == 0


def test_a_proposal_to_retire_names_the_same_way(sparse: Repo) -> None:
    assert sparse.curator("retire", "kept-b", "--reason", "gone", "--propose").exit_code == 0
    (key,) = inbox(sparse)
    refused(sparse, "accept", key)
    sparse.git("sparse-checkout", "add", "memories")
    assert sparse.curator("accept", key).exit_code == 0
