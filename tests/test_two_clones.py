"""Two clones and the remote between them: what a session proposes in one is reviewed in the other."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import transcripts
from tests.conftest import Repo
from tests.proposing import inbox, propose
from tests.syncing import Clones, clone, made, run, summary, sync

SAID = "Never commit directly to the main branch."


@pytest.fixture
def clones(tmp_path: Path) -> Clones:
    return made(tmp_path)


def arrived(clones: Clones, text: str = SAID, **facts: object) -> str:
    """Let the cloud propose, and the laptop fetch it."""
    key = propose(clones.cloud, text, "constraint", **facts)
    assert summary(sync(clones.cloud)) == "sent 1, received 0, cleared 0; 1 waits for review"
    assert summary(sync(clones.laptop)) == "sent 0, received 1, cleared 0; 1 waits for review"
    return key


def short(repo: Repo, key: str) -> str:
    """What a person types for a proposal that waits."""
    (one,) = [one for one in json.loads(run(repo, "review", "--json").stdout)["waiting"] if one["key"] == key]
    return str(one["short"])


def publish(repo: Repo) -> None:
    repo.commit("memories")
    repo.git("push", "-q", "origin", "main")


def test_what_a_session_said_in_one_clone_is_accepted_in_the_other(clones: Clones, tmp_path: Path) -> None:
    log = tmp_path / "s.jsonl"
    log.write_text(transcripts.typed(SAID, cwd=str(clones.cloud.root)))
    run(clones.cloud, "status")
    transcripts.fire(clones.cloud, "SessionEnd", log)
    (key,) = waited(clones.cloud)
    assert "sent 1" in sync(clones.cloud)
    assert "received 1" in sync(clones.laptop)
    assert run(clones.laptop, "accept", key).exit_code == 0
    publish(clones.laptop)
    assert summary(sync(clones.laptop)) == "sent 0, received 0, cleared 1; 0 wait for review"
    assert clones.remote.refs() == []
    assert inbox(clones.cloud) == [key]  # it has not heard of it yet
    clones.cloud.git("pull", "-q", "origin", "main")
    assert "took out 1" in sync(clones.cloud)
    assert inbox(clones.cloud) == inbox(clones.laptop) == []
    assert clones.remote.refs() == []
    assert summary(sync(clones.cloud)) == "sent 0, received 0, cleared 0; 0 wait for review"


def waited(repo: Repo) -> list[str]:
    """What waits, once a hook's child had its time."""
    until = time.monotonic() + 20
    while not inbox(repo) and time.monotonic() < until:
        time.sleep(0.05)
    return inbox(repo)


def test_the_proposer_may_clear_it_too(clones: Clones) -> None:
    key = arrived(clones)
    run(clones.laptop, "accept", key)
    publish(clones.laptop)
    clones.cloud.git("pull", "-q", "origin", "main")
    assert "cleared 1, took out 1" in sync(clones.cloud)
    assert clones.remote.refs() == inbox(clones.cloud) == []


def test_accepted_in_other_words_it_is_accepted(clones: Clones) -> None:
    key = arrived(clones)
    assert run(clones.laptop, "accept", key, "--text", "Nobody commits to main.").exit_code == 0
    publish(clones.laptop)
    sync(clones.laptop)
    clones.cloud.git("pull", "-q", "origin", "main")
    sync(clones.cloud)
    assert inbox(clones.cloud) == clones.remote.refs() == []


def test_what_the_team_refused_leaves_both_clones(clones: Clones) -> None:
    key = arrived(clones)
    assert run(clones.laptop, "reject", key, "--reason", "wrong").exit_code == 0
    publish(clones.laptop)
    assert "cleared 1" in sync(clones.laptop)
    assert clones.remote.refs() == []
    clones.cloud.git("pull", "-q", "origin", "main")
    assert "took out 1" in sync(clones.cloud)
    assert inbox(clones.cloud) == []


def test_the_teams_refusal_counts_where_it_is_trusted(clones: Clones) -> None:
    """A refusal in the index alone is this person's until the trusted commit has it."""
    key = arrived(clones)
    clones.cloud.git("config", "curator.trust", "HEAD")
    clones.cloud.write(f"memories/.rejected/{key}", "wrong\n")
    clones.cloud.add()
    assert summary(sync(clones.cloud)) == "sent 0, received 0, cleared 0; 1 waits for review"
    clones.cloud.commit()
    assert "cleared 1, took out 1" in sync(clones.cloud)


@pytest.mark.parametrize("reason", ["noise", "once", "duplicate"])
def test_one_persons_refusal_clears_the_queue_and_not_the_other_inbox(clones: Clones, reason: str) -> None:
    key = arrived(clones)
    assert run(clones.laptop, "reject", key, "--reason", reason).exit_code == 0
    assert "cleared 1" in sync(clones.laptop)
    assert clones.remote.refs() == []
    assert "somebody else decided" in sync(clones.cloud, "--dry-run")
    told = sync(clones.cloud)
    assert "somebody else decided on 1 proposal and took it from origin; it waits here and is not sent again: " in told
    assert f"{short(clones.cloud, key)} (`curator review`)" in told
    assert "sent 0" in told
    assert inbox(clones.cloud) == [key]
    again = sync(clones.cloud)
    assert "sent 0" in again
    assert "somebody else" not in again, "said once"
    assert clones.remote.refs() == inbox(clones.laptop) == []


def test_what_was_refused_before_it_came_is_not_fetched(clones: Clones) -> None:
    key = propose(clones.laptop, SAID)
    run(clones.laptop, "reject", key)
    propose(clones.cloud, SAID)
    sync(clones.cloud)
    assert summary(sync(clones.laptop)) == "sent 0, received 0, cleared 1; 0 wait for review"
    assert clones.remote.refs() == []


def test_what_the_trusted_tree_says_is_cleared_whoever_put_it_there(clones: Clones) -> None:
    key = propose(clones.cloud, "Run pytest with -q.")
    clones.remote.put(key, (clones.cloud.root / f".git/curator/inbox/{key}.yaml").read_bytes())
    assert "cleared 1" in sync(clones.laptop)
    assert inbox(clones.laptop) == []


def test_a_staged_accept_is_a_decision_also_where_main_is_trusted(clones: Clones) -> None:
    for one in (clones.cloud, clones.laptop):
        one.git("config", "curator.trust", "origin/main")
        one.git("fetch", "-q", "origin")
    key = arrived(clones)
    assert run(clones.laptop, "accept", key, "--no-render").exit_code == 0
    assert "cleared 1" in sync(clones.laptop)


def test_a_file_that_is_lost_without_a_decision_is_fetched_again(clones: Clones) -> None:
    key = arrived(clones)
    (clones.laptop.root / f".git/curator/inbox/{key}.yaml").unlink()
    assert "received 1" in sync(clones.laptop)
    assert inbox(clones.laptop) == [key]


def test_a_folder_that_is_lost_costs_nobody_a_proposal(clones: Clones) -> None:
    import shutil

    key = arrived(clones)
    shutil.rmtree(clones.laptop.root / ".git/curator")
    assert "received 1" in sync(clones.laptop)
    assert clones.remote.refs() == [key]


def test_only_the_higher_number_comes_over(clones: Clones) -> None:
    key = propose(clones.cloud, SAID, seen=3, session="cloud")
    propose(clones.laptop, SAID, seen=1, session="laptop")
    sync(clones.cloud)
    sync(clones.laptop)
    text = (clones.laptop.root / f".git/curator/inbox/{key}.yaml").read_text()
    assert "seen: 3" in text
    assert 'session: "laptop"' in text
    assert 'session: "cloud"' in clones.remote.text(key)
    assert "sent 0" in sync(clones.laptop)
    assert not (clones.laptop.root / f".git/curator/fetched/{key}").exists()
    assert clones.remote.refs() == [key]


def test_the_remotes_number_is_raised_too_and_nothing_else(clones: Clones) -> None:
    key = propose(clones.cloud, SAID, seen=1, session="cloud")
    propose(clones.laptop, SAID, seen=4, session="laptop")
    sync(clones.cloud)
    assert "sent 1" in sync(clones.laptop)
    assert "seen: 4" in clones.remote.text(key)
    assert 'session: "cloud"' in clones.remote.text(key)
    sync(clones.cloud)
    assert "seen: 4" in (clones.cloud.root / f".git/curator/inbox/{key}.yaml").read_text()
    for one in (clones.cloud, clones.laptop, clones.cloud, clones.laptop):
        assert summary(sync(one)) == "sent 0, received 0, cleared 0; 1 waits for review"


def test_what_was_said_again_here_is_sent_again(clones: Clones) -> None:
    key = arrived(clones, seen=1)
    path = clones.cloud.root / f".git/curator/inbox/{key}.yaml"
    path.write_text(path.read_text().replace("seen: 1", "seen: 2"))
    assert "sent 1" in sync(clones.cloud)
    sync(clones.laptop)
    assert "seen: 2" in (clones.laptop.root / f".git/curator/inbox/{key}.yaml").read_text()


def test_two_clones_with_their_own_wordings_do_not_take_turns(clones: Clones) -> None:
    key = arrived(clones)
    for one, words in ((clones.cloud, "in the cloud"), (clones.laptop, "at home")):
        path = one.root / f".git/curator/inbox/{key}.yaml"
        path.write_text(path.read_text().replace("importance: 5", f"importance: 5\nwhy: {words}"))
    for one in (clones.cloud, clones.laptop):
        sync(one)
    states = []
    for _ in range(2):
        for one in (clones.cloud, clones.laptop):
            assert "sent 0" in sync(one)
            states.append(clones.remote.text(key))
    assert len(set(states)) == 1


def test_a_fetched_proposal_is_marked_and_never_taken_in_bulk(clones: Clones) -> None:
    key = arrived(clones)
    result = run(clones.laptop, "accept", "--all")
    assert result.exit_code == 1
    assert "it came from origin: anyone who can push there may have written it" in result.stderr
    assert inbox(clones.laptop) == [key]
    page = run(clones.laptop, "review", "--plain", stdin="q\n").output
    assert "From origin, which claims: a user said" in page
    assert "You said" not in page
    assert "from origin" in run(clones.laptop, "status").output
    assert run(clones.cloud, "accept", "--all").exit_code == 0  # where it was said
    assert run(clones.laptop, "accept", key).exit_code == 0
    sync(clones.laptop)
    assert list((clones.laptop.root / ".git/curator/fetched").iterdir()) == []


def test_what_came_from_one_remote_goes_to_no_other(clones: Clones, tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", "--bare", str(tmp_path / "other.git")], check=True)
    clones.laptop.git("remote", "add", "other", str(tmp_path / "other.git"))
    arrived(clones)
    assert "sent 0" in sync(clones.laptop, "--remote", "other")
    assert "sent 1" in sync_of_own(clones.laptop)


def sync_of_own(repo: Repo) -> str:
    propose(repo, "Use ky instead of axios.")
    return sync(repo, "--remote", "other")


def test_a_remote_that_moved_is_a_new_one(clones: Clones, tmp_path: Path) -> None:
    arrived(clones)
    subprocess.run(["git", "init", "-q", "--bare", str(tmp_path / "new.git")], check=True)
    clones.cloud.git("remote", "set-url", "origin", str(tmp_path / "new.git"))
    assert "sent 1" in sync(clones.cloud)


def test_a_dry_run_changes_nothing(clones: Clones) -> None:
    key = propose(clones.cloud, SAID)
    told = sync(clones.cloud, "--dry-run")
    assert f"send     {short(clones.cloud, key)}  {SAID}\n" in told
    assert "would have sent 1" in told
    assert clones.remote.refs() == []
    sync(clones.cloud)
    told = sync(clones.laptop, "--dry-run")
    assert f"receive  {key[:6]}\n" in told
    assert SAID not in told
    assert told.endswith("would have sent 0, received 1, cleared 0; 1 waits for review\n")
    assert inbox(clones.laptop) == []
    assert "received 1" in sync(clones.laptop)


def test_linked_work_trees_share_what_travels(clones: Clones, tmp_path: Path) -> None:
    clones.cloud.git("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "side")
    propose(clones.cloud, SAID)
    assert "sent 1" in sync(Repo(tmp_path / "linked"))
    assert "sent 0" in sync(clones.cloud)


def test_the_repositorys_own_objects_and_refs_stay_as_they_are(clones: Clones) -> None:
    def state(repo: Repo) -> tuple[str, str, bytes, list[str]]:
        names = sorted(path.name for path in (repo.root / ".git").iterdir())
        return (
            repo.git("count-objects", "-v"),
            repo.git("for-each-ref"),
            (repo.root / ".git/config").read_bytes(),
            names,
        )

    propose(clones.cloud, "Keep it.")
    propose(clones.laptop, "Keep that.")
    before = state(clones.cloud), state(clones.laptop)
    arrived_both = sync(clones.cloud), sync(clones.laptop), sync(clones.cloud)
    assert "received 1" in arrived_both[2]
    assert (state(clones.cloud), state(clones.laptop)) == before
    assert not (clones.cloud.root / ".git/curator/parcels").exists()


@pytest.mark.parametrize("options", [("--depth=1",), ("--filter=blob:none",)])
def test_shallow_and_partial_clones_take_part(clones: Clones, tmp_path: Path, options: tuple[str, ...]) -> None:
    clones.remote.git("config", "uploadpack.allowFilter", "true")
    other = tmp_path / "other"
    subprocess.run(["git", "clone", "-q", *options, f"file://{clones.remote.root}", str(other)], check=True)
    propose(Repo(other), "Use ky instead of axios.")
    propose(clones.cloud, SAID)
    sync(clones.cloud)
    assert summary(sync(Repo(other))) == "sent 1, received 1, cleared 0; 2 wait for review"


def test_a_repository_of_sha256_takes_part(tmp_path: Path) -> None:
    clones = made(tmp_path, "--object-format=sha256")
    key = arrived(clones)
    assert len(clones.remote.git("rev-parse", f"refs/curator/inbox/{key}")) == 64


def test_two_syncs_at_once_lose_nothing(clones: Clones, tmp_path: Path) -> None:
    many = [clones.cloud, clones.laptop, clone(clones.remote, tmp_path / "third")]
    wanted = {propose(repo, f"Rule {number} of clone {at}.") for at, repo in enumerate(many) for number in range(4)}
    shared = {propose(repo, "The rule that all have.", session=f"s{at}") for at, repo in enumerate(many)}
    command = [sys.executable, "-P", "-m", "curator", "sync"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    for _ in range(2):
        running = [subprocess.Popen(command, cwd=repo.root, env=environment, stdout=subprocess.PIPE) for repo in many]
        assert [one.communicate(timeout=60) and one.returncode for one in running] == [0, 0, 0]
    assert set(clones.remote.refs()) == wanted | shared
    for repo in many:
        sync(repo)
        assert set(inbox(repo)) == wanted | shared


def test_a_sync_that_is_killed_at_any_moment_is_ended_by_the_next(clones: Clones) -> None:
    wanted = {propose(clones.cloud, f"Rule {number} of the cloud.") for number in range(3)}
    other = {propose(clones.laptop, f"Rule {number} of the laptop.") for number in range(3)}
    sync(clones.laptop)
    command = [sys.executable, "-P", "-m", "curator", "sync"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    for moment in range(12):
        process = subprocess.Popen(command, cwd=clones.cloud.root, env=environment, stderr=subprocess.DEVNULL)
        time.sleep(0.08 * moment)
        process.kill()
        process.wait()
        held = set(inbox(clones.cloud)) | set(clones.remote.refs())
        assert held >= wanted | other
    until = time.monotonic() + 10
    while run(clones.cloud, "sync").exit_code and time.monotonic() < until:
        time.sleep(0.2)  # a git that was left may still be at it
    assert set(inbox(clones.cloud)) == set(clones.remote.refs()) == wanted | other
    marked = {path.name for path in (clones.cloud.root / ".git/curator/fetched").iterdir()}
    assert marked == other  # what came is marked, what was said here is not
    assert not (clones.cloud.root / ".git/curator/parcels").exists()
