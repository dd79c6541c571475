"""YAML: what PyYAML would turn into something else, drop or expand is kept as written or refused by name."""

from __future__ import annotations

import re
import resource
import sys

import pytest
import yaml

from tests.cases.conftest import Case, Ran, Setup

MEGABYTE = 1 << 20


def texts(at: Case) -> dict[str, str]:
    """The text of every entry that counts, by id."""
    listed = at.run("list", "--json")
    assert listed.code == 0
    return {entry["id"]: entry["text"] for entry in listed.json()["entries"]}


def refused(at: Case, *said: str) -> Ran:
    """`check` fails, says this on one line each, and still looks at the other entry."""
    ran = at.run("check")
    assert ran.code == 1
    lines = ran.said.split("\n")
    for words in said:
        assert any(words in line for line in lines), ran.said
    assert "1 memory checked" in ran.said
    return ran


def left_out(at: Case, *absent: str) -> None:
    """`render` goes on with the other entry and names the file that it leaves out."""
    ran = at.run("render")
    assert ran.code == 0
    assert "memories/convention/b.yaml" in ran.told
    assert "- Run pytest with -q." in at.block()
    for words in absent:
        assert words not in at.block()


def test_ya_01_unquoted_words_of_yaml_1_1_are_refused_with_lines_and_never_become_booleans(case: Setup) -> None:
    at = case(r"base; raw b.yaml 'schema: 1\nid: no\ncategory: on\ntext: yes\ntags: [off, ok]\n'; commit")
    ran = refused(at, "memories/convention/b.yaml:2", "memories/convention/b.yaml:3", "memories/convention/b.yaml:4")
    assert "quote it" in ran.said
    written = at.run("render")
    assert written.code == 0
    for spoken in (ran.said, written.said, at.read(), at.run("list", "--json").said, at.run("recall", "yes").said):
        assert "False" not in spoken
        assert "True" not in spoken


def test_ya_03_short_hashes_are_kept_as_text(case: Setup) -> None:
    at = case(
        r"base; "
        r"raw b.yaml 'schema: 1\nid: b\ncategory: convention\ntext: t\norigin:\n  by: user\n  commit: 4225332\n'; "
        r"raw d.yaml 'schema: 1\nid: d\ncategory: convention\ntext: t\norigin:\n  by: user\n  commit: 1234e8\n'; commit"
    )
    entries = {entry["id"]: entry for entry in at.run("list", "--json").json()["entries"]}
    assert entries["b"]["origin"]["commit"] == "4225332"
    assert entries["d"]["origin"]["commit"] == "1234e8"
    assert "commit: 1234e8" in at.run("show", "d").out.decode()


# What the core schema of YAML 1.2 takes for a number (YAML 1.2.2 10.3.2).
NUMBER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")


def test_ya_03_a_file_that_curator_writes_reads_the_same_in_yaml_1_1_and_1_2(case: Setup) -> None:
    at = case("base; echo x >src.py; commit")
    text = ("add", "Keep src.py small.", "--source", "src.py", "--category", "convention")
    tags = ("4225332", "1234e8", "1e5", "0o17", "0x1f", "1_000", "12:30")
    added = at.run(*text, "--task", "1234e8", *(word for tag in tags for word in ("--tag", tag)))
    assert added.code == 0
    (path,) = at.path("memories/convention").glob("keep-*.yaml")
    entry = path.read_text(encoding="utf-8")
    assert yaml.safe_load(entry)["tags"] == list(tags)
    assert "task: '1234e8'\n" in entry
    for tag in tags:
        assert f"  - '{tag}'\n" in entry
    for key in ("id", "blob", "commit", "key"):
        (value,) = re.findall(rf"^ *{key}: (.*)$", entry, re.M)
        assert not NUMBER.fullmatch(value), f"{key}: {value}"


def test_ya_06_base_60_and_underscores_never_become_other_numbers(case: Setup) -> None:
    at = case(r"base; raw b.yaml 'schema: 1\nid: 1:2\ncategory: convention\ntext: 12:30\n'; commit")
    ran = refused(at, "memories/convention/b.yaml:2", "1:2")
    left_out(at)
    for spoken in (ran.said, at.read(), at.run("list", "--json").said):
        assert "62" not in spoken
        assert "750" not in spoken


def test_ya_07_a_tab_in_a_plain_value_is_named_with_file_and_line(case: Setup) -> None:
    at = case(r"base; raw b.yaml 'schema: 1\nid: b\ncategory: convention\ntext: run\tmake\n'; commit")
    ran = refused(at, "memories/convention/b.yaml:4")
    assert "tab" in ran.said
    assert "convention/a" in at.run("list").out.decode()


def test_ya_08_a_doubled_key_is_refused_with_its_line(case: Setup) -> None:
    at = case(r"base; raw b.yaml 'schema: 1\nid: b\ncategory: convention\ntext: first\ntext: second\n'; commit")
    ran = refused(at, "memories/convention/b.yaml:5")
    assert "text" in ran.said
    left_out(at, "first", "second")


BOMB = """base; { echo 'a: &a [x,x,x,x,x,x,x,x,x]'; p=a; for k in b c d e f g h i; do \
echo "$k: &$k [*$p,*$p,*$p,*$p,*$p,*$p,*$p,*$p,*$p]"; p=$k; done; echo 'schema: 1'; echo 'id: b'; \
echo 'category: convention'; echo 'text: *i'; } >memories/convention/b.yaml; commit"""


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS does not hold a process to RLIMIT_AS")
@pytest.mark.parametrize("command", [("check",), ("render",), ("recall", "pytest"), ("list", "--json"), ("status",)])
def test_ya_10_nested_anchors_are_refused_quickly_and_in_little_memory(case: Setup, command: tuple[str, ...]) -> None:
    at = case(BOMB)
    held = resource.getrlimit(resource.RLIMIT_AS)
    try:
        # Address space, not memory in use: with numpy's libraries a command maps far more than it touches.
        resource.setrlimit(resource.RLIMIT_AS, (2048 * MEGABYTE, held[1]))
        ran = at.run(*command)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, held)
    assert ran.code == (1 if command == ("check",) else 0)
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 300 * 1024
    assert ran.worked < 1.0
    if command[0] in {"check", "render", "status"}:
        assert "memories/convention/b.yaml:1" in ran.said
    if command[0] in {"render", "recall", "list"}:
        assert "Run pytest with -q." in ran.said + at.read()


def test_ya_12_a_number_of_5000_digits_is_refused_and_not_printed(case: Setup) -> None:
    at = case(
        """base; python3 -c "open('memories/convention/b.yaml','w')"""
        """.write('schema: 1\\nid: b\\ncategory: convention\\ntext: '+'9'*5000+'\\n')"; commit"""
    )
    ran = refused(at, "memories/convention/b.yaml:4")
    assert "9" * 100 not in ran.said
    left_out(at, "9" * 20)


def test_ya_14_a_comment_that_cuts_a_value_is_named_and_add_keeps_the_sign(case: Setup) -> None:
    at = case(r"base; raw b.yaml 'schema: 1\nid: b\ncategory: convention\ntext: ask in channel #ops\n'; commit")
    ran = at.run("check")
    assert "memories/convention/b.yaml:4: warning" in ran.said
    assert "comment" in ran.said
    assert at.run("check", "--strict").code == 1
    assert at.run("add", "For releases ask in channel #ops", "--category", "convention", "--no-render").code == 0
    assert "For releases ask in channel #ops" in "".join(texts(at).values())


def test_ya_16_one_changed_word_changes_one_line_and_the_order_of_keys_is_fixed(case: Setup) -> None:
    at = case("""base; python3 -c "print('word '*60)" >text.txt""")
    text = " ".join([*(["word"] * 30), "SPOT", *(["word"] * 29)])
    lines = []
    for word in ("first", "second"):
        assert at.run("add", text.replace("SPOT", word), "--category", "convention", "--no-render").code == 0
        (path,) = [one for one in at.path("memories/convention").glob("*.yaml") if word in one.read_text("utf-8")]
        lines.append(path.read_text("utf-8").split("\n"))
    body = [[line for line in one if line.startswith("  word")] for one in lines]
    assert [len(one) for one in body] == [1, 1]
    keys = [line.partition(":")[0] for line in lines[0] if line[:1].isalpha()]
    assert keys == ["schema", "id", "category", "text", "importance", "review_by", "origin"]


def test_ya_20_control_characters_are_refused_by_add_and_what_is_written_loads_back_equal(case: Setup) -> None:
    at = case("""base; python3 -c "open('text.txt','wb').write('nel\\x85x esc\\x1b[31mred nul\\x00.'.encode())\"""")
    ran = at.run("add", "-", "--propose", stdin=at.path("text.txt").read_bytes())
    assert ran.code == 2
    for name in ("U+0085", "U+001B", "U+0000"):
        assert name in ran.told
    assert not list(at.path(".git").glob("curator/inbox/*"))
    tabbed = "Columns stand apart:\n\n```\na\tb\n```\n"
    assert at.run("add", "-", "--propose", stdin=tabbed.encode()).code == 0
    (proposal,) = at.path(".git/curator/inbox").iterdir()
    assert yaml.safe_load(proposal.read_bytes())["text"] == tabbed


def test_ya_21_files_that_hold_no_mapping_are_named_in_one_line_each(case: Setup) -> None:
    at = case(
        r"base; raw e.yaml ''; raw f.yaml '# todo\n'; raw g.yaml 'hello\n'; raw h.yaml '- a\n- b\n'; "
        r"raw i.yaml '42\n'; commit"
    )
    ran = refused(at)
    for name in "efghi":
        told = [line for line in ran.told.split("\n") if line.startswith(f"memories/convention/{name}.yaml")]
        assert len(told) == 1, ran.told
    assert "AttributeError" not in ran.said
    assert "TypeError" not in ran.said
    assert at.run("render").code == 0


def test_ya_22_conflict_markers_stop_the_render_and_are_named_with_their_line(case: Setup) -> None:
    at = case(
        "base; raw b.yaml 'schema: 1\\nid: b\\n<<<<<<< HEAD\\ntext: x\\n=======\\ntext: y\\n>>>>>>> br\\n"
        "category: convention\\n'; commit"
    )
    before = at.read()
    refused(at, "memories/convention/b.yaml:3: error: merge conflict")
    for arguments in (("render",), ("render", "--check")):
        ran = at.run(*arguments)
        assert ran.code == 2
        assert "memories/convention/b.yaml:3" in ran.told
        assert "merge conflict" in ran.told
    assert at.read() == before


def test_ya_24_a_tag_that_asks_for_a_python_object_runs_nothing(case: Setup) -> None:
    at = case(
        "base; raw b.yaml 'schema: 1\\nid: b\\ncategory: convention\\n"
        """text: !!python/object/apply:os.system ["touch pwned"]\\n'; commit"""
    )
    refused(at, "memories/convention/b.yaml:4")
    left_out(at)
    assert not at.path("pwned").exists()


def test_ya_26_a_path_in_double_quotes_is_warned_of_and_add_keeps_it(case: Setup) -> None:
    at = case(
        r"""base; printf 'schema: 1\nid: b\ncategory: convention\ntext: "C:\\temp\\new"\n' """
        ">memories/convention/b.yaml; commit"
    )
    ran = at.run("check")
    assert "memories/convention/b.yaml:4" in ran.said
    assert "tab" in ran.said
    assert at.run("check", "--strict").code == 1
    assert at.run("add", r"C:\temp\new", "--category", "convention", "--no-render").code == 0
    assert r"C:\temp\new" in "".join(texts(at).values())


def test_a_file_with_another_ending_is_named(case: Setup) -> None:
    at = case(
        "base; cp memories/convention/a.yaml memories/convention/b.yml; "
        "cp memories/convention/a.yaml memories/convention/c.YAML; commit"
    )
    refused(at, "memories/convention/b.yml: error: ", "memories/convention/c.YAML: error: ")
