"""Encodings: every byte outside the block stays, and no locale changes what is read or written."""

from __future__ import annotations

import pytest

from tests.cases.conftest import Setup
from tests.conftest import END, START

BOM = b"\xef\xbb\xbf"
PLAIN_C = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def test_en_01_a_checkout_with_crlf_is_up_to_date_and_stays_as_git_made_it(case: Setup) -> None:
    at = case("base")
    assert at.run("render").code == 0
    at.sh("commit rendered")
    at.sh(r"git config core.autocrlf true; rm CLAUDE.md memories/convention/a.yaml; git checkout -q -- .")
    checked_out = at.path("CLAUDE.md").read_bytes()
    assert checked_out.count(b"\r\n") == checked_out.count(b"\n") > 0
    assert at.run("render", "--check").code == 0
    assert at.run("render").code == 0
    assert at.path("CLAUDE.md").read_bytes() == checked_out
    assert at.git("diff", "--stat") == ""
    assert at.run("check").code == 0


def test_en_01_a_changed_block_gets_the_line_ends_of_the_checkout(case: Setup) -> None:
    at = case(
        "base; git config core.autocrlf true; rm CLAUDE.md memories/convention/a.yaml; git checkout -q -- .; "
        r"grep -c $'\r' CLAUDE.md"
    )
    assert at.run("render").code == 0
    written = at.path("CLAUDE.md").read_bytes()
    assert b"- Run pytest with -q.\r\n" in written
    assert written.count(b"\r\n") == written.count(b"\n")


def test_en_04_a_byte_order_mark_before_the_start_marker_stays_and_stays_alone(case: Setup) -> None:
    at = case(r"base; { printf '\xef\xbb\xbf'; block; echo tail; } >CLAUDE.md; commit")
    assert at.run("render").code == 0
    written = at.path("CLAUDE.md").read_bytes()
    assert written.startswith(BOM + START.encode() + b"\n## Agent memory\n")
    assert written.count(BOM) == 1


def test_en_05_a_missing_final_newline_stays_missing_and_no_line_ends_in_blanks(case: Setup) -> None:
    at = case(r"""base; printf 'top\n%s\nold\n%s' "$S" "$E" >CLAUDE.md; commit""")
    assert at.run("render").code == 0
    first = at.read()
    assert first.endswith(f"\n{END}")
    assert not first.endswith(f"\n\n{END}")
    assert all(line == line.rstrip() for line in at.block().split("\n"))
    assert at.run("render").code == 0
    assert at.read() == first


def test_en_07_the_bytes_do_not_depend_on_the_locale_and_every_open_names_its_encoding(case: Setup) -> None:
    at = case("base; mem b.yaml b convention 'naïve 日本 😀'; commit")
    assert at.run("render", more={"LC_ALL": "C.UTF-8"}).code == 0
    expected = at.path("CLAUDE.md").read_bytes()
    assert "- naïve 日本 😀\n".encode() in expected
    at.git("checkout", "-q", "--", "CLAUDE.md")
    ran = at.run("render", more=PLAIN_C, flags=("-X", "warn_default_encoding", "-W", "error::EncodingWarning"))
    assert ran.code == 0
    assert b"EncodingWarning" not in ran.err
    assert at.path("CLAUDE.md").read_bytes() == expected


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        (("check",), "nothing to do"),
        (("recall", "naïve"), "convention/b"),
        (("list",), "convention/b"),
        (("status",), "Active    2"),
        (("add", "Größe zählt.", "--no-render"), "added and staged: memories/"),
    ],
)
def test_en_07_every_command_works_in_a_locale_that_is_not_utf_8(
    case: Setup, command: tuple[str, ...], shown: str
) -> None:
    at = case("base; mem b.yaml b convention 'naïve 日本 😀'; commit")
    ran = at.run(*command, more=PLAIN_C, flags=("-X", "warn_default_encoding", "-W", "error::EncodingWarning"))
    assert ran.code == 0
    assert shown in ran.said
    assert b"EncodingWarning" not in ran.err
