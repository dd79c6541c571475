"""memories/curator.yaml: the settings a repository shares, read strictly, and the commented text that `init` writes.

Nothing in it can name a program, an address or a path outside the work tree: only the keys below exist, and paths are
held to the same pattern as an entry's sources.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from curator.core import document, quoting, rawtext, schema
from curator.core.check import Check, Problem, nearest
from curator.core.schema import Key, Kind
from curator.errors import CuratorError
from curator.model import SCHEMA, Budget, Capture, Config, Fault, Finding, Level, Recall, Target

_PLAIN_NUMBER = 1_000_000

SCHEMA_FILE = "curator.schema.json"
MODELINE = f"# yaml-language-server: $schema={SCHEMA_FILE}"

_WEIGHTS = (
    Key("words", Kind.NUMBER, "Weight of words that query and memory share.", most=1000),
    Key("grams", Kind.NUMBER, "Weight of groups of four letters: typos, other word forms.", most=1000),
    Key("paths", Kind.NUMBER, "Weight of files at hand that a memory cites.", most=1000),
)
_TARGET = (
    Key("path", Kind.FILE, "The file, from the root of the repository.", required=True),
    Key("scope", Kind.PREFIX, "Only memories about this folder; empty: those of the whole repository."),
    Key("budget", Kind.TABLE, "Tokens of each category in this file, instead of the general ones.", most=_PLAIN_NUMBER),
)
_CAPTURE = (
    Key(
        "sensitivity",
        Kind.CHOICE,
        "How readily hooks propose what was said.",
        choices=("quiet", "normal", "keen", "off"),
    ),
    Key(
        "quotes",
        Kind.CHOICE,
        "Whether an entry keeps the words it was made from; a public repository may not want them.",
        choices=("keep", "drop"),
    ),
    Key(
        "gate",
        Kind.CHOICE,
        "What happens to a session that changed files and stored nothing.",
        choices=("off", "remind", "block"),
    ),
    Key("gate_lookup", Kind.FLAG, "The gate also wants to know that a lookup found nothing."),
)
_RECALL = (
    Key("limit", Kind.COUNT, "How many memories a search shows.", least=1, most=100),
    Key("tokens", Kind.COUNT, "Tokens that are added to a prompt at most.", most=_PLAIN_NUMBER),
    Key("min_confidence", Kind.NUMBER, "Leave out entries with a lower origin.confidence.", most=1),
    Key("weights", Kind.GROUP, "How much each signal of a search counts.", keys=_WEIGHTS, make=dict),
)
SETTINGS = (
    replace(schema.VERSION, required=False),
    Key("namespace", Kind.TOKEN, "Part of what tells a repeat from something new; the same in every clone."),
    Key("targets", Kind.GROUPS, "Files that carry a block.", most=1000, keys=_TARGET, make=dict),
    Key(
        "block",
        Kind.CHOICE,
        "here: entries and block in one commit; main: rendered on the default branch only.",
        choices=("here", "main"),
    ),
    Key("preamble", Kind.FLAG, "Two lines in the block on when to search and when to store."),
    Key("budget", Kind.TABLE, "Tokens of each category, in the order of the block.", most=_PLAIN_NUMBER),
    Key(
        "half_life_days",
        Kind.TABLE,
        "How fast importance fades, by category; 180 where nothing is said.",
        least=1,
        most=_PLAIN_NUMBER,
    ),
    Key("trust", Kind.TOKEN, "Where entries and settings are read from: index, HEAD or a ref such as origin/main."),
    Key("capture", Kind.GROUP, "What hooks may propose by themselves.", keys=_CAPTURE, make=Capture),
    Key("recall", Kind.GROUP, "Limits and weights of a search.", keys=_RECALL, make=dict),
)
"""Every key of the file, in its order."""

_CHARACTER = r"[^\s\x00-\x20\x7f~^:?*\[\\]"
_REF = re.compile(rf"(?!.*(?:\.\.|//|/\.|@\{{|\.lock(?:/|$)|[./]$))(?![-./]){_CHARACTER}+")
"""What git takes for the name of a ref (git-check-ref-format), and never for an option."""
_CLOSED = "programs, addresses and templates cannot be named here, only in your own git config (`curator.*`)"


def schema_text() -> str:
    """JSON Schema of the file for editors, as the text of memories/curator.schema.json."""
    patterns = {"namespace": r".*\S.*", "trust": _REF.pattern}
    return schema.as_text(schema.settings_schema(SETTINGS, patterns))


def read(data: bytes | None, where: str = "memories/curator.yaml") -> Config:
    """The settings in a file; the defaults where there is none, and for every key that it leaves out.

    `budget` names the categories and their order by itself: where it is given, nothing of the default table is left.
    `half_life_days` and the groups change single defaults. Raises CuratorError that starts with the first fault and
    lists the others, one a line.
    """
    if data is None:
        return Config()
    values, problems = _values(data, where)
    errors = [problem for problem in problems if problem.kind.level is Level.ERROR]
    if errors:
        raise _refusal(errors, where)
    return _config(values)


def findings(data: bytes, where: str) -> tuple[Finding, ...]:
    """Everything that is wrong with a file of settings, by line."""
    try:
        _, problems = _values(data, where)
    except rawtext.ReadError as error:
        return (Finding(error.fault, error.where, error.message, error.hint),)
    return tuple(Finding(one.kind, f"{where}:{one.line}", one.message, one.hint) for one in problems)


def _values(data: bytes, where: str) -> tuple[dict[str, Any], list[Problem]]:
    """The values that are right, and what is wrong by line; only that where the file is of a newer format."""
    tree = document.read(data, where, blank=True)
    check = Check(closed=_CLOSED)
    values = check.values(tree, SETTINGS)
    check.problems.extend(_misfits(tree, values))
    newer = [problem for problem in check.problems if problem.kind is Fault.NEWER]
    return values, newer or sorted(check.problems, key=lambda problem: problem.line)


def _refusal(problems: list[Problem], where: str) -> CuratorError:
    first, *rest = problems
    more = "".join(f"\n{where}:{one.line}: {one.message}{f' ({one.hint})' if one.hint else ''}" for one in rest)
    return CuratorError(first.message + more, where=f"{where}:{first.line}", hint=first.hint)


def _misfits(tree: document.Mapping, values: dict[str, Any]) -> Iterator[Problem]:
    """What the table of keys does not say: references between keys, and the form of a ref."""
    if not values.get("namespace", "default").strip():
        yield Problem(tree.line_of("namespace"), "`namespace` is empty", "write a word that is the same in every clone")
    if "trust" in values and not _REF.fullmatch(values["trust"]):
        message = f"`trust` must be index, HEAD or the name of a ref, not {rawtext.shown(values['trust'])}"
        yield Problem(tree.line_of("trust"), message, "such as origin/main")
    budget = tree.find("budget")
    if budget and isinstance(budget[1], document.Mapping) and not budget[1].pairs:
        yield Problem(tree.line_of("budget"), "`budget` names no category", "name one, or delete the key")
    categories = tuple(values.get("budget") or Config().categories)
    for key, node in _tables(tree):
        for name, _ in node.pairs:
            if name.text not in categories:
                yield _unknown_category(key, name, categories)
    yield from _doubled(tree)


def _tables(tree: document.Mapping) -> Iterator[tuple[str, document.Mapping]]:
    """The tables whose names must be categories."""
    found = tree.find("half_life_days")
    if found and isinstance(found[1], document.Mapping):
        yield "half_life_days", found[1]
    for target in _targets(tree):
        found = target.find("budget")
        if found and isinstance(found[1], document.Mapping):
            yield "targets.budget", found[1]


def _targets(tree: document.Mapping) -> list[document.Mapping]:
    found = tree.find("targets")
    items = found[1].items if found and isinstance(found[1], document.Sequence) else ()
    return [item for item in items if isinstance(item, document.Mapping)]


def _unknown_category(key: str, name: document.Scalar, categories: tuple[str, ...]) -> Problem:
    near = nearest(name.text, categories)
    hint = f"did you mean `{near}`?" if near else f"one of {', '.join(categories)}"
    return Problem(name.line, f"`{key}` names {rawtext.shown(name.text)}, which is no category", hint)


def _doubled(tree: document.Mapping) -> Iterator[Problem]:
    seen: set[str] = set()
    for target in _targets(tree):
        found = target.find("path")
        path = found[1].text if found and isinstance(found[1], document.Scalar) else ""
        if path and path in seen:
            yield Problem(target.line_of("path"), f"`targets` names {rawtext.shown(path)} twice", "keep one of the two")
        seen.add(path)


def _config(values: dict[str, Any]) -> Config:
    base = Config()
    plain = {name: values[name] for name in ("namespace", "block", "preamble", "trust", "capture") if name in values}
    recall = dict(values.get("recall", {}))
    return base._replace(
        **plain,
        targets=tuple(_target(one) for one in values["targets"]) if "targets" in values else base.targets,
        budgets=_budgets(values["budget"]) if "budget" in values else base.budgets,
        half_lives={**base.half_lives, **values.get("half_life_days", {})},
        recall=Recall(**recall.pop("weights", {}), **recall),
    )


def _target(values: dict[str, Any]) -> Target:
    return Target(values["path"], _folder(values.get("scope", "")), _budgets(values.get("budget", {})))


def _folder(scope: str) -> str:
    """A scope with the slash that keeps `svc` from covering `svc-old/`."""
    return f"{scope.rstrip('/')}/" if scope else ""


def _budgets(table: Mapping[str, int]) -> tuple[Budget, ...]:
    return tuple(Budget(category, tokens) for category, tokens in table.items())


def initial(targets: Sequence[str | Target], team: bool) -> str:
    """The commented file that `init` writes: every default, these targets, and `block: main` for a team."""
    config = Config(block="main" if team else "here")
    return "\n".join((*_upper_half(config, targets), *_lower_half(config))) + "\n"


def _upper_half(config: Config, targets: Sequence[str | Target]) -> Iterator[str]:
    yield MODELINE
    yield "# Settings of curator for everyone who works here. Every key has a default: delete what you do not change."
    yield f"schema: {SCHEMA}"
    yield _beside(f"namespace: {config.namespace}", "part of what tells a repeat from something new")
    yield _beside("targets:" if targets else "targets: []", "files with a block; each may have `scope:` and `budget:`")
    for target in (Target(one) if isinstance(one, str) else one for one in targets):
        yield f"  - path: {quoting.inline(target.path)}"
        if target.scope:
            yield f"    scope: {quoting.inline(target.scope)}"
    yield _beside(f"block: {config.block}", "here: committed with its entries; main: rendered after the merge")
    yield _beside(f"preamble: {_flag(config.preamble)}", "two lines on when to search and when to store")
    yield _beside("budget:", "tokens of each category, in the order of the block")
    yield from (f"  {budget.category}: {budget.tokens}" for budget in config.budgets)
    yield _beside("half_life_days:", "how fast importance fades; 180 where nothing is said")
    yield from (f"  {category}: {days}" for category, days in config.half_lives.items())


def _lower_half(config: Config) -> Iterator[str]:
    capture, recall = config.capture, config.recall
    yield _beside(f"trust: {config.trust}", "index, HEAD or a ref such as origin/main (advised for teams)")
    yield _beside("capture:", "what hooks may propose by themselves")
    yield _beside(f"  sensitivity: {quoting.inline(capture.sensitivity)}", "quiet, normal, keen or off")
    yield _beside(f"  quotes: {capture.quotes}", "keep or drop: a public repository may not want them")
    yield _beside(f"  gate: {quoting.inline(capture.gate)}", "off, remind or block: files changed and nothing stored")
    yield _beside(f"  gate_lookup: {_flag(capture.gate_lookup)}", "also: the first check found no lookup")
    yield "recall:"
    yield f"  limit: {recall.limit}"
    yield _beside(f"  tokens: {recall.tokens}", "added to a prompt at most")
    yield f"  min_confidence: {recall.min_confidence}"
    yield f"  weights: {{words: {recall.words}, grams: {recall.grams}, paths: {recall.paths}}}"


def _beside(line: str, remark: str) -> str:
    return f"{line:<29} # {remark}"


def _flag(value: bool) -> str:
    return "true" if value else "false"
