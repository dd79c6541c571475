"""The plan: what one proposal needs, by what was, what is here, what is there, and what was decided."""

from __future__ import annotations

import pytest

from curator.core import keys, syncing
from curator.core.syncing import Count, Fate, Pair, Step, Unfit
from curator.model import Config

A, B, C = "aaaa", "bbbb", "cccc"
OPEN, KNOWN, REFUSED, OWN, DECIDED = Fate

TABLE = [
    # last, now, fate, step
    (Pair(), Pair(here=A), OPEN, Step.SEND),
    (Pair(), Pair(here=A), DECIDED, Step.SEND),
    (Pair(), Pair(here=A), KNOWN, Step.FORGET),
    (Pair(), Pair(there=A), OPEN, Step.FETCH),
    (Pair(), Pair(there=A), DECIDED, Step.PASS),
    (Pair(), Pair(there=A), OWN, Step.CLEAR),
    (Pair(), Pair(there=A), KNOWN, Step.CLEAR),
    (Pair(), Pair(there=A), REFUSED, Step.CLEAR),
    (Pair(), Pair(A, A), OPEN, Step.AGREE),
    (Pair(), Pair(A, B), OPEN, Step.COMPARE),
    (Pair(), Pair(A, B), KNOWN, Step.CLEAR),
    (Pair(A, A), Pair(A, A), OPEN, Step.AGREE),
    (Pair(A, B), Pair(A, B), OPEN, Step.AGREE),
    (Pair(A, A), Pair(B, A), OPEN, Step.UPDATE),
    (Pair(A, A), Pair(A, B), OPEN, Step.COMPARE),
    (Pair(A, A), Pair(B, C), OPEN, Step.COMPARE),
    (Pair(A, A), Pair(B, B), OPEN, Step.AGREE),
    (Pair(A, A), Pair(here=A), OPEN, Step.LEAVE),
    (Pair(A, A), Pair(here=B), OPEN, Step.LEAVE),
    (Pair(A, A), Pair(here=A), REFUSED, Step.FORGET),
    (Pair(A, A), Pair(there=A), DECIDED, Step.CLEAR),
    (Pair(A, A), Pair(there=B), DECIDED, Step.CLEAR),
    (Pair(A, A), Pair(there=A), OWN, Step.CLEAR),
    (Pair(A, A), Pair(there=A), OPEN, Step.FETCH),
    (Pair(A, A), Pair(), OPEN, Step.FORGET),
    (Pair(A, A), Pair(), DECIDED, Step.FORGET),
]


@pytest.mark.parametrize(("last", "now", "fate", "wanted"), TABLE)
def test_each_state_has_one_step(last: Pair, now: Pair, fate: Fate, wanted: Step) -> None:
    assert syncing.step(last, now, fate) is wanted


@pytest.mark.parametrize("last", [Pair(), Pair(A, A), Pair(A, B)])
@pytest.mark.parametrize("now", [Pair(), Pair(A), Pair(B), Pair("", A), Pair("", C), Pair(A, A), Pair(A, B)])
@pytest.mark.parametrize("fate", list(Fate))
def test_no_step_takes_a_proposal_from_its_last_place(last: Pair, now: Pair, fate: Fate) -> None:
    """Cleared is only what somebody decided; sent only what the remote has not."""
    step = syncing.step(last, now, fate)
    if step is Step.CLEAR:
        assert fate is not Fate.OPEN
    if step is Step.SEND:
        assert not now.there
    if now.there and not now.here and fate is Fate.OPEN:
        assert step is Step.FETCH
    if step is Step.FORGET:
        assert not now.there or fate in {KNOWN, REFUSED}


def test_all_keys_are_looked_at_in_order() -> None:
    found = syncing.steps({"c": Pair(A, A)}, {"a": A}, {"b": B}, {"b": Fate.OWN})
    assert found == {"a": Step.SEND, "b": Step.CLEAR, "c": Step.FORGET}
    assert list(found) == ["a", "b", "c"]


@pytest.mark.parametrize(
    "name", ["", "x" * 12, "../../etc/pas", "0123456789AB", "0123456789ab/x", "0123456789abc", "0" * 11]
)
def test_a_name_that_is_no_key_is_counted_only(name: str) -> None:
    good = "0123456789ab"
    assert syncing.by_key({syncing.REFS + name: A, syncing.REFS + good: B}) == ({good: B}, 1)


def test_what_was_unfit_comes_last_and_what_can_never_be_fit_not_at_all() -> None:
    there = {"a": A, "b": A, "c": A, "d": B}
    unfit = {"a": Unfit(A, "YAML"), "b": Unfit(A, "a commit", final=True), "d": Unfit(A, "a commit", final=True)}
    assert syncing.order("abcd", there, unfit) == ["c", "d", "a"]


def proposal(text: str, more: str = "", origin: str = "") -> tuple[str, bytes]:
    key = keys.key("default", text)
    made = (
        f'schema: 1\nid: "never-{key[:6]}"\ncategory: constraint\ntext: "{text}"\n{more}origin:\n  by: user\n{origin}'
    )
    return key, made.encode()


def test_a_proposal_is_read_under_its_key() -> None:
    key, data = proposal("Never commit to main.")
    assert syncing.read(data, key, Config()).entry
    assert syncing.read(data, key, Config(namespace="other")).why == "says something else than its key"


def test_a_quote_gives_nobody_the_key_of_another_statement() -> None:
    key, _ = proposal("Always run the linter.")
    _, data = proposal("Never run the linter.", origin='  quote: "Always run the linter."\n')
    assert syncing.read(data, key, Config()).why == "says something else than its key"
    assert syncing.opened(data, key, Config()).entry


def test_what_was_worded_anew_goes_nowhere_and_is_cleared_as_ever() -> None:
    last, here = {"b": Pair(A, A), "c": Pair(A, A)}, {"a": A, "b": B, "c": B, "d": A}
    there = {"b": A, "c": A, "d": B}
    found = syncing.steps(last, here, there, {"c": Fate.KNOWN}, {"a", "b", "c", "d"})
    assert found == {"a": Step.KEEP, "b": Step.KEEP, "c": Step.CLEAR, "d": Step.KEEP}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0" * 40,
        b"\xff\xfe\x00s",
        b"a: &a [1]\nb: *a\n",
        b"[" * 5000,
        b"schema: 1\ntext: x\n",
        b"schema: 2\n",
        b"- a\n- b\n",
        b"!!python/object/apply:os.system ['id']\n",
        b"<<<<<<< HEAD\n",
    ],
)
def test_hostile_bytes_are_no_proposal(data: bytes) -> None:
    """T16, T17, T18."""
    read = syncing.read(data, "0123456789ab", Config())
    assert read.entry is None
    assert read.why


def test_line_ends_of_windows_stay() -> None:
    key, data = proposal("Never commit to main.")
    read = syncing.read(data.replace(b"\n", b"\r\n"), key, Config())
    assert read.text.count("\r\n") == data.count(b"\n")


def test_a_key_that_the_file_claims_must_be_its_own() -> None:
    key, data = proposal("Never commit to main.", origin="  key: '0123456789ab'\n")
    assert syncing.read(data, key, Config()).why == "says something else than its key"


def test_a_secret_is_told_by_kind_alone() -> None:
    """T13."""
    token = "ghp_" + "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zaB3dE"
    key, data = proposal(f"The token is {token}.")
    read = syncing.read(data, key, Config())
    assert read.entry is None
    assert "secret" in read.why
    assert token not in read.why


def test_only_the_count_is_raised_and_only_so_far() -> None:
    key, data = proposal("Never commit to main.", more="seen: 2\n")
    one = syncing.read(data, key, Config())
    assert syncing.raised(one, 1) == syncing.raised(one, 2) == ""
    assert syncing.raised(one, 4) == one.text.replace("seen: 2", "seen: 4")
    assert syncing.raised(one, 999_999_999) == one.text.replace("seen: 2", "seen: 7")


def test_the_last_line_says_it_all() -> None:
    assert syncing.summary(Count(2, 1, 3, 4)) == "sent 2, received 1, cleared 3; 4 wait for review"
    assert syncing.summary(Count(waiting=1), dry_run=True).endswith("; 1 waits for review")
