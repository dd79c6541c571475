"""The house holds: imports point down, each third-party package has one room, decisions are pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "curator"
NOUNS = {"__init__", "errors", "here", "model", "selection"}
FLOORS = {"outcome": 1, "core": 2, "edge": 3, "verbs": 4, "server": 5, "cli": 6, "hook": 6, "__main__": 7}
RANK = dict.fromkeys(NOUNS, 0) | FLOORS
OPEN = {"core", "edge", "cli", "hook", "server"}
"""Floors on which siblings may import each other."""
ROOMS = {
    "click": {"cli"},
    "yaml": {"core/document"},
    "jinja2": {"core/page"},
    "rank_bm25": {"core/rank"},
    "numpy": {"core/rank"},
    "git": {"edge/history"},
    "mcp": {"server"},
    "mcp_types": {"server"},
    "pydantic": {"server"},
    "anyio": {"server"},
    "anthropic": {"edge/model_api"},
}
IMPURE = {"os", "pathlib", "subprocess", "tempfile", "time", "random", "secrets", "shutil", "sys", "socket"}
FORBIDDEN_EVERYWHERE = {"socket", "urllib.request", "http", "requests", "pickle", "shelve", "marshal"}
MODULES = sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").as_posix()


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)} uses a relative import"
            module = node.module or ""
            inside = module.split(".")[0] == "curator"
            yield from (f"{module}.{alias.name}" if inside else module for alias in node.names)


def layer_of(dotted: str) -> str:
    parts = dotted.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in RANK else "__init__"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_point_down_and_packages_keep_to_their_rooms(path: Path) -> None:
    mine = name_of(path)
    layer = mine.split("/")[0]
    for target in imported(path):
        head = target.split(".")[0]
        if head == "curator":
            theirs = layer_of(target)
            siblings = {theirs, layer} <= NOUNS or (theirs == layer and layer in OPEN)
            assert RANK[theirs] < RANK[layer] or siblings, f"{mine} imports {target}"
        elif head in ROOMS:
            assert mine in ROOMS[head] or layer in ROOMS[head], f"{head} lives in {ROOMS[head]}, not in {mine}"
        assert not {head, target} & FORBIDDEN_EVERYWHERE, f"{mine} imports {target}"
        if layer == "core":
            assert head not in IMPURE, f"core is pure, yet {mine} imports {head}"


def test_no_import_cycle_inside_a_layer() -> None:
    graph = {name_of(path): {theirs for theirs in map(module_of, imported(path)) if theirs} for path in MODULES}
    done: set[str] = set()

    def walk(module: str, trail: tuple[str, ...]) -> None:
        assert module not in trail, f"cycle: {' -> '.join((*trail, module))}"
        if module not in done:
            for other in graph.get(module, ()):
                walk(other, (*trail, module))
            done.add(module)

    for module in graph:
        walk(module, ())


def module_of(dotted: str) -> str:
    parts = dotted.split(".")[1:] if dotted.startswith("curator.") else []
    for length in range(len(parts), 0, -1):
        name = "/".join(parts[:length])
        if (PACKAGE / f"{name}.py").exists():
            return name
    return ""


def test_core_never_asks_the_clock() -> None:
    for path in (PACKAGE / "core").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for call in (".now(", ".today(", ".utcnow(", "time()"):
            assert call not in text, f"{name_of(path)} calls {call}"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_modules_and_functions_stay_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 400, f"{name_of(path)} has {text.count(chr(10))} lines"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 50, f"{name_of(path)}:{node.lineno} {node.name} is long"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_every_module_says_what_it_owns(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), f"{name_of(path)} has no docstring"
