"""Evidence at write time: what `add` and `import` keep of the files that a memory is about."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from curator.core import codec, stale
from curator.model import CATEGORIES, Entry, Source, State
from tests.conftest import Repo

TAX = '''\
"""Taxes."""
from decimal import Decimal

RATE = Decimal("0.21")


def round_vat(amount: Decimal, places: int = 2) -> Decimal:
    """Round one line."""
    return amount.quantize(Decimal(10) ** -places)


def total(lines):
    return sum(round_vat(one * RATE) for one in lines)
'''
FILES: Mapping[str, str] = {
    "shop/tax.py": TAX,
    "web/cart.ts": "export class Cart {\n  addLine(sku: string, count: number): void {\n    this.add(sku);\n  }\n}\n",
    "srv/pool.go": "package srv\n\nfunc OpenPool(size int) *Pool {\n\treturn newPool(size)\n}\n",
    "core/src/lib.rs": "pub fn parse_row(row: &str) -> Vec<&str> {\n    row.split(',').collect()\n}\n",
    "deploy/ci.yaml": "retry_limit: 3\njobs:\n  build:\n    timeout-minutes: 30\n",
    "docs/release.md": "# Release\n\nTag with `make tag`, then wait for the canary.\n",
}
STATEMENTS = {
    "shop/tax.py": ("`round_vat` rounds per line, `RATE` applies before.", "round_vat"),
    "web/cart.ts": ("`addLine` in `Cart` takes a count.", "addLine"),
    "srv/pool.go": ("`OpenPool` is the only way to a pool.", "OpenPool"),
    "core/src/lib.rs": ("`parse_row` keeps empty cells.", "parse_row"),
    "deploy/ci.yaml": ("CI gives up after `retry_limit` attempts.", "retry_limit"),
    "docs/release.md": ("Releases: `make tag` first.", "Release"),
}


@pytest.fixture
def shop(repo: Repo) -> Repo:
    for path, text in FILES.items():
        repo.write(path, text)
    repo.commit("shop")
    return repo


def added(repo: Repo, *arguments: str, code: int = 0, where: str = "memories/*/*.yaml") -> Entry:
    """The one entry that an add makes, read back from its file."""
    before = set(repo.root.glob(where))
    result = repo.curator("add", *arguments, "--no-render")
    assert result.exit_code == code, result.stderr
    (path,) = set(repo.root.glob(where)) - before
    return read(path)


def read(path: Path) -> Entry:
    entry, findings = codec.read(path.read_bytes(), path.as_posix(), tuple(CATEGORIES), placed=False)
    assert entry, findings
    assert codec.write(entry) == path.read_bytes().decode("utf-8", "surrogateescape")
    return entry


def blob(repo: Repo, path: str) -> str:
    return repo.git("rev-parse", f":{path}").strip()


@pytest.mark.parametrize("path", FILES)
def test_a_source_gets_blob_header_and_terms_in_every_language(shop: Repo, path: str) -> None:
    text, symbol = STATEMENTS[path]
    (source,) = added(shop, text, "--source", f"{path}#{symbol}", "--no-cite").sources
    assert source.blob == blob(shop, path)
    assert re.fullmatch("[0-9a-f]{4}", source.header)
    assert symbol in [item.term for item in source.terms if item.defines and item.lines]
    assert stale.judge(text, source, FILES[path], blob=source.blob).state is State.FRESH
    assert stale.judge(text, source, FILES[path], blob="0" * 40).state is State.AUTO


def test_a_reformatted_file_is_auto_and_one_without_the_symbol_stale(shop: Repo) -> None:
    (source,) = added(shop, "`round_vat` rounds per line.", "--source", "shop/tax.py#round_vat").sources
    wide = TAX.replace("amount: Decimal, places", "amount : Decimal,  places").replace("\n", "\r\n")
    said = "`round_vat` rounds per line.\n"
    assert stale.judge(said, source, f"# moved down\n{wide}", blob="1").state is State.AUTO
    assert stale.judge(said, source, TAX.replace("round_vat", "round_tax"), blob="1").state is State.STALE


def test_the_file_that_is_written_reads_well(shop: Repo) -> None:
    shop.curator("add", "`round_vat` in shop/tax.py rounds per line.", "--category", "gotcha", "--no-render")
    (path,) = shop.root.glob("memories/gotcha/*.yaml")
    assert re.search(
        r"sources:\n  - path: shop/tax\.py\n    symbol: round_vat\n    header: '[0-9a-f]{4}'\n    blob: [0-9a-f]{40}\n"
        r"    terms:\n      round_vat: \[def, '[0-9a-f]{4}', '[0-9a-f]{4}'\]\n",
        path.read_text(encoding="utf-8"),
    )
    shown = shop.curator("show", path.stem).stdout
    assert "path: shop/tax.py, symbol: round_vat" in shown
    assert "terms" not in shown


def test_evidence_comes_from_the_index_not_from_the_work_tree(shop: Repo) -> None:
    shop.write("shop/tax.py", "def other(): ...\n")
    (source,) = added(shop, "`round_vat` rounds.", "--source", "shop/tax.py#round_vat").sources
    assert source.blob == blob(shop, "shop/tax.py")
    assert [item.term for item in source.terms] == ["round_vat", "rounds"]


def test_a_symbol_that_is_not_there_is_refused_with_near_names(shop: Repo) -> None:
    result = shop.curator("add", "It rounds.", "--source", "shop/tax.py#rond_vat")
    assert result.exit_code == 2
    assert "shop/tax.py: `rond_vat` does not occur in it" in result.stderr
    assert "did you mean `round_vat`?" in result.stderr
    assert "check the name" in shop.curator("add", "It rounds.", "--source", "shop/tax.py#zzz").stderr
    assert not list(shop.root.glob("memories/*/*.yaml"))


def test_a_symbol_that_is_used_and_not_defined_is_taken_with_a_note(shop: Repo) -> None:
    result = shop.curator("add", "It rounds by it.", "--source", "shop/tax.py#quantize", "--no-render")
    assert result.exit_code == 0
    assert "`quantize` occurs in shop/tax.py, but no definition of it was found" in result.stderr
    (path,) = shop.root.glob("memories/*/*.yaml")
    (source,) = read(path).sources
    assert (source.header, source.terms[0].term, source.terms[0].defines) == ("", "quantize", False)


def test_a_symbol_may_be_typed_as_a_call(shop: Repo) -> None:
    assert added(shop, "It rounds.", "--source", "shop/tax.py#round_vat()").sources[0].symbol == "round_vat"


def form(repo: Repo, monkeypatch: pytest.MonkeyPatch, text: str, sources: str) -> None:
    script = repo.write(
        "../editor.py",
        "import sys\np = sys.argv[1]\ns = open(p, encoding='utf-8').read()\n"
        f"s = s.replace('text: |\\n  \\n', 'text: |\\n  ' + {text!r} + '\\n').replace('sources: []', {sources!r})\n"
        "open(p, 'w', encoding='utf-8').write(s)\n",
    )
    monkeypatch.setenv("EDITOR", f"{sys.executable} {script}")


def test_the_form_takes_a_line_and_what_must_be_absent(shop: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    form(
        shop,
        monkeypatch,
        "The rate is 21 percent, and `float` is never used.",
        "sources:\n  - {path: shop/tax.py, text: 'RATE = Decimal(\"0.21\")'}\n  - {path: web/cart.ts, absent: float}\n",
    )
    entry = added(shop)
    line, absent = entry.sources
    assert (line.text, absent.absent, absent.terms) == ('RATE = Decimal("0.21")', "float", ())
    assert line.blob == blob(shop, "shop/tax.py")
    assert absent.blob == blob(shop, "web/cart.ts")
    assert entry.review_by == ""
    assert stale.judge(entry.text, absent, "const x = float;\n", blob="1").state is State.STALE


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("path: shop/tax.py\n    text: RATE = 3", "shop/tax.py: no line reads 'RATE = 3'"),
        ("path: shop/tax.py\n    absent: Decimal", "shop/tax.py: `Decimal` occurs, and is to be absent"),
        ("path: logo.bin\n    text: x", "logo.bin: binary, a pointer or over 1 MiB"),
        ("path: shop/tax.py\n    line: 3", "unknown key 'line'"),
        ("text: x", "a path, or a group with a `path` is expected"),
    ],
)
def test_an_anchor_that_does_not_hold_is_refused(
    shop: Repo, monkeypatch: pytest.MonkeyPatch, source: str, message: str
) -> None:
    shop.write("logo.bin", b"\0\1\2")
    shop.add()
    form(shop, monkeypatch, "Something is so.", f"sources:\n  - {source}\n")
    result = shop.curator("add", stdin="n\n")
    assert result.exit_code == 2
    assert message in result.stderr
    assert not list(shop.root.glob("memories/*/*.yaml"))


UNREADABLE = {
    "app.js": b"var round_vat = 1;\n" * 300_000,
    "logo.png": b"\x89PNG\0\0round_vat",
    "data.csv": b"version https://git-lfs.github.com/spec/v1\noid sha256:round_vat\nsize 3\n",
}


@pytest.mark.parametrize("path", UNREADABLE)
def test_of_what_cannot_be_read_only_the_blob_is_kept(repo: Repo, path: str) -> None:
    repo.write(path, UNREADABLE[path])
    repo.commit()
    entry = added(repo, "It holds `round_vat`.", "--source", path)
    assert entry.sources == (Source(path, blob=blob(repo, path)),)
    assert entry.review_by
    result = repo.curator("add", "Look there.", "--source", f"{path}#round_vat", "--no-render")
    assert f"{path} cannot be looked into, so `round_vat` is not checked" in result.stderr


def test_names_outside_ascii_and_utf8_and_bytes_that_are_no_text(repo: Repo) -> None:
    repo.write("src/règle 日本.py", b"def round_vat(): ...  # caf\xe9\n")
    repo.commit()
    (source,) = added(repo, "`round_vat` is in `src/règle 日本.py`.", "--source", "src/règle 日本.py").sources
    assert (source.path, source.terms[0].term) == ("src/règle 日本.py", "round_vat")


def test_a_link_is_followed_inside_the_index_and_a_submodule_gives_its_commit(shop: Repo) -> None:
    (shop.root / "tax.py").symlink_to("shop/tax.py")
    (shop.root / "out.py").symlink_to("../../etc/hosts")
    (shop.root / "loop.py").symlink_to("loop.py")
    shop.add()
    commit = shop.git("rev-parse", "HEAD").strip()
    shop.git("update-index", "--add", "--cacheinfo", f"160000,{commit},vendor/lib")
    entry = added(
        shop,
        "`round_vat` rounds.",
        *("--source", "tax.py", "--source", "out.py", "--source", "loop.py", "--source", "vendor/lib/src/a.py"),
        "--no-cite",
    )
    linked, outside, loop, foreign = entry.sources
    assert (linked.blob, linked.terms[0].term) == (blob(shop, "shop/tax.py"), "round_vat")
    assert (outside.blob, outside.terms) == (blob(shop, "out.py"), ())
    assert (loop.blob, loop.terms) == (blob(shop, "loop.py"), ())
    assert (foreign.blob, foreign.terms) == (commit, ())


def test_what_the_text_names_is_cited_and_said(shop: Repo) -> None:
    result = shop.curator("add", "`round_vat` runs before `addLine`, see docs/release.md.", "--no-render")
    assert result.exit_code == 0
    for named in ("docs/release.md", "shop/tax.py#round_vat", "web/cart.ts#addLine"):
        assert f"cites {named}, which the text names; `--no-cite` leaves it out\n" in result.stderr
    (path,) = shop.root.glob("memories/*/*.yaml")
    assert [(one.path, one.symbol) for one in read(path).sources] == [
        ("docs/release.md", ""),
        ("shop/tax.py", "round_vat"),
        ("web/cart.ts", "addLine"),
    ]


def test_no_cite_leaves_it_out(shop: Repo) -> None:
    result = shop.curator("add", "`round_vat` is in shop/tax.py.", "--no-cite", "--no-render")
    assert "cites" not in result.stderr
    (path,) = shop.root.glob("memories/*/*.yaml")
    assert read(path).sources == ()


def test_a_source_that_was_given_stays_as_it_was_given(shop: Repo) -> None:
    entry = added(shop, "`round_vat` in shop/tax.py applies to `RATE`.", "--source", "shop/tax.py#RATE")
    assert [(one.path, one.symbol) for one in entry.sources] == [("shop/tax.py", "RATE")]
    entry = added(shop, "`round_vat` is called per line.", "--source", "shop/tax.py")
    assert [(one.path, one.symbol) for one in entry.sources] == [("shop/tax.py", "")]


def test_what_is_defined_twice_is_not_guessed_and_a_test_defines_nothing(shop: Repo) -> None:
    shop.write("tests/test_tax.py", "def round_vat(): ...\n")
    shop.write("other/cart.ts", "export function addLine() {}\n")
    shop.add()
    entry = added(shop, "`round_vat` runs before `addLine`.")
    assert [(one.path, one.symbol) for one in entry.sources] == [("shop/tax.py", "round_vat")]


@pytest.mark.parametrize(
    "text",
    [
        "Never write `yarn.lock` by hand.",
        "Agents read AGENTS.md and `.claude/rules/a.md` first.",
        "Entries such as memories/gotcha/x.yaml are reviewed.",
        "There is no `setup.py` here.",
        "We do not use `setup.py` any more.",
        "`setup.py` no longer exists.",
        "Build with `pyproject.toml` instead of `setup.py`.",
    ],
)
def test_what_is_never_proposed(shop: Repo, text: str) -> None:
    for path in ("yarn.lock", "AGENTS.md", ".claude/rules/a.md", "setup.py"):
        shop.write(path, "setup = 1\n")
    shop.add()
    result = shop.curator("add", text, "--no-render")
    assert result.exit_code == 0, result.stderr
    assert "cites" not in result.stderr


def test_there_are_twelve_sources_at_most(repo: Repo) -> None:
    names = [f"pkg/mod_{number}.py" for number in range(20)]
    for name in names:
        repo.write(name, "x = 1\n")
    repo.add()
    text = " ".join(f"`{name}`" for name in names)
    assert len(added(repo, f"All of {text}.", "--source", names[-1]).sources) == 12


@pytest.mark.parametrize(("answer", "paths"), [(b"\n", ["shop/tax.py"]), (b"n\n", [])])
def test_on_a_terminal_each_is_asked_for(shop: Repo, answer: bytes, paths: list[str]) -> None:
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "curator", "add", "`round_vat` rounds per line.", "--no-render"]
    with subprocess.Popen(
        command, cwd=shop.root, stdin=follower, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as run:
        os.write(leader, answer)
        _, stderr = run.communicate(timeout=60)
    os.close(leader)
    os.close(follower)
    assert b"Cite shop/tax.py#round_vat? [Y/n]" in stderr
    assert b"--no-cite" not in stderr
    (path,) = shop.root.glob("memories/*/*.yaml")
    assert [one.path for one in read(path).sources] == paths


def test_an_agent_on_a_terminal_is_not_asked(shop: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "curator", "add", "`round_vat` rounds per line."]
    done = subprocess.run(command, cwd=shop.root, stdin=follower, capture_output=True, timeout=60, check=True)
    os.close(leader)
    os.close(follower)
    assert b"cites shop/tax.py#round_vat" in done.stderr


def test_a_proposal_carries_its_evidence(shop: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    entry = added(shop, "`round_vat` rounds per line.", where=".git/curator/inbox/*.yaml")
    (source,) = entry.sources
    assert (source.path, source.symbol, source.blob) == ("shop/tax.py", "round_vat", blob(shop, "shop/tax.py"))
    assert source.terms[0].defines


NOTHING = "nothing in it can be checked against the code; a person looks again by "


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Ship on Fridays.", ""),
        ("Ship on Fridays.", "shop/tax.py"),
        ("Ship the release on Fridays.", "README.md"),
        ("Releases are listed there.", "CHANGELOG.md"),
    ],
)
def test_what_cannot_be_checked_is_said_and_gets_a_date(shop: Repo, text: str, source: str) -> None:
    shop.write("README.md", "release\nrelease it\n")
    shop.write("CHANGELOG.md", "Releases are listed here\nReleases\n")
    shop.add()
    result = shop.curator("add", text, *(["--source", source] if source else []), "--no-render")
    assert result.exit_code == 0
    said = NOTHING if source else NOTHING.replace(";", ": name its file with `--source`;")
    assert said in result.stderr
    (path,) = shop.root.glob("memories/*/*.yaml")
    entry = read(path)
    assert entry.review_by == re.findall(re.escape(said) + r"(\S+)", result.stderr)[0]
    assert entry.sources == ((Source(source, blob=blob(shop, source), terms=entry.sources[0].terms),) if source else ())


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("`round_vat` rounds.", "shop/tax.py"),
        ("Ship the release when the canary is well.", "docs/release.md"),
        ("Run `make release_all`.", "README.md"),
    ],
)
def test_what_can_be_checked_gets_no_date(shop: Repo, text: str, source: str) -> None:
    shop.write("README.md", "make release_all\n")
    shop.write("docs/release.md", "release\ncanary\nthe canary\nrelease\n")
    shop.add()
    result = shop.curator("add", text, "--source", source, "--no-render")
    assert NOTHING not in result.stderr
    (path,) = shop.root.glob("memories/*/*.yaml")
    assert read(path).review_by == ""


RULES = """\
# Shop

- `round_vat` in `shop/tax.py` rounds per line.
- `gone_fn` in `web/cart.ts` is slow, so keep it out of loops.
- Never mock the database.
"""


def test_an_import_keeps_evidence_and_marks_what_has_none(shop: Repo) -> None:
    shop.write("CLAUDE.md", RULES)
    shop.commit()
    plan = shop.curator("import", "CLAUDE.md").stdout
    assert re.search(r"^2 of them, marked \?, say nothing that can be checked .* again by \d{4}-\d\d-\d\d$", plan, re.M)
    assert [line[:9].split()[0] for line in plan.split("\n") if re.match(r" +\d+\?", line)] == ["5?", "4?"]
    assert shop.curator("import", "CLAUDE.md", "--yes", "--no-render").exit_code == 0
    entries = [read(path) for path in shop.root.glob("memories/*/*.yaml")]
    by_path = {one.sources[0].path if one.sources else "": one for one in entries}
    (tax,) = by_path["shop/tax.py"].sources
    assert (tax.blob, tax.terms[0].term, by_path["shop/tax.py"].review_by) == (
        blob(shop, "shop/tax.py"),
        "round_vat",
        "",
    )
    assert by_path["web/cart.ts"].sources[0].symbol == ""
    assert by_path["web/cart.ts"].review_by
    assert by_path[""].review_by


def test_a_plan_as_json_has_the_evidence(shop: Repo) -> None:
    shop.write("CLAUDE.md", RULES)
    shop.commit()
    entries = json.loads(shop.curator("import", "CLAUDE.md", "--json").stdout)["entries"]
    (source,) = entries[0]["sources"]
    assert source["terms"]["round_vat"][0] == "def"


def test_thirty_two_terms_stay_one_line_each(repo: Repo) -> None:
    names = [f"name_of_field_{number}" for number in range(40)]
    repo.write("schema.py", "".join(f"{name} = {name}_x\n" for name in names))
    repo.commit()
    entry = added(repo, f"The fields are {', '.join(names)}.", "--source", "schema.py")
    assert len(entry.sources[0].terms) == 32
    (path,) = repo.root.glob("memories/*/*.yaml")
    assert sum("name_of_field" in line and "[def, '" in line for line in path.read_text("utf-8").split("\n")) == 32


def test_odd_terms_survive_the_file(repo: Repo) -> None:
    repo.write("a.sh", "run --cache: 1\n'yes: no'\n3.10\n@scope/pkg\n# x\nnull_or 0777 caf\u00e9_au\n")
    repo.commit()
    text = "Run `--cache`, `yes: no`, `3.10`, `@scope/pkg`, `null_or`, '0777' and `caf\u00e9_au`."
    terms = [item.term for item in added(repo, text, "--source", "a.sh").sources[0].terms]
    assert {"--cache", "yes: no", "3.10", "@scope/pkg", "null_or", "0777"} <= set(terms)


def test_a_file_whose_name_is_no_utf8_is_not_proposed(repo: Repo) -> None:
    repo.write(os.fsdecode(b"bad-\xff.py"), "def round_vat(): ...\n")
    repo.commit()
    result = repo.curator("add", "`round_vat` rounds per line.", "--no-render")
    assert result.exit_code == 0, result.stderr
