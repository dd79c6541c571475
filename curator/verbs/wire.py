"""What `init` sets up in git only when asked: the pre-commit hook, the merge driver, the workflows."""

from __future__ import annotations

from dataclasses import dataclass

from curator.core import wiring
from curator.core.wiring import Kind
from curator.edge import assets, files, hooks, plumbing, store
from curator.edge.hooks import Place
from curator.errors import CuratorError
from curator.model import Workspace
from curator.outcome import Edit, Outcome

HOOK = "hooks/git/pre-commit"
WORKFLOWS = "hooks/ci", ".github/workflows"
RENDERING = "curator-render.yml"
REVIEWING = "curator-review.yml"
ATTRIBUTES = ".gitattributes"


@dataclass(frozen=True, slots=True)
class Hooking:
    """The hook to write: its text, "" when nothing is to do; *aside* keeps the one that is there beside it."""

    place: Place
    text: str = ""
    aside: bool = False
    notes: tuple[str, ...] = ()


def hook(workspace: Workspace, *, chain: bool) -> Hooking:
    """Plan the pre-commit hook. *chain* runs a hook that another program manages, too.

    CuratorError where a file of curator's was changed since it was written.
    """
    place = hooks.place(workspace)
    found = hooks.read(place.hook)
    kind = wiring.kind(found)
    if kind is Kind.CHANGED:
        raise _changed(place)
    foreign = kind is Kind.FOREIGN
    other = wiring.manager(found or b"", place.folder) if foreign else ""
    if other and not chain:
        note = f"{place.hook} belongs to {other}, so no hook was written: {wiring.advice(other)}"
        return Hooking(place, notes=(note, "`curator init --git-hooks --chain` puts curator's hook before it instead"))
    if foreign and hooks.read(place.earlier) is not None:
        hint = f"look at both, remove {hooks.EARLIER}, then run the command again"
        raise CuratorError(
            f"{hooks.EARLIER} is there already, beside a hook of somebody else", where=place.hook, hint=hint
        )
    text = wiring.hook(assets.text(HOOK), "" if place.inside else hooks.program())
    if found == text.encode("utf-8", "surrogateescape") and hooks.executable(place.hook):
        return Hooking(place)
    return Hooking(place, text, foreign, tuple(_told(place, foreign=foreign)))


def unhook(workspace: Workspace) -> Place | None:
    """Where curator's hook is to be taken out; None when there is none. CuratorError when it is not only ours."""
    place = hooks.place(workspace)
    kind = wiring.kind(hooks.read(place.hook))
    if kind is Kind.CHANGED:
        raise _changed(place)
    if kind is Kind.OURS:
        return place
    if hooks.read(place.earlier) is not None:
        message = f"this hook is not curator's any more; the one from before curator is kept as {hooks.EARLIER}"
        raise CuratorError(message, where=place.hook, hint="keep the one you want and remove the other")
    return None


def attributes(workspace: Workspace) -> Outcome:
    """The lines of .gitattributes that hand targets to the merge driver."""
    config = store.config(workspace)
    paths = tuple(dict.fromkeys(files.real(workspace, target.path) for target in config.targets))
    set_ = hooks.merged_as(workspace, paths)
    kept = [path for path in paths if set_.get(path, "curator") != "curator"]
    notes = [f"{path}: has merge={set_[path]} already, which stays: curator does not merge it" for path in kept]
    if config.block == "main":
        notes.append("`block: main`: branches hold no block of their own, so the driver will rarely be needed")
    text = files.read_or_none(workspace, ATTRIBUTES)
    after = wiring.attributes(text or "", [path for path in paths if path not in set_])
    edit = Edit(ATTRIBUTES, text, after)
    return _asked(workspace, edit, notes)


@dataclass(frozen=True, slots=True)
class Workflows(Outcome):
    """The workflows to write, and the *steps* that a person has to take."""

    steps: tuple[str, ...] = ()


def workflows(workspace: Workspace) -> Workflows:
    """The files that render after a merge and review pull requests. One that is there stays: it may be changed."""
    config = store.config(workspace)
    origin = hooks.origin()
    shipped, folder = WORKFLOWS
    texts = {name: assets.text(f"{shipped}/{name}") for name in (RENDERING, REVIEWING)}
    made = {
        RENDERING: wiring.workflow(
            texts[RENDERING],
            branch=plumbing.default_branch(workspace),
            targets=[files.real(workspace, target.path) for target in config.targets],
            install=origin,
        ),
        REVIEWING: wiring.sourced(texts[REVIEWING], origin),
    }
    found = {name: files.read_or_none(workspace, f"{folder}/{name}") for name in made}
    notes = [
        f"{folder}/{name} exists and stays; without it this command writes the one of this version"
        for name, text in made.items()
        if found[name] not in (None, text)
    ]
    steps = [_COMMITTING]
    if not origin:
        forks = (
            f"a pull request from a fork gets no variables: where you take those, write it into {folder}/{REVIEWING}"
        )
        steps = [_VARIABLE, forks, _COMMITTING]
    if config.block != "main":
        notes.append(
            "`block: here`: the block is committed with the entries;"
            f" {RENDERING} only mends what a merge left, {REVIEWING} works the same"
        )
    edits = [Edit(f"{folder}/{name}", found[name], text) for name, text in made.items() if found[name] is None]
    stage = tuple(edit.path for edit in edits)
    return Workflows(edits=tuple(edits), notes=tuple(notes), stage=stage, steps=tuple(steps))


_VARIABLE = "Next: set the repository variable CURATOR (for Actions) to what pip installs curator from: git+URL@COMMIT"
_COMMITTING = (
    "Next: `git commit` and push; what else protects the memories is in docs/review.md of curator's repository."
)


def _asked(workspace: Workspace, edit: Edit, notes: list[str]) -> Outcome:
    changed = (edit,) if edit.changes else ()
    loose = edit.before is not None and edit.path in plumbing.loose(workspace, [edit.path])
    return Outcome(edits=changed, notes=tuple(notes), stage=() if loose else tuple(one.path for one in changed))


def _told(place: Place, *, foreign: bool) -> list[str]:
    notes = []
    if foreign:
        notes.append(f"the hook that was there is kept as {hooks.EARLIER} and runs first")
    if place.inside:
        shared = (
            "others get it with their next pull once it is committed" if place.tracked else "nothing there is tracked"
        )
        notes.append(f"core.hooksPath leads into the work tree: {shared}")
    return notes


def _changed(place: Place) -> CuratorError:
    return CuratorError(
        "curator's hook was changed since it was written, so it is left alone",
        where=place.hook,
        hint=f"move your change elsewhere, then remove the file; {hooks.EARLIER}, if there, is the hook from before",
    )
