"""The documents tell the truth: commands exist, snippets run, links lead somewhere."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from curator.core import codec, settings
from curator.model import CATEGORIES
from tests.conftest import Repo, commands

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
LOCAL_LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)")


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def fenced(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_to_files_that_exist(path: Path) -> None:
    for target in LOCAL_LINK.findall(path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), f"{path.name} links to {target}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_command_and_option_named_in_the_documents_exists(path: Path) -> None:
    for line in re.findall(r"`curator ([a-z]+(?: [^`\n]*)?)`", path.read_text(encoding="utf-8")):
        words = line.split()
        assert words[0] in commands(), f"{path.name}: curator {line}"
        options = {name for option in commands()[words[0]].params for name in option.opts}
        for word in words[1:]:
            if word.startswith("--"):
                assert word.partition("=")[0].rstrip(".,") in options | {"--help"}, f"{path.name}: curator {line}"


def test_the_readme_has_every_command() -> None:
    text = read("README.md")
    for name in commands():
        assert f"`curator {name}" in text, name


def test_the_memory_on_the_readmes_first_screen_makes_the_block_beside_it(repo: Repo) -> None:
    text = read("README.md")
    memory = fenced(text, "yaml")[0]
    block = fenced(text, "markdown")[0]
    entry, findings = codec.read(
        memory.encode(), "memories/gotcha/spanish-vat-rounds-per-line-4f1c9a.yaml", list(CATEGORIES)
    )
    assert entry is not None, findings
    repo.write(entry.path, memory)
    repo.block(before="", after="")
    repo.commit()
    assert repo.curator("render").exit_code == 0
    assert repo.read("CLAUDE.md") == block


def test_the_quick_start_runs_as_it_stands(repo: Repo) -> None:
    repo.write("CLAUDE.md", "# Rules\n\n- Never mock the database.\n")
    repo.commit()
    steps = next(code for code in fenced(read("README.md"), "sh") if "curator init" in code)
    commands = [line for line in steps.split("\n") if line.startswith("curator ")]
    assert len(commands) >= 3
    for line in commands:
        words = shlex.split(line, comments=True)[1:]
        result = repo.curator(*words)
        assert result.exit_code == 0, f"{line}: {result.output}{result.stderr}"


def test_the_entry_in_the_format_document_is_one() -> None:
    memory = fenced(read("docs/format.md"), "yaml")[0]
    entry, findings = codec.read(
        memory.encode(), "memories/gotcha/spanish-vat-rounds-per-line-4f1c9a.yaml", list(CATEGORIES)
    )
    assert entry is not None, findings
    assert codec.write(entry) == memory


def test_the_documented_settings_are_all_there_are() -> None:
    documented = set(
        re.findall(r"`([a-z_]+)`", read("docs/format.md").partition("## Settings")[2].partition("Settings are read")[0])
    )
    text = settings.initial(["CLAUDE.md"], team=False)
    keys = set(re.findall(r"^([a-z_]+):", text, re.M)) - {"schema"}
    assert keys <= documented


def test_json_output_has_the_documented_keys(base: Repo) -> None:
    table = read("docs/json.md")
    for command, keys in {
        ("recall", "pytest"): ("results", "searched", "findings"),
        ("list",): ("entries", "findings"),
        ("render",): ("targets", "changed", "findings"),
        ("status",): (
            *("active", "ended", "states", "waiting", "session", "targets", "findings"),
            *("proposals", "asked", "decisions"),
        ),
        ("review",): ("waiting", "asked", "findings", "decisions", "sensitivity"),
        ("check",): ("entries", "states", "uncited", "findings"),
        ("import", "CLAUDE.md"): ("file", "entries", "skipped"),
    }.items():
        told = json.loads(base.curator(*command, "--json").stdout)
        assert tuple(told) == keys
        assert all(f"`{key}`" in table for key in keys)


def test_no_document_names_a_path_of_one_machine() -> None:
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"/(?:home|root|Users)/\w", text), path.name
