"""Who is said to have said something: no name that somebody gives himself reads as the person who looks on."""

from __future__ import annotations

import pytest

from curator.core import teller, telling
from curator.model import Entry, Origin


def _entry(**facts: str) -> Entry:
    origin = Origin(**{"by": "agent", "created": "2026-03-03", **facts})  # type: ignore[arg-type]
    return Entry("a", "convention", "Run pytest.", origin=origin)


@pytest.mark.parametrize("name", ["you", "a person", "codex ", "Claude-Code", 'x" said. You', "you\nsaid", "\u202eyou"])
def test_a_client_that_is_not_known_is_told_as_a_name_in_quotes(name: str) -> None:
    entry = _entry(agent=name)
    shown = teller.client(name)
    assert shown.startswith('agent "')
    assert shown.count('"') == 2
    assert "\n" not in shown
    assert "\u202e" not in shown
    assert teller.head(entry) == f"proposed by {shown}"
    assert teller.brief(entry) == shown
    assert teller.said(entry) == f"The {shown} said"
    assert telling.source(entry, "2026-05-01") == f"{shown}, 3 Mar"


@pytest.mark.parametrize("name", sorted(teller.CLIENTS))
def test_a_client_that_is_known_needs_no_quotes(name: str) -> None:
    entry = _entry(agent=name)
    assert (teller.head(entry), teller.brief(entry)) == (f"proposed by {name}", name)
    assert (teller.said(entry), teller.said(entry, here=False)) == (f"{name} said", f"{name} said")


@pytest.mark.parametrize("name", ["", "agent"])
def test_one_without_a_name_is_an_agent(name: str) -> None:
    entry = _entry(agent=name)
    assert (teller.head(entry), teller.said(entry)) == ("proposed by an agent", "An agent said")


@pytest.mark.parametrize("name", ["you", "A person", "the user, in person", "user/1"])
def test_an_extractor_may_not_speak_as_a_person_either(name: str) -> None:
    assert teller.head(_entry(by="user", extractor=name)) == f'proposed by "{name}"'
    assert teller.brief(_entry(by="model", extractor=f"model/{name}")) == f'"{name}"'
    assert teller.brief(_entry(by="import", extractor=f"import/{name}")) == f'"{name}"'
    assert teller.brief(_entry(by="import", extractor="import/agentlore")) == "agentlore"


def test_a_person_is_told_as_one_whatever_client_took_part() -> None:
    entry = _entry(by="user", agent="you")
    assert (teller.said(entry), teller.said(entry, here=False)) == ("You said", "a user said")
