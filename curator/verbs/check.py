"""Report entries that cannot be used, what is wrong between them, and which no longer fit the code that is there."""

from __future__ import annotations

from collections.abc import Sequence

from curator.core import checkup, lifecycle, record, report, roster
from curator.core.checkup import Checked
from curator.core.verdict import Change, Judged
from curator.edge import code, context, plumbing, state, store
from curator.model import Finding, Level, Workspace
from curator.outcome import Store

_MEMO = "check"
_VALIDITY = "validity"


def run(workspace: Workspace, names: Sequence[str] = (), *, today: str, notes: bool = False) -> Checked:
    """Look at the trusted tree on an ISO date; *names* (ids or files) narrow the report, *notes* widens it."""
    stamp = plumbing.stamp(workspace)
    held = store.load(workspace)
    files = store.tree(workspace, held.config).code
    tip = store.tip(held.config)
    wanted = _wanted(held, names)
    in_use = [one for one in lifecycle.in_use(held.entries, today) if not names or one.path in wanted]
    judged, learned = store.reading(workspace, lambda cache: code.judge(workspace, cache, files, in_use, tip))
    told = context.told(workspace, files, [checkup.dated(one, today) for one in judged])
    validity = _validity(workspace, held)
    findings = sorted((*checkup.findings(told, notes=notes), *validity), key=lambda one: list(Level).index(one.level))
    states, uncited = checkup.count([one.judged for one in told])
    checked = Checked(
        findings=tuple(one for one in findings if not names or checkup.file_of(one) in wanted),
        notes=(report.plural(len(wanted if names else in_use), "memory"),),
        judged=tuple(one.judged for one in told),
        states=states,
        uncited=uncited,
    )
    memos = {_VALIDITY: record.dump_findings(validity)}
    if not (names or notes or any(map(_is_guess, checked.judged))):
        memos[_MEMO] = checkup.dumps(checked, _state(workspace, today, stamp))
    store.remember(workspace, memos, stamp, learned)
    return checked


def _validity(workspace: Workspace, held: Store) -> tuple[Finding, ...]:
    """What is wrong with the entries by themselves, from the cache while they are the same."""
    memo = store.reading(workspace, lambda cache: cache.memo(_VALIDITY))
    return record.load_findings(memo) if memo else checkup.validity(held)


def known(workspace: Workspace, *, today: str) -> Checked | None:
    """What the last check found, its entries left out, where nothing that it follows from has changed."""
    stamp = plumbing.stamp(workspace)
    memo = store.reading(workspace, lambda cache: cache.memo(_MEMO))
    return checkup.loads(memo, _state(workspace, today, stamp)) if memo else None


def _state(workspace: Workspace, today: str, stamp: str) -> str:
    """All that a report follows from: the day, the index, and how far which history reaches."""
    return f"{today} {stamp}\n{plumbing.head_commit(workspace)} {state.depth(workspace)}"


def _is_guess(judged: Judged) -> bool:
    """Was something not at hand that may be there the next time?"""
    return any(reason.change is Change.UNREADABLE for reason in judged.reasons)


def _wanted(held: Store, names: Sequence[str]) -> frozenset[str]:
    """The entry files that *names* mean, those that cannot be read among them."""
    broken = {checkup.file_of(found) for found in held.findings}
    return frozenset(name if name in broken else roster.named(held.entries, name).path for name in names)
