"""Workflow commands: the right file and line, nothing that data could add to them, and no more than are shown."""

from __future__ import annotations

import re
from dataclasses import replace

from curator.core import annotation
from curator.core.compare import Compared, Look, Smell
from curator.model import Level
from tests.comparing import REDIS, SEED, TOKEN, USUAL, broken

COMMAND = re.compile(r"::(error|warning|notice) ([^:\n]*)::([^\n]*)")


def told(compared: Compared) -> list[tuple[str, str, str]]:
    lines = annotation.written(compared).splitlines()
    found = [COMMAND.fullmatch(line) for line in lines]
    return [(one[1], one[2], one[3]) for one in found if one] if all(found) else []


def test_each_thing_stands_beside_its_line() -> None:
    found = told(USUAL)
    assert found[0][0] == "error"
    assert found[0][1] == "file=memories/route/cache-keys-c3d1f0.yaml,line=4,title=memory%3A stale by this change"
    assert "src/cache.py no longer holds `make_key`" in found[0][2]
    assert [level for level, *_ in found] == ["error", "warning", "warning", "notice"]


def test_what_was_in_doubt_before_is_no_error_of_this_change() -> None:
    (old,) = USUAL.doubts
    found = told(Compared(doubts=(old._replace(finding=old.finding._replace(settled=True), touched=True),)))
    (one,) = found
    assert (one[0], one[1].rpartition("title=")[2]) == ("warning", "memory%3A stale before this change")
    assert "edited, and in doubt before" in one[2]


def test_the_range_is_named_as_a_readers_clone_has_it() -> None:
    looks = tuple(Look(Smell.NEAR, SEED.path, at, f"w{at}", SEED) for at in range(1, 31))
    text = annotation.written(Compared(looks=looks, base="1f" * 20, head="HEAD"), "origin/main..origin/topic")
    assert "`curator diff origin/main..origin/topic --format json`" in text
    assert f"`curator diff {'1f' * 5}..HEAD --format json`" in annotation.written(
        Compared(looks=looks, base="1f" * 20, head="HEAD")
    )


def test_a_file_that_cannot_be_read_is_an_error_on_its_line() -> None:
    found = told(Compared(findings=(broken("memories/gotcha/a,b:c.yaml:7", "not YAML: 100%"),)))
    assert found == [
        ("error", "file=memories/gotcha/a%2Cb%3Ac.yaml,line=7,title=memory%3A invalid", "not YAML: 100%25 (mend it)")
    ]


def test_data_adds_no_command_and_no_property() -> None:
    evil = "x\n::error::y\r\n::set-output name=a::b %0A::stop-commands::t \x1b[2J\x9b\u202e"
    entry = replace(TOKEN, id=evil, path=f"memories/{evil},line=1::")
    compared = Compared(looks=(Look(Smell.ORDER, entry.path, 3, evil, entry, entry),), notes=(evil,))
    text = annotation.written(compared)
    assert text.count("\n") == 2
    assert len(told(compared)) == 2
    assert "%0A" not in text.replace("%250A", "")
    assert not [letter for letter in text if (ord(letter) < 0x20 and letter != "\n") or letter in "\x9b\u202e"]
    assert told(compared)[0][1].count(",") == 2


def test_of_each_level_ten_are_told_and_the_rest_counted() -> None:
    looks = [Look(Smell.NEAR, SEED.path, at, f"w{at}", SEED) for at in range(1, 31)]
    looks += [Look(Smell.UNCHECKABLE, REDIS.path, at, f"n{at}", REDIS, level=Level.NOTE) for at in range(1, 31)]
    looks += [Look(Smell.SAME_KEY, REDIS.path, at, f"e{at}", REDIS, level=Level.ERROR) for at in range(1, 31)]
    found = told(Compared(looks=tuple(looks), base="main", head="HEAD", dots="..."))
    levels = [level for level, *_ in found]
    assert [levels.count(level) for level in ("error", "warning", "notice")] == [10, 10, 10]
    assert found[-1] == (
        "notice",
        "title=curator",
        "61 more things to look at: `curator diff main...HEAD --format json` holds all of them",
    )


def test_nothing_to_tell_is_no_command() -> None:
    assert annotation.written(Compared()) == ""
