"""Look whether everything is wired: programs, git, settings, index, blocks, hooks, clients. Changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from curator import __version__
from curator.core import block, clients, diagnosis, editors, readers, settings, tomltext, wiring
from curator.core import targets as named
from curator.core.diagnosis import FAIL, OK, WARN, Check, Program, Wiring
from curator.edge import (
    agents,
    away,
    blocks,
    claude,
    configs,
    current,
    files,
    hooks,
    plumbing,
    preferences,
    programs,
    reader,
    store,
)
from curator.errors import CuratorError
from curator.model import MEMORIES, Config, Workspace

CONFIG = f"{MEMORIES}/curator.yaml"
_FRAMEWORKS = (
    *(".pre-commit-config.yaml", ".husky/pre-commit"),
    *("lefthook.yml", ".lefthook.yml", "lefthook.yaml", "lefthook.toml", "lefthook.json"),
)
_INSTRUCTIONS = ("CLAUDE.md", "AGENTS.md", "AGENTS.override.md")


class _Settled(NamedTuple):
    """What the settings are: *told* about the file on disk, *trust* about what counts, *config* None where unknown."""

    told: Check
    trust: Check | None = None
    config: Config | None = None


class _Found(NamedTuple):
    """What several checks need. *claude*: the settings of Claude Code, by file, the project's and the user's."""

    workspace: Workspace
    config: Config
    trust: Check | None
    claude: Mapping[str, dict[str, Any]]
    now: str


def run(workspace: Workspace, *, now: str) -> tuple[Check, ...]:
    """All checks, in the order in which a broken one is put right; *now* is ISO 8601.

    What follows from the settings is looked at only where they can be read.
    """
    settled = _settled(workspace)
    checks = [settled.told]
    found = _Found(workspace, settled.config or Config(), settled.trust, claude.settings(workspace), now)
    for name, look in _LOOKS.items():
        if name not in _skipped(settled):
            known = {one.message for one in checks if one.level == FAIL}  # without git, many say the same
            checks.extend(one for one in _looked(name, look, found) if one.message not in known)
    return tuple(checks)


def _looked(name: str, look: Callable[[_Found], Iterator[Check]], found: _Found) -> tuple[Check, ...]:
    checks: list[Check] = []
    try:
        checks.extend(look(found))
    except CuratorError as error:
        checks.append(_fault(name, error))
    except OSError as error:
        checks.append(Check(name, FAIL, f"cannot be looked at: {error.strerror}", str(error.filename or "")))
    return tuple(checks)


def _fault(name: str, error: CuratorError) -> Check:
    return Check(name, FAIL, f"{error.where}: {error.message}" if error.where else error.message, error.hint)


_NOT_SET_UP = Check("settings", FAIL, "this repository is not set up", "`curator init`")


def _settled(workspace: Workspace) -> _Settled:
    """The settings: the file on disk, which is what a person sees, and the trusted ones, which count."""
    own, data, fault = None, None, None
    try:
        text = files.read_or_none(workspace, CONFIG)
        data = None if text is None else text.encode("utf-8", "surrogateescape")
        own = settings.read(data, CONFIG)
    except CuratorError as error:
        fault = _fault("settings", error)
    there = data is not None or fault is not None
    try:
        tree, config = store.trusted(workspace)
    except CuratorError as error:
        told = fault or diagnosis.settings(CONFIG, own or Config())
        return _Settled(told, _distrust(workspace, error), own) if there else _Settled(_NOT_SET_UP)
    held = CONFIG in tree.files
    if not (there or held):
        return _Settled(_NOT_SET_UP)
    trust = diagnosis.trust(config.trust, born=bool(plumbing.head_commit(workspace)), held=_holds(tree))
    return _Settled(fault or diagnosis.settings(CONFIG, config, held=held), trust, config)


def _skipped(settled: _Settled) -> frozenset[str]:
    """What cannot be looked at, or says nothing before the repository is set up."""
    if settled.told is _NOT_SET_UP:
        return _OF_CONFIG | _OF_TRUST | {"git hook"}
    if settled.trust and settled.trust.level != FAIL:
        return frozenset()
    return _OF_TRUST if settled.config else _OF_CONFIG | _OF_TRUST


def _distrust(workspace: Workspace, error: CuratorError) -> Check:
    """Why what is trusted cannot be read, which every command says."""
    with suppress(CuratorError):
        ref = preferences.all_of(workspace).get("trust", "") or store.INDEX
        try:
            if ref != store.INDEX:
                plumbing.tree_id(workspace, ref)
        except CuratorError as missing:
            unborn = "" if plumbing.head_commit(workspace) else "; this branch has no commit yet"
            told = f"{missing.message}{unborn}; `git config curator.trust` names it"
            return Check("trust", FAIL, told, "fetch or commit it, or `git config --unset curator.trust`")
    return _fault("trust", error)


def _holds(tree: plumbing.Tree) -> bool:
    """Is there anything of curator's in the tree?"""
    return any(path.startswith(f"{MEMORIES}/") or f"/{MEMORIES}/" in path for path in tree.files)


def _programs(found: _Found) -> Iterator[Check]:
    curator, hook = programs.find("curator"), programs.find(clients.PROGRAM)
    ours = curator.path and curator.home == programs.own()
    version = __version__ if ours or not curator.path else programs.version(curator.path)
    told = [one.command for value in found.claude.values() for one in clients.installed(value)]
    by_name = bool(claude.plugins(found.claude)) or any(command.startswith("command -v") for command in told)
    yield from diagnosis.programs(
        curator,
        hook,
        Program(programs.folder(), programs.own()),
        version=version,
        expected=__version__,
        needed=by_name or not told,
    )
    path = hook.path or hooks.program(clients.PROGRAM)
    if path:
        yield from diagnosis.first_line(path, *programs.first_line(path))
        yield diagnosis.answered(*programs.answer(path, found.workspace.root))


def _git(found: _Found) -> Iterator[Check]:
    yield diagnosis.git(plumbing.git(found.workspace, "--version").decode("utf-8", "replace"))


def _trust(found: _Found) -> Iterator[Check]:
    if found.trust:
        yield found.trust


def _index(found: _Found) -> Iterator[Check]:
    name, anew = "index", "`curator recall TOPIC` makes it anew"
    try:
        cache, view = reader.open(found.workspace), current.look(found.workspace)
    except reader.Damaged:
        yield Check(name, WARN, "damaged", anew)
        return
    if view and view.same:
        weights = "" if view.cache.weighed else ", without the weights of a search"
        yield Check(name, OK, f"current{weights}")
    elif cache and cache.stamp:
        yield Check(name, OK, "behind git's index; the next command or session brings it up to date")
    else:
        yield Check(name, WARN, "not made yet, so the first prompts recall nothing", anew)


def _blocks(found: _Found) -> Iterator[Check]:
    elsewhere = store.is_rendered_elsewhere(found.workspace, found.config)
    where = plumbing.default_branch(found.workspace) if elsewhere else ""
    due = not elsewhere and found.trust and found.trust.level != FAIL
    outdated = blocks.outdated(found.workspace, found.now[:10]) if due else set()
    tracked, targets = plumbing.index(found.workspace).files, [one.path for one in found.config.targets]
    for target in found.config.targets:
        text = files.read_or_none(found.workspace, target.path)
        if text is None:
            yield Check("block", FAIL, f"{target.path} is not there", "`curator init`")
            continue
        try:
            block.find(text, target.path)
            aside = f", rendered on {where} only (`block: main`), not on this branch" if where else ""
            if target.path in outdated:
                yield Check("block", WARN, f"{target.path} does not show what the memories give", "`curator render`")
            else:
                yield Check("block", OK, f"{target.path}{aside}")
        except CuratorError as error:
            yield _fault("block", error)
        empty = named.unfounded(target, tracked, targets)
        if empty:
            yield Check("block", WARN, empty, f"correct `scope` in {CONFIG}")


def _git_hook(found: _Found) -> Iterator[Check]:
    name, workspace = "git hook", found.workspace
    try:
        place = hooks.place(workspace)
    except CuratorError as error:
        if not error.where:
            raise
        yield _fault(name, error)._replace(level=WARN)
        return
    data = hooks.read(place.hook) or b""
    kind = wiring.kind(data or None)
    framework = next((path for path in _FRAMEWORKS if "curator" in _text(workspace, path)), "")
    if kind is wiring.Kind.OURS and not hooks.executable(place.hook):
        yield Check(name, WARN, "not executable, so git does not run it", "`curator init --git-hooks`")
    elif kind is wiring.Kind.OURS:
        yield Check(name, OK, "checks each commit")
    elif kind is wiring.Kind.CHANGED:
        yield Check(
            name,
            WARN,
            f"{place.hook} was changed since curator wrote it",
            "see docs/pre-commit.md of curator's repository",
        )
    elif kind is wiring.Kind.FOREIGN and (framework or b"curator" in data):
        yield Check(name, OK, f"run by {framework or place.hook}")
    elif framework:
        yield Check(name, WARN, f"{framework} runs curator, but this clone has no hook for it", "`pre-commit install`")
    else:
        yield Check(name, WARN, "nothing checks memories in a commit", "`curator init --git-hooks`")


def _driver(found: _Found) -> Iterator[Check]:
    name, workspace = "merge driver", found.workspace
    paths = tuple(target.path for target in found.config.targets if files.exists(workspace, target.path))
    asked = [path for path, value in hooks.merged_as(workspace, paths).items() if value == "curator"] if paths else []
    if not asked:
        yield Check(name, OK, "not asked for: `curator init --merge-driver`")
    elif hooks.setting(workspace, wiring.DRIVER):
        yield Check(name, OK, "set in this clone")
    else:
        told = f".gitattributes asks for it for {asked[0]}, and this clone has none: git merges as text"
        yield Check(name, WARN, told, "`curator init --merge-driver`")


def _claude(found: _Found) -> Iterator[Check]:
    workspace = found.workspace
    text = claude.text(workspace)
    if text is not None:
        clients.read(text, claude.SETTINGS)
    tracked = bool(plumbing.blobs(workspace, [claude.SETTINGS]))
    wirings = [
        Wiring(
            _shown(workspace, path),
            value,
            missing=claude.missing(value),
            tracked=tracked and _shown(workspace, path) == claude.SETTINGS,
        )
        for path, value in found.claude.items()
    ]
    yield from diagnosis.hooks(wirings, claude.plugins(found.claude))


def _instructions(found: _Found) -> Iterator[Check]:
    workspace = found.workspace
    targets = {one.path: one.path[: one.path.rfind("/") + 1] for one in found.config.targets}
    beside = [folder + name for folder in dict.fromkeys(targets.values()) for name in _INSTRUCTIONS]
    present = claude.leading(workspace, beside)
    blocks = claude.leading(workspace, targets)
    same = {path for path, real in present.items() if real in blocks.values()}
    bare = readers.unread(agents.set_up(workspace), found.config.targets, _present(workspace))
    unread = {path: readers.unread_told(path, names) for path, names in bare.items()}
    yield from diagnosis.instructions(targets, {path: _text(workspace, path) for path in present}, same, unread)
    for folder in dict.fromkeys(targets.values()):
        local = f"{folder}CLAUDE.local.md"
        if block.present(_text(workspace, local)):
            yield Check(
                "instructions", WARN, f"{local} holds a block too, which nothing renders", f"take it out of {local}"
            )


def _agents(found: _Found) -> Iterator[Check]:
    """The other clients that are set up here, each with what it reads."""
    for name in agents.CLIENTS:
        try:
            told = list(agents.told(found.workspace, name))
        except CuratorError as error:
            yield _fault(name, error)
            continue
        absolute = [one.path for one in told if one.absolute]
        tracked = plumbing.blobs(found.workspace, absolute) if absolute else ()
        yield from readers.client(name, told, serves=configs.serves(), tracked=tracked)


def _present(workspace: Workspace) -> set[str]:
    return {path for path in _INSTRUCTIONS if files.exists(workspace, path)}


def _reading(found: _Found) -> Iterator[Check]:
    """What blocks cost those who read their files as they are, and rule files that are read when they should not be."""
    paths = [one.path for one in found.config.targets]
    above = [f"{path[: at + 1]}AGENTS.md" for path in paths for at, letter in enumerate(path) if letter == "/"]
    texts = {path: _text(found.workspace, path) for path in (*paths, "AGENTS.md", *above)}
    yield from readers.costs(found.config.targets, texts, _limit(found))
    yield from readers.misplaced(found.config.targets, texts)


def _limit(found: _Found) -> int:
    """The bytes of instruction files that Codex reads for this user."""
    path = f"{configs.home('codex')}/config.toml"
    with suppress(CuratorError):
        value = tomltext.read(configs.peek(found.workspace, path), path, "").get("project_doc_max_bytes")
        return value if isinstance(value, int) else readers.CODEX_BYTES
    return readers.CODEX_BYTES


def _memory(found: _Found) -> Iterator[Check]:
    name, path = "auto memory", claude.memory(found.workspace, found.claude)
    if path and claude.remembers(found.claude):
        told = f"Claude Code also keeps notes of its own, which nobody reviews: {path}"
        yield Check(name, WARN, told, f'`"autoMemoryEnabled": false` in {claude.SETTINGS} switches that off')
    else:
        yield Check(name, OK, "off" if path else "Claude Code has no notes of its own here")


def _log(found: _Found) -> Iterator[Check]:
    path = _shown(found.workspace, programs.log_path(found.workspace))
    yield diagnosis.faults(programs.log(found.workspace), found.now, path)


def _proposals(found: _Found) -> Iterator[Check]:
    yield diagnosis.waiting(away.waits(found.workspace))


def _entries(found: _Found) -> Iterator[Check]:
    yield diagnosis.unreviewed([one.where for one in store.unreviewed(found.workspace, found.config.trust)])


def _schemas(found: _Found) -> Iterator[Check]:
    """Do editors go by the keys and categories that there are?"""
    name, config = "schemas", found.config
    with suppress(CuratorError):
        text = files.read_or_none(found.workspace, CONFIG)
        config = settings.read(None if text is None else text.encode("utf-8", "surrogateescape"), CONFIG)
    held = {path: (_text(found.workspace, path), text) for path, text in editors.schemas(config).items()}
    old = [path for path, (there, text) in held.items() if there and there != text]
    missing = [path for path, (there, _) in held.items() if not there]
    if old:
        told = f"{', '.join(old)}: not what this curator and the categories give, so editors go by something else"
        yield Check(name, WARN, told, "`curator init` writes what is missing and nothing else")
    elif missing:
        yield Check(name, OK, f"{', '.join(missing)} is not there; `curator init` writes it, for editors")
    else:
        yield Check(name, OK, "current, for editors")


def _text(workspace: Workspace, path: str) -> str:
    """A file of the work tree, "" where it cannot be read."""
    with suppress(CuratorError):
        return files.read_or_none(workspace, path) or ""
    return ""


def _shown(workspace: Workspace, path: str) -> str:
    return path.removeprefix(f"{workspace.root}/")


_LOOKS: Mapping[str, Callable[[_Found], Iterator[Check]]] = {
    "git": _git,
    "trust": _trust,
    "programs": _programs,
    "index": _index,
    "block": _blocks,
    "schemas": _schemas,
    "git hook": _git_hook,
    "merge driver": _driver,
    "claude hooks": _claude,
    "instructions": _instructions,
    "agents": _agents,
    "reading": _reading,
    "auto memory": _memory,
    "hook.log": _log,
    "proposals": _proposals,
    "entries": _entries,
}
_OF_CONFIG = frozenset({"block", "schemas", "merge driver", "instructions", "reading"})
_OF_TRUST = frozenset({"index", "entries"})
