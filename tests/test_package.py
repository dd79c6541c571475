"""The built wheel holds what the code needs, and works where no checkout is."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
REPORT = ["report", "--html", "page.html"]
TEMPLATES = ("block.md.j2", "memory.schema.json", "report.html.j2", "report.css", "report.js")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_templates_hooks_and_the_licence(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {f"curator/_shipped/templates/{name}" for name in TEMPLATES} <= set(names)
    assert any(name.startswith("curator/_shipped/hooks/") for name in names)
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert "curator/py.typed" in names
    assert not [name for name in names if name.startswith(("tests/", "memories/", "benchmarks/"))]


def test_the_wheel_renders_from_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    site, work = tmp_path / "site", tmp_path / "work"
    zipfile.ZipFile(wheel).extractall(site)
    work.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=work, check=True)
    code = (
        f"import sys; sys.path.insert(0, {str(site)!r})\n"
        "import curator; assert curator.__file__.startswith(sys.path[0]), curator.__file__\n"
        "from curator.cli import main; main(sys.argv[1:], prog_name='curator')"
    )
    for arguments in (["init"], ["add", "Ship on Fridays."], ["render", "--check"], ["recall", "ship"], REPORT):
        done = subprocess.run([sys.executable, "-c", code, *arguments], cwd=work, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
    assert "- Ship on Fridays." in (work / "CLAUDE.md").read_text(encoding="utf-8")


def test_the_wheel_installs_the_hook_as_a_plain_script(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as held:
        (script,) = [one for one in held.infolist() if one.filename.endswith(".data/scripts/curator-hook")]
        text = held.read(script).decode()
    assert text.startswith("#!python\n")  # the installer puts its interpreter there
    assert "from curator.hook import main" in text
    assert script.external_attr >> 16 & 0o111


def test_no_message_sends_to_a_file_that_is_not_installed() -> None:
    """The wheel has no docs: where a message names one, it says where that is. Help texts may be short."""
    for path in sorted((ROOT / "curator").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        skipped = {id(one) for node in ast.walk(tree) for one in _unsaid(node)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
                for found in re.findall(r"docs/[a-z]+\.md.{0,26}", node.value):
                    assert found.startswith(f"{found.split('.md')[0]}.md of curator's repository"), f"{path}: {found}"


def _unsaid(node: ast.AST) -> Iterator[ast.AST]:
    """Strings that are no message: docstrings, and the help of an option."""
    if isinstance(node, ast.Expr):
        yield node.value
    if isinstance(node, ast.keyword) and node.arg == "help":
        yield from ast.walk(node.value)
