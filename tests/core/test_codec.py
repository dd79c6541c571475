"""Files of entries: what is read, what is refused, how they are written, and how a hand-written one is changed."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from curator.core import codec, schema, splicing
from curator.errors import CuratorError
from curator.model import CATEGORIES, Entry, Evidence, Fault, Finding, Origin, Retired, Source

NAMES = tuple(CATEGORIES)

EXAMPLE = """\
# yaml-language-server: $schema=../memory.schema.json
schema: 1
id: spanish-vat-rounds-per-line-4f1c9a
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
scope: shop/checkout/
task: cf-131
sources:
  - path: shop/checkout/tax.py
    symbol: round_vat
    header: '77aa'
    blob: 9c1e2ab4d0f7c6b5a493827160f5e4d3c2b1a098
    terms:
      round_vat: [def, '3fa1', '90bc']
supersedes:
  - vat-rounds-per-order-77aa01
review_by: '2027-05-30'
expires: '2027-12-31'
confirmed: '2026-07-06'
seen: 3
origin:
  by: user
  agent: claude-code
  session: 253fd5ef
  trigger: pre-compact
  commit: f446dcf
  created: '2026-07-06T09:24:01Z'
  quote: |
    vat has to be rounded per line, the total is off by a cent otherwise
  extractor: rules/1
  confidence: 0.71
  key: b81d02f3a977
"""
EXAMPLE_PATH = "memories/gotcha/spanish-vat-rounds-per-line-4f1c9a.yaml"

HAND_WRITTEN = """\
---
# how we test
schema: 1
id: b
category: convention   # the folder
text: Run pytest with -q.

# asked for in the review
tags: [pytest, quiet]
sources:
- path: a.py   # the runner
  blob: '1111'
- {path: b.py}
origin:
  # who
  by: user
  created: 2024-01-15  # a Monday
"""
PATH = "memories/convention/b.yaml"

any_text = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=120),
    st.text(st.sampled_from(list(" \n\t#:-'\"%\\`.!?|>[]{}&*@,~=<>0e1xyAB\r\x85\u2028\ufeff\u200d😀é日")), max_size=60),
)
one_line = any_text.map(lambda text: re.sub("[\r\n]", "", text))
names = st.from_regex(r"[a-z0-9][a-z0-9-]{0,20}", fullmatch=True).filter(lambda name: name not in schema.DEVICES)
hashes = st.text("0123456789abcdef", min_size=4, max_size=40)
days = st.dates().map(str)
paths = st.from_regex(r"[a-z@ #'.-]{0,4}[a-z]/[a-zé -]{1,8}", fullmatch=True).filter(
    lambda path: schema.FORMS[schema.Kind.FILE][0].fullmatch(path) is not None
)


def maybe(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(st.just(""), values)


sources = st.builds(
    Source,
    path=paths,
    symbol=maybe(one_line),
    text=maybe(one_line),
    absent=maybe(one_line),
    header=maybe(hashes),
    blob=maybe(hashes),
    terms=st.lists(
        st.builds(Evidence, one_line, st.lists(hashes, max_size=3).map(tuple), st.booleans()),
        max_size=3,
        unique_by=lambda one: one.term,
    ).map(tuple),
)
origins = st.builds(
    Origin,
    by=st.sampled_from(["", "user", "agent", "model", "tool", "import"]),
    agent=maybe(one_line),
    session=maybe(one_line),
    commit=maybe(hashes),
    created=maybe(days),
    quote=maybe(any_text.map(codec.canonical)),
    confidence=st.one_of(st.just(1.0), st.floats(0, 1)),
    key=maybe(st.text("0123456789abcdef", min_size=12, max_size=12)),
)
retirements = st.one_of(st.none(), st.builds(Retired, days, one_line.filter(lambda text: bool(text.strip()))))


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    entry_id = draw(names)
    category = draw(st.sampled_from(NAMES))
    return Entry(
        id=entry_id,
        category=category,
        text=draw(any_text.map(codec.canonical).filter(lambda text: bool(text.strip()))),
        path=f"memories/{category}/{entry_id}.yaml",
        why=draw(maybe(any_text.map(codec.canonical))),
        importance=draw(st.integers(1, 10)),
        tags=tuple(draw(st.lists(one_line, max_size=3))),
        triggers=tuple(draw(st.lists(one_line, max_size=3))),
        scope=draw(maybe(paths)),
        task=draw(maybe(one_line)),
        sources=tuple(draw(st.lists(sources, min_size=1 if category == "route" else 0, max_size=3))),
        supersedes=tuple(f"{name}-old" for name in draw(st.lists(names, max_size=2))),
        review_by=draw(maybe(days)),
        expires=draw(maybe(days)),
        retired=draw(retirements),
        confirmed=draw(maybe(days)),
        seen=draw(st.integers(1, 50)),
        origin=draw(origins),
    )


def read(text: str, path: str = PATH) -> tuple[Entry | None, tuple[Finding, ...]]:
    return codec.read(text.encode(), path, NAMES)


def whole(text: str, path: str = PATH) -> Entry:
    """The entry of a file with no error in it."""
    entry, findings = read(text, path)
    assert entry, findings
    return entry


def told(text: str, path: str = PATH) -> list[str]:
    """Findings of a file that is left out, as `line: message (hint)`."""
    entry, findings = read(text, path)
    assert entry is None
    assert all(one.where.startswith(path) for one in findings)
    return [f"{one.where[len(path) + 1 :]}: {one.message} ({one.hint})" for one in findings]


def file(**keys: str) -> str:
    """A file with these keys in place of, or after, those it must have."""
    held = {"schema": "1", "id": "b", "category": "convention", "text": "Run pytest with -q."} | keys
    return "".join(f"{key}: {value}\n" for key, value in held.items())


# reading


def test_the_example_of_the_format_reads_as_it_says() -> None:
    entry = whole(EXAMPLE, EXAMPLE_PATH)
    assert entry == Entry(
        id="spanish-vat-rounds-per-line-4f1c9a",
        category="gotcha",
        text="Spanish VAT rounds per line, not per order total.\n"
        "Rounding the total is off by a cent on multi-item orders.",
        path=EXAMPLE_PATH,
        why="Tax authority rule; checkout was wrong until March.",
        importance=7,
        tags=("checkout", "vat"),
        triggers=("one cent off",),
        scope="shop/checkout/",
        task="cf-131",
        sources=(
            Source(
                "shop/checkout/tax.py",
                symbol="round_vat",
                header="77aa",
                blob="9c1e2ab4d0f7c6b5a493827160f5e4d3c2b1a098",
                terms=(Evidence("round_vat", ("3fa1", "90bc"), True),),
            ),
        ),
        supersedes=("vat-rounds-per-order-77aa01",),
        review_by="2027-05-30",
        expires="2027-12-31",
        confirmed="2026-07-06",
        seen=3,
        origin=Origin(
            by="user",
            agent="claude-code",
            session="253fd5ef",
            trigger="pre-compact",
            commit="f446dcf",
            created="2026-07-06T09:24:01Z",
            quote="vat has to be rounded per line, the total is off by a cent otherwise",
            extractor="rules/1",
            confidence=0.71,
            key="b81d02f3a977",
        ),
    )


def test_a_file_needs_four_keys_and_the_rest_has_defaults() -> None:
    assert whole(file()) == Entry("b", "convention", "Run pytest with -q.", PATH)
    assert told("{}\n") == [f"1: `{key}` is missing (add `{key}:`)" for key in ("schema", "id", "category", "text")]


def test_ya_01_unquoted_yes_and_no_are_refused_with_their_lines() -> None:
    text = "schema: 1\nid: no\ncategory: on\ntext: yes\ntags: [off, ok]\n"
    assert told(text) == [
        "2: `id` must be text, but YAML reads 'no' as bool (quote it)",
        "3: `category` must be text, but YAML reads 'on' as bool (quote it)",
        "4: `text` must be text, but YAML reads 'yes' as bool (quote it)",
        "5: `tags` must be text, but YAML reads 'off' as bool (quote it)",
    ]


def test_ya_03_short_hashes_keep_their_digits() -> None:
    entry = whole(file(origin="\n  by: user\n  commit: 4225332"))
    assert entry.origin.commit == "4225332"
    assert "\n  commit: '4225332'\n" in codec.write(entry)
    entry = whole(file(origin="\n  by: user\n  commit: 1234e8"))
    assert entry.origin.commit == "1234e8"
    assert "\n  commit: '1234e8'\n" in codec.write(entry)


def test_ya_06_base_sixty_numbers_are_refused() -> None:
    lines = told("schema: 1\nid: 1:2\ncategory: convention\ntext: 12:30\n")
    assert lines == [
        "2: `id` must be text, but YAML reads '1:2' as int (quote it)",
        "4: `text` must be text, but YAML reads '12:30' as int (quote it)",
    ]
    assert not re.search("62|750", "".join(lines))


def test_ya_12_a_number_of_5000_digits_is_named_and_not_printed() -> None:
    lines = told(file(text="9" * 5000))
    assert "quote it" in lines[0]
    assert all(len(line) < 160 for line in lines)


def test_ya_14_a_comment_that_cuts_a_text_is_a_warning() -> None:
    entry, findings = read(file(text="ask in channel #ops"))
    assert entry
    assert entry.text == "ask in channel"
    assert [(one.kind, one.where) for one in findings] == [(Fault.SUSPECT, f"{PATH}:4")]
    assert "'#ops' is a comment" in findings[0].hint
    assert whole(codec.write(replace(entry, text="ask in channel #ops"))).text == "ask in channel #ops"


def test_a_remark_after_a_word_is_no_warning_but_a_cut_word_is() -> None:
    assert read(file(task="cf-131  # the ticket"))[1] == ()
    assert [one.kind for one in read(file(task="see #131"))[1]] == [Fault.SUSPECT]
    assert "'#131' is a comment" in told(file(task="#131"))[0]


def test_ya_26_escapes_in_double_quotes_are_a_warning_and_a_path_survives_writing() -> None:
    entry, findings = read(file(text='"C:\\temp\\new"'))
    assert entry
    assert [(one.kind, one.where) for one in findings] == [(Fault.SUSPECT, f"{PATH}:4")]
    assert whole(codec.write(replace(entry, text=r"C:\temp\new"))).text == r"C:\temp\new"


@pytest.mark.parametrize("created", ["2024-01-15", "2024-01-15T10:00:00", "2024-01-15T10:00:00+02:00"])
def test_st_09_bare_dates_stay_the_text_they_are(created: str) -> None:
    assert whole(file(origin=f"\n  by: user\n  created: {created}")).origin.created == created


def test_mc_01_a_number_that_is_none_is_refused_and_so_is_a_binary_tag() -> None:
    assert told(file(importance=".nan")) == ["5: `importance` must be a whole number from 1 to 10, not '.nan' ()"]
    text = file(importance=".nan", origin="\n  by: user\n  created: 2024-01-15\n  quote: !!binary aGk=")
    assert told(text)[0].startswith("9: `origin.quote`: a YAML tag ('!!binary')")


@pytest.mark.parametrize(
    "text",
    ["", "# todo\n", "hello\n", "- a\n", "42\n", "a: &x 1\n", "a: 1\n---\nb: 2\n"],
)
def test_ya_21_a_file_that_is_no_entry_has_one_finding(text: str) -> None:
    entry, findings = read(text)
    assert entry is None
    assert len(findings) == 1
    assert findings[0].id == "b"


def test_ya_22_a_merge_conflict_is_a_finding_of_its_own_kind() -> None:
    text = "schema: 1\nid: b\n<<<<<<< HEAD\ntext: x\n=======\ntext: y\n>>>>>>> br\ncategory: convention\n"
    _, findings = read(text)
    assert [(one.kind, one.where) for one in findings] == [(Fault.CONFLICT, f"{PATH}:3")]
    assert "merge conflict" in findings[0].message


def test_ya_08_me_05_a_doubled_key_is_refused_with_its_line() -> None:
    assert told(file() + "text: second\n") == ["5: `text`: the key stands twice, first on line 4 (keep one of the two)"]


@pytest.mark.parametrize("number", ["2", "999", '"2"'])
def test_a_file_of_a_newer_schema_has_one_finding_and_no_entry(number: str) -> None:
    entry, findings = read(file(schema=number, colour="red", text="no", importance="[1]"))
    assert entry is None
    assert [(one.kind, one.where) for one in findings] == [(Fault.NEWER, f"{PATH}:1")]


@pytest.mark.parametrize("number", ["0", "one", "1.0", "-1", "[1]"])
def test_a_schema_that_is_no_number_of_ours_is_refused(number: str) -> None:
    assert told(file(schema=number))[0].startswith("1: `schema` must be 1, not ")


def test_every_fault_is_found_in_one_run_and_named_with_its_line() -> None:
    text = file(
        id="B",
        category="conventoin",
        importnace="7",
        why="[a]",
        tags="pytest",
        sources="\n  - path: ../x\n  - blob: zz",
        expires="2026-02-30",
        seen="0",
        origin="\n  by: me\n  colour: red",
    )
    assert told(text) == [
        "2: `id` must be 1 to 80 of a-z, 0-9 and -, with no - in front, not 'B' ()",
        "3: `category` 'conventoin' is not configured (did you mean `convention`?)",
        "5: unknown key 'importnace' (did you mean `importance`?)",
        "6: `why` must be text, not a list ()",
        "7: `tags` must be a list, not 'pytest' (one item a line: `  - item`)",
        "9: `sources.path` must be a file in the repository, relative, with /, without .. and not in .git,"
        " not '../x' ()",
        "10: `sources.blob` must be 4 to 64 hex digits, not 'zz' ()",
        "10: `sources.path` is missing (add `path:`)",
        "11: `expires` is no day of the calendar: '2026-02-30' ()",
        "12: `seen` must be a whole number from 1 to 999,999,999, not '0' ()",
        "14: `origin.by` must be user, agent, model, tool or import, not 'me' ()",
        "15: unknown key 'origin.colour' (known keys: by, agent, session, trigger, commit, created, quote, extractor,"
        " confidence, key)",
    ]


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("text", "''", "is empty"),
        ("text", '"\\n \\n"', "is empty"),
        ("text", "x" * 1201, "1,201 characters, at most 1,200"),
        ("why", "x" * 2001, "at most 2,000"),
        ("why", "", "has no value"),
        ("tags", "[" + ", ".join("abcdefghijklm") + "]", "13 items, at most 12"),
        ("triggers", "[" + ", ".join("abcdefghijklm") + "]", "13 items, at most 12"),
        ("sources", "[" + "{path: a}, " * 13 + "]", "13 items, at most 12"),
        ("importance", "0", "from 1 to 10"),
        ("importance", "11", "from 1 to 10"),
        ("importance", "lots", "a whole number from 1 to 10, not 'lots'"),
        ("importance", "7.5", "a whole number"),
        ("importance", "0123", "a whole number"),
        ("importance", "[7]", "a whole number from 1 to 10, not a list"),
        ("task", '"a\\nb"', "must be one line"),
        ("tags", "[[a]]", "must be text, not a list"),
        ("tags", "{a: b}", "must be a list, not a mapping"),
        ("sources", "[a.py]", "must be a mapping, not 'a.py'"),
        ("supersedes", "[b]", "names the entry itself"),
        ("supersedes", "['../x']", "1 to 80 of a-z"),
        ("expires", "tomorrow", "a date such as"),
        ("confirmed", "2026-07-06T10:00:00Z", "a date such as"),
        ("origin", "{created: 2024-1-5}", "a date such as"),
        ("origin", "{created: 2024-01-15T25:00:00}", "no day of the calendar"),
        ("origin", "{key: ../../x}", "12 hex digits"),
        ("origin", "{confidence: 1.5}", "from 0 to 1"),
        ("origin", "{confidence: .inf}", "from 0 to 1"),
        ("origin", "user", "must be a mapping"),
        ("retired", "{on: 2026-01-01}", "`retired.reason` is missing"),
        ("retired", "{on: 2026-01-01, reason: ''}", "is empty"),
        ("sources", "[{path: a, terms: [x]}]", "`sources.terms` must be a mapping"),
        ("sources", "[{path: a, terms: {x: 3fa1}}]", "a list for each term"),
        ("sources", "[{path: a, terms: {x: [zz]}}]", "`def` or 4 hex digits"),
        ("scope", "/etc", "a folder in the repository"),
    ],
)
def test_a_value_outside_its_limits_is_refused(key: str, value: str, words: str) -> None:
    lines = told(file(**{key: value}))
    assert words in lines[0], lines


OUTSIDE = (
    "../../etc/passwd",
    "/etc/passwd",
    "~/.ssh/id_rsa",
    "C:\\x",
    "C:/x",
    "",
    ".",
    "./a",
    "a/../b",
    "a/./b",
    "a//b",
)
IN_GIT = (".git/config", ".git", "a/.GIT/x")


@pytest.mark.parametrize("path", [*OUTSIDE, *IN_GIT, "a/", "a\\b", "'a\tb'"])
def test_a_source_outside_the_work_tree_is_refused(path: str) -> None:
    quoted = path if path.startswith("'") else f"'{path}'"
    assert "a file in the repository" in told(file(sources=f"[{{path: {quoted}}}]"))[0]


@pytest.mark.parametrize("path", ["a.py", ".github/x.yml", "a b/ü.md", "--output=x", "src/.gitignore", "a..b/c"])
def test_a_source_may_have_any_name_git_can_hold(path: str) -> None:
    assert whole(file(sources=f"[{{path: '{path}'}}]")).sources == (Source(path),)


def test_limits_count_characters_and_not_the_line_break_at_the_end() -> None:
    assert len(whole(file(text="|\n  " + "é" * 1200)).text) == 1200


def test_a_route_needs_a_source() -> None:
    path = "memories/route/b.yaml"
    assert told(file(category="route"), path)[0].startswith("3: a route needs a source")
    assert whole(file(category="route", sources="[{path: a.py}]"), path).sources


def test_numbers_in_quotes_are_numbers_as_the_hook_writes_them() -> None:
    entry = whole(file(schema='"1"', importance='"7"', seen='"2"', origin='{by: "user", confidence: "0.71"}'))
    assert (entry.importance, entry.seen, entry.origin.confidence) == (7, 2, 0.71)


@pytest.mark.parametrize("entry_id", ["Rule", "x\\n## Forged", "../escape", "a.b", "a b", "-x", "é", "", "x" * 81])
def test_id_05_in_11_an_id_outside_the_alphabet_is_refused(entry_id: str) -> None:
    lines = told(file(id=f'"{entry_id}"'))
    assert lines[0].startswith("2: `id` must be "), lines
    assert "\n" not in "".join(lines)


@pytest.mark.parametrize(
    "name", ["../escape", "..", "a/../../b", "/abs/x", "..\\..\\x", "a\0b", "CON", "con", ".git/hooks"]
)
def test_id_03_names_that_lead_elsewhere_make_no_path(name: str) -> None:
    with pytest.raises(CuratorError):
        codec.path_of(name, "convention")
    with pytest.raises(CuratorError):
        codec.path_of("b", name)


def test_id_03_names_that_lead_elsewhere_are_refused_on_reading() -> None:
    for name in ("../escape", "..", "a/../../b", "/abs/x", "..\\..\\x", "CON", ".git/hooks/pre-commit"):
        assert "`id` must be" in told(file(id=f"'{name}'"))[0]
        assert "`category` must be" in told(file(category=f"'{name}'"))[0]
    assert "a device on Windows" in told(file(id="con"), "memories/convention/con.yaml")[0]


@pytest.mark.parametrize(
    "path",
    ["notes/b.yaml", "memories/b.yaml", "memories/convention/deeper/b.yaml", "memories/convention/b.yml", "b.yaml"],
)
def test_a_file_that_lies_elsewhere_is_no_entry(path: str) -> None:
    assert "not where an entry lives" in told(file(), path)[0]


def test_an_entry_says_where_it_lies() -> None:
    assert told(file(), "memories/convention/a.yaml") == [
        "2: `id` is 'b', but the file is called 'a' (make the two equal)"
    ]
    assert told(file(), "memories/gotcha/b.yaml") == [
        "3: `category` is 'convention', but the folder is called 'gotcha' (make the two equal)"
    ]


def test_a_proposal_is_read_wherever_it_lies() -> None:
    entry, findings = codec.read(file().encode(), "inbox/0123456789ab.yaml", NAMES, placed=False)
    assert entry
    assert (entry.id, entry.path, findings) == ("b", "", ())


def test_an_entry_below_a_folder_is_read() -> None:
    path = "services/billing/memories/convention/b.yaml"
    entry = whole(file(), path)
    assert entry.reach == codec.folder(path) == "services/billing/"
    assert whole(file()).reach == codec.folder(PATH) == ""


# writing


def test_the_example_of_the_format_is_written_back_byte_for_byte() -> None:
    assert codec.write(whole(EXAMPLE, EXAMPLE_PATH)) == EXAMPLE


def test_an_entry_that_says_little_is_a_short_file() -> None:
    entry = Entry("b", "convention", "Run pytest with -q.", PATH)
    assert codec.write(entry) == (
        "# yaml-language-server: $schema=../memory.schema.json\n"
        "schema: 1\nid: b\ncategory: convention\ntext: |\n  Run pytest with -q.\nimportance: 5\n"
    )


def test_the_schema_is_found_from_a_nested_store() -> None:
    entry = Entry("b", "convention", "x", "services/billing/memories/convention/b.yaml")
    assert codec.write(entry).startswith("# yaml-language-server: $schema=../../../../memories/memory.schema.json\n")
    assert codec.write(replace(entry, path="")).startswith("# yaml-language-server: $schema=../memory.schema.json\n")
    assert codec.write(replace(entry, path=".git/curator/inbox/x.yaml")).startswith("schema: 1\n")


def test_ya_16_one_changed_word_changes_one_line_and_the_order_is_fixed() -> None:
    text = "word " * 60
    before = codec.write(Entry("b", "convention", f"Start here. {text}end.", PATH)).split("\n")
    after = codec.write(Entry("b", "convention", f"Start there. {text}end.", PATH)).split("\n")
    assert sum(one != other for one, other in zip(before, after, strict=True)) == 1
    keys = [line.split(":")[0] for line in before if line[:1].isalpha()]
    assert keys == ["schema", "id", "category", "text", "importance"]


NASTY = [
    "ask in channel #ops",
    "Note: colons",
    "- a dash in front",
    "'single' and \"double\"",
    "100 % of it",
    "%directive",
    "tab\tinside",
    "\ttab in front",
    "one\r\ntwo",
    "trailing blank ",
    "trailing blank \nand more",
    "  blanks in front",
    "back\\slash \\n C:\\temp\\new",
    "emoji 👩‍💻 🇪🇸",
    "nel\x85x",
    "<!-- AGENT_MEMORY_END -->",
    "{braces} [brackets] &anchor *alias !tag |pipe >fold @at `tick`",
    "---\n...",
    "no",
    "1e5",
    "a\n\n\nb",
    "esc\x1b[31mred",
    "<<<<<<< HEAD\nours\n=======",
    "? key",
    "line separator\u2028x",
    "\ufeffmark",
    "```\n  code: |\n    x\n```",
]


@pytest.mark.parametrize("text", NASTY)
def test_ya_20_t9_nasty_text_comes_back_as_canonical_has_it(text: str) -> None:
    entry = Entry("b", "convention", text, PATH, why=text, origin=Origin(quote=text))
    back = whole(codec.write(entry))
    assert back.text == back.why == back.origin.quote == codec.canonical(text)


@pytest.mark.parametrize("text", [text for text in NASTY if "\n" not in text])
def test_t9_nasty_words_come_back_as_they_are(text: str) -> None:
    source = Source("a.py", symbol=text, text=text, absent=text, terms=(Evidence(text),))
    entry = Entry("b", "convention", "x", PATH, tags=(text,), triggers=(text,), task=text, sources=(source,))
    assert whole(codec.write(replace(entry, retired=Retired("2026-01-01", text)))).sources == (source,)
    assert whole(codec.write(entry)) == entry


@pytest.mark.parametrize("reason", ["superseded", "One. Two.", "one\ntwo", "one\r\ntwo", " blanks ", "#1: a"])
def test_a_reason_comes_back_as_it_is(reason: str) -> None:
    entry = Entry("b", "convention", "x", PATH, retired=Retired("2026-01-01", reason))
    if "\r" in reason:
        assert "\\r\\n" in codec.write(entry)
    assert whole(codec.write(entry)) == entry


@settings(deadline=None, max_examples=50)
@given(entries())
def test_what_is_written_reads_back_and_is_written_the_same_again(entry: Entry) -> None:
    written = codec.write(entry)
    back = whole(written, entry.path)
    assert back == entry
    assert codec.write(back) == written
    assert written.isprintable() or "\r" not in written
    assert written.endswith("\n")


@given(any_text.filter(lambda text: bool(codec.canonical(text).strip())))
def test_text_that_nobody_prepared_is_written_stable(text: str) -> None:
    written = codec.write(Entry("b", "convention", text, PATH))
    assert codec.write(whole(written)) == written


@settings(deadline=None, max_examples=50)
@given(entries())
def test_other_yaml_readers_get_the_same_texts(entry: Entry) -> None:
    value = yaml.safe_load(codec.write(entry))
    assert value["text"].removesuffix("\n") == entry.text
    assert tuple(value.get("tags", ())) == entry.tags
    assert value.get("origin", {}).get("commit", "") == entry.origin.commit
    assert tuple(source["path"] for source in value.get("sources", ())) == tuple(one.path for one in entry.sources)


# canonical text


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("Use `a. B` here. Then stop.", ["Use `a. B` here.", "Then stop."]),
        ("See e.g. Django or i.e. Flask etc. Then go.", ["See e.g. Django or i.e. Flask etc. Then go."]),
        ("Needs Python 3.11. Never 3. Or v2. Then", ["Needs Python 3.11. Never 3. Or v2. Then"]),
        ("Port is 8080. Keep it.", ["Port is 8080.", "Keep it."]),
        ("pip. npm", ["pip. npm"]),
        ('He said "Stop." Then left.', ['He said "Stop."', "Then left."]),
        ("Wait... Then go. Done (really.) Yes", ["Wait... Then go.", "Done (really.)", "Yes"]),
        ("By J. Smith.  Two blanks", ["By J. Smith.", "Two blanks"]),
        ("Do: 1. Build 2. Test", ["Do: 1. Build 2. Test"]),
        ("End. 1. Build", ["End. 1. Build"]),
        ("先备份。然后部署", ["先备份。然后部署"]),
        ("Ja. Über alles. 日本 ok.", ["Ja.", "Über alles.", "日本 ok."]),
        ("Run `x`. `y` fails.", ["Run `x`.", "`y` fails."]),
        ("Code. ```py", ["Code. ```py"]),
    ],
)
def test_prose_gets_one_sentence_a_line(text: str, lines: list[str]) -> None:
    assert codec.canonical(text).split("\n") == lines


@pytest.mark.parametrize(
    "text",
    [
        "One. Two.\n\nThree. Four.",
        "One. Two:\n- a. B\n- c",
        "One. Two:\n```\na. B\n```",
        "One. Two:\n    a. B",
        "# One. Two",
        "> One. Two",
        "1. One. Two",
        "| One. Two |",
    ],
)
def test_text_with_more_structure_keeps_its_lines(text: str) -> None:
    assert codec.canonical(text) == text


def test_line_breaks_of_windows_become_plain_ones_however_often_they_were_doubled() -> None:
    assert codec.canonical("one\r\ntwo\r\r\nthree \r\n") == "one\ntwo\nthree"


@given(any_text)
def test_canonical_changes_blanks_only_and_nothing_the_second_time(text: str) -> None:
    once = codec.canonical(text)
    assert codec.canonical(once) == once
    assert _words(once) == _words(text)
    assert not re.search(r"[ \t]$", once, re.M)


def _words(text: str) -> list[str]:
    return [word for word in re.split("[ \t\n]+", re.sub("\r+\n", "\n", text)) if word]


# changing a file


def changed(**keys: object) -> tuple[str, str]:
    """The hand-written file, and what splicing these keys into it makes of it."""
    before = whole(HAND_WRITTEN)
    return HAND_WRITTEN, splicing.splice(HAND_WRITTEN, before, replace(before, **keys))  # type: ignore[arg-type]


def edits(before: str, after: str) -> list[str]:
    """Lines that went and came."""
    from difflib import ndiff

    return [line for line in ndiff(before.split("\n"), after.split("\n")) if line[0] in "+-"]


def test_a_changed_value_changes_its_line_and_keeps_the_remark_beside_it() -> None:
    path = "memories/gotcha/b.yaml"
    before = whole(HAND_WRITTEN)
    after = splicing.splice(HAND_WRITTEN, before, replace(before, category="gotcha", path=path))
    assert edits(HAND_WRITTEN, after) == [
        "- category: convention   # the folder",
        "+ category: gotcha   # the folder",
    ]


def test_a_changed_text_becomes_a_block() -> None:
    assert edits(*changed(text="Run it.\nThen go.")) == [
        "- text: Run pytest with -q.",
        "+ text: |",
        "+   Run it.",
        "+   Then go.",
    ]


def test_a_new_key_goes_to_its_place_in_the_order() -> None:
    lines = changed(importance=8, why="Because.", seen=2)[1].split("\n")
    assert lines[5:10] == ["text: Run pytest with -q.", "why: |", "  Because.", "importance: 8", ""]
    assert lines[15:17] == ["- {path: b.py}", "seen: 2"]


def test_a_retirement_is_four_new_lines() -> None:
    assert edits(*changed(retired=Retired("2026-07-06", "superseded: see c"))) == [
        "+ retired:",
        "+   on: '2026-07-06'",
        "+   reason: 'superseded: see c'",
    ]


def test_a_key_of_a_group_is_changed_alone() -> None:
    origin = Origin(by="user", created="2024-01-15", commit="4225332", key="b81d02f3a977")
    assert edits(*changed(origin=origin)) == ["+   commit: '4225332'", "+   key: b81d02f3a977"]
    assert edits(*changed(origin=Origin(by="user", created="2025-01-15"))) == [
        "-   created: 2024-01-15  # a Monday",
        "+   created: '2025-01-15'  # a Monday",
    ]


def test_the_blob_of_one_source_is_changed_alone() -> None:
    sources = (Source("a.py", blob="2222"), Source("b.py"))
    assert edits(*changed(sources=sources)) == ["-   blob: '1111'", "+   blob: '2222'"]
    sources = (Source("c.py", blob="1111", terms=(Evidence("x", ("3fa1",), True),)), Source("b.py"))
    assert edits(*changed(sources=sources)) == [
        "- - path: a.py   # the runner",
        "+ - path: c.py   # the runner",
        "+   terms:",
        "+     x: [def, '3fa1']",
    ]


def test_a_new_key_comes_before_a_changed_one_that_follows_a_removed_one() -> None:
    text = file(review_by="2026-01-01", why="Old.")
    before = whole(text)
    after = splicing.splice(text, before, replace(before, review_by="", expires="2027-01-01", why="New."))
    assert after == file(expires="'2027-01-01'", why="|\n  New.")


def test_a_source_in_braces_is_written_anew_alone() -> None:
    sources = (Source("a.py", blob="1111"), Source("b.py", blob="3333"))
    assert edits(*changed(sources=sources)) == ["- - {path: b.py}", "+ - path: b.py", "+   blob: '3333'"]


REMARKED = """\
schema: 1
id: b
category: convention
text: Say `x_y` and `z_q`.
sources:   # all that is cited
  # first: tax office rule 7
  - path: a.py  # keep a

    # why symbol
    symbol: x_y  # it stays
    blob: '1111'
    # below a
  # second:
  # two lines
  - symbol: z_q   # moves with b
    path: 'b.py'
    terms:
      # the first term
      x_y: [def, '1111']  # seen here
      # the second
      z_q: ['2222']
  # keep me

  # third
  - # about c
    path: c.py
  # the end of the list
# of the tags
tags:
  # one
  - x
  - y  # two
  # three
  - z
# the end
"""
A, B, C = whole(REMARKED).sources


def spliced(**keys: object) -> str:
    before = whole(REMARKED)
    after = replace(before, **keys)  # type: ignore[arg-type]
    text = splicing.splice(REMARKED, before, after)
    assert whole(text) == after
    crlf = splicing.splice(REMARKED.replace("\n", "\r\n"), before, after)
    assert crlf == text.replace("\n", "\r\n")
    return text


def test_a_dropped_source_takes_its_own_lines_and_remarks_and_nothing_else() -> None:
    first = REMARKED[REMARKED.index("  # first") : REMARKED.index("  # second")]
    second = REMARKED[REMARKED.index("  # second") : REMARKED.index("  # keep me")]
    third = REMARKED[REMARKED.index("  # third") : REMARKED.index("  # the end of")]
    assert spliced(sources=(B, C)) == REMARKED.replace(first, "")
    assert spliced(sources=(A, C)) == REMARKED.replace(second, "")
    assert spliced(sources=(A, B)) == REMARKED.replace(third, "")
    assert spliced(sources=(C,)) == REMARKED.replace(first + second, "")


def test_a_dropped_source_leaves_room_for_changes_to_the_others() -> None:
    second = REMARKED[REMARKED.index("  # second") : REMARKED.index("  # keep me")]
    told = spliced(sources=(replace(A, blob="abcd", symbol=""), replace(C, blob="eeee")))
    assert told == (
        REMARKED.replace(second, "")
        .replace("    symbol: x_y  # it stays\n", "")
        .replace("blob: '1111'", "blob: abcd")
        .replace("    path: c.py\n", "    path: c.py\n    blob: eeee\n")
    )


def test_a_source_that_moved_is_known_by_the_rest_of_it() -> None:
    told = spliced(sources=(replace(B, path="new.py", blob="2222"), C))
    assert "# first" not in told
    assert "  # two lines\n  - symbol: z_q   # moves with b\n    blob: '2222'\n    path: new.py\n    terms:" in told


def test_of_two_sources_of_one_file_that_become_one_the_likest_stays() -> None:
    text = file(sources="\n  # by name\n  - path: a.py\n    symbol: x_y\n  # all of it\n  - path: a.py\n")
    before = whole(text)
    after = splicing.splice(text, before, replace(before, sources=(Source("a.py"),)))
    assert after == file(sources="\n  # all of it\n  - path: a.py\n")


def test_new_sources_go_between_the_others() -> None:
    told = spliced(sources=(Source("0.py"), A, Source("1.py", symbol="q"), B, C, Source("2.py")))
    assert edits(REMARKED, told) == [
        "+   - path: '0.py'",
        "+   - path: '1.py'",
        "+     symbol: q",
        "+   - path: '2.py'",
    ]


def test_sources_in_another_order_say_so() -> None:
    assert "# all that is cited" in spliced(sources=(C, A, B))


def test_the_first_key_of_an_item_can_go() -> None:
    told = spliced(sources=(A, replace(B, symbol=""), C))
    assert edits(REMARKED, told) == ["-   - symbol: z_q   # moves with b", "-     path: 'b.py'", "+   - path: 'b.py'"]
    text = file(sources="\n  - symbol: q\n    # of the path\n    path: a.py\n")
    before = whole(text)
    after = splicing.splice(text, before, replace(before, sources=(Source("a.py", header="abcd"),)))
    assert "    # of the path\n    path: a.py\n    header: 'abcd'\n" in after
    assert whole(after).sources == (Source("a.py", header="abcd"),)


def test_terms_and_lines_of_text_are_changed_one_by_one() -> None:
    x_y, z_q = B.terms
    told = spliced(sources=(A, replace(B, terms=(replace(x_y, lines=("3333",)), Evidence("new"))), C))
    assert edits(REMARKED, told) == [
        "-       x_y: [def, '1111']  # seen here",
        "+       x_y: [def, '3333']  # seen here",
        "+       new: []",
        "-       # the second",
        "-       z_q: ['2222']",
    ]
    assert spliced(sources=(A, replace(B, terms=(z_q,)), C)) == REMARKED.replace(
        "      # the first term\n      x_y: [def, '1111']  # seen here\n", ""
    )
    assert edits(REMARKED, spliced(tags=("x", "z", "w"))) == ["-   - y  # two", "+   - w"]


def test_an_item_is_added_to_a_file_that_does_not_end_its_last_line() -> None:
    text = file(tags="\n  - a  # x").removesuffix("\n")
    before = whole(text)
    assert splicing.splice(text, before, replace(before, tags=("a", "b"))) == text + "\n  - b"


@settings(deadline=None, max_examples=50)
@given(entries(), st.data())
def test_the_remarks_of_sources_that_stay_survive(before: Entry, data: st.DataObject) -> None:
    sources = tuple(Source(f"f{number}.py", one.symbol, one.text) for number, one in enumerate(before.sources * 2))
    before = replace(before, category="convention", path=PATH, id="b", supersedes=(), sources=sources)
    lines: list[str] = []
    for line in codec.write(before).split("\n"):
        lines.extend([f"  # on {line.split()[2]}"] if line.startswith("  - path: f") else [])
        lines.append(line)
    text = "\n".join(lines)
    kept = [replace(source, blob="abcd", symbol="") for source in sources if data.draw(st.booleans())]
    after = replace(before, sources=tuple(kept))
    told = splicing.splice(text, before, after)
    assert whole(told) == after
    assert [f"  # on {one.path}" in told for one in sources] == [
        one.path in {it.path for it in kept} for one in sources
    ]


def test_remarks_between_brackets_are_put_before_what_is_written_anew() -> None:
    text = file(sources="[ # one\n    {path: a.py, text: 'x # y'},  # two\n    # three\n    {path: b.py}]  # four")
    before = whole(text)
    after = splicing.splice(text, before, replace(before, sources=(Source("b.py"),)))
    assert after == file().rstrip("\n") + "\n# one\n# two\n# three\nsources:  # four\n  - path: b.py\n"
    text = file(sources="\n  - {path: a.py,  # one\n     symbol: q}  # two\n  # three\n  - path: b.py")
    before = whole(text)
    after = splicing.splice(text, before, replace(before, sources=(Source("a.py"), Source("b.py"))))
    assert after == file(sources="\n  # one\n  - path: a.py  # two\n  # three\n  - path: b.py")


def test_a_key_that_says_nothing_more_is_taken_out() -> None:
    assert edits(*changed(tags=())) == ["- tags: [pytest, quiet]"]
    assert edits(*changed(origin=Origin(by="user"))) == ["-   created: 2024-01-15  # a Monday"]


def test_nothing_changes_where_nothing_differs() -> None:
    before, after = changed()
    assert after == before


def test_windows_line_breaks_and_a_byte_order_mark_stay() -> None:
    text = "\ufeff" + HAND_WRITTEN.replace("\n", "\r\n").removesuffix("\r\n")
    before = whole(text)
    after = splicing.splice(
        text, before, replace(before, text="A.\nB.", origin=replace(before.origin, key="b81d02f3a977"))
    )
    assert after.startswith("\ufeff---\r\n")
    assert "\r\ntext: |\r\n  A.\r\n  B.\r\n" in after
    assert after.endswith("# a Monday\r\n  key: b81d02f3a977")
    assert not re.search(r"(?<!\r)\n", after)


def test_a_file_in_braces_is_written_anew() -> None:
    text = "{schema: 1, id: b, category: convention, text: x}\n"
    before = whole(text)
    after = replace(before, importance=9)
    assert splicing.splice(text, before, after) == codec.write(after)


def test_remarks_beside_a_block_or_a_list_stay_beside_the_key() -> None:
    text = file(text="|  # mine\n  Old.", tags=" # words\n  - a\n  - b")
    before = whole(text)
    after = splicing.splice(text, before, replace(before, text="New.", tags=("c",)))
    assert after == file(text="|  # mine\n  New.", tags=" # words\n  - c")


def test_a_moved_entry_points_to_the_schema_from_its_new_place() -> None:
    before = whole(EXAMPLE, EXAMPLE_PATH)
    after = replace(before, path=f"shop/{EXAMPLE_PATH}", scope="")
    by_hand = EXAMPLE.replace("importance: 7", "importance: 7  # high")
    spliced = splicing.splice(by_hand, before, after)
    assert spliced.startswith("# yaml-language-server: $schema=../../../memories/memory.schema.json\n")
    assert "importance: 7  # high\n" in spliced


@settings(deadline=None, max_examples=50)
@given(entries(), entries(), st.sets(st.sampled_from(["text", "why", "tags", "sources", "origin", "retired", "seen"])))
def test_a_file_of_curator_becomes_what_it_would_write(before: Entry, other: Entry, keys: set[str]) -> None:
    after = replace(before, **{key: getattr(other, key) for key in keys - {"sources"} | {"importance"}})
    assert splicing.splice(codec.write(before), before, after) == codec.write(after)


def by_hand(written: str, random: Random) -> tuple[str, int]:
    """The same entry as another hand might write it, and the number of remarks in it."""
    parts: list[list[str]] = []
    for line in written.split("\n")[1:-1]:
        parts.append([line]) if line[:1] not in {" ", ""} else parts[-1].append(line)
    if random.random() < 0.5:
        random.shuffle(parts)
    lines: list[str] = []
    remarks = 0
    for first, *rest in parts:
        if random.random() < 0.5:
            remarks += 1
            lines.append(f"# remark {remarks}.")
        indented = first != "sources:" or random.random() < 0.5
        lines.extend([first, *(line if indented else line[2:] for line in rest)])
        lines.extend([""] if random.random() < 0.2 else [])
    newline = random.choice(["\n", "\r\n"])
    return newline.join(lines) + random.choice([newline, ""]), remarks


@settings(deadline=None, max_examples=50)
@given(entries(), entries(), st.data(), st.randoms(use_true_random=False))
def test_splicing_says_the_new_entry_and_keeps_every_remark(
    before: Entry, other: Entry, data: st.DataObject, random: Random
) -> None:
    free = ["text", "why", "importance", "tags", "triggers", "scope", "task", "supersedes", "review_by", "expires"]
    keys = data.draw(st.sets(st.sampled_from([*free, "retired", "confirmed", "seen", "origin"]), min_size=1))
    sources = tuple(replace(source, blob="abcd") for source in before.sources)
    after = replace(before, sources=sources, **{key: getattr(other, key) for key in keys})
    text, remarks = by_hand(codec.write(before), random)
    assert whole(text, before.path) == before
    spliced = splicing.splice(text, before, after)
    assert whole(spliced, after.path) == after
    assert all(f"# remark {number}." in spliced for number in range(1, remarks + 1))
    assert ("\r\n" in spliced) == ("\r\n" in text)


# names


def test_id_01_every_text_has_a_slug() -> None:
    for text in ("部署前先备份", "🚀", "🎯", "Иван", "", "2024", "..."):
        assert codec.slug(text) == "memory"
    assert codec.slug("数据库迁移用 alembic 完成") == "alembic"


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Spanish VAT rounds per line, not per order total.\nRounding it is off.", "spanish-vat-rounds-per-line"),
        ("Never load the seed data into the shared database", "never-load-seed-data-shared-database"),
        ("We no longer cache in SQLite, use Redis", "no-longer-cache-sqlite-use-redis"),
        ("Don't use `round_vat` in the Über-Straße", "dont-use-round-vat-uber-strasse"),
        ("CON", "con-memory"),
        ("the", "the"),
        ("x" * 200, "x" * 60),
        (" ".join(["incomprehensibilities"] * 9), "incomprehensibilities-incomprehensibilities"),
    ],
)
def test_a_slug_is_a_few_words_that_tell(text: str, slug: str) -> None:
    assert codec.slug(text) == slug


@given(st.text(max_size=300))
def test_a_slug_with_a_tail_is_always_an_id(text: str) -> None:
    slug = codec.slug(text)
    assert 0 < len(slug) <= 60
    assert re.fullmatch("[a-z0-9]([a-z0-9-]*[a-z0-9])?", slug)
    assert slug not in schema.DEVICES
    assert codec.path_of(f"{slug}-0a1b2c", "gotcha", "shop/") == f"shop/memories/gotcha/{slug}-0a1b2c.yaml"


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("memories/gotcha/x.yaml", ""),
        ("memories/curator.yaml", ""),
        ("services/billing/memories/gotcha/x.yaml", "services/billing/"),
        ("memories/memories/gotcha/x.yaml", "memories/"),
        ("CLAUDE.md", ""),
    ],
)
def test_a_folder_is_what_stands_before_memories(path: str, folder: str) -> None:
    assert codec.folder(path) == folder
