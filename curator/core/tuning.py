"""Which settings of curator.yaml differ, each by the name that a person would look for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from curator.core.compare import Setting
from curator.model import Budget, Config, Target


def differences(before: Config, after: Config) -> tuple[Setting, ...]:
    """Flattened names such as `budget.constraint`, in the order of the file; "" where a side does not say it."""
    if before == after:
        return ()
    was, now = dict(_told(before)), dict(_told(after))
    names = dict.fromkeys((*now, *was))
    found = [Setting(name, was.get(name, ""), now.get(name, "")) for name in names]
    order = {name.partition(".")[0]: place for place, name in enumerate(Config._fields)}
    differing = (one for one in found if one.before != one.after)
    return tuple(sorted(differing, key=lambda one: order.get(_field(one.name), len(order))))


def _field(name: str) -> str:
    head = name.partition(".")[0]
    return {"budget": "budgets", "half_life_days": "half_lives"}.get(head, head)


def _told(config: Config) -> Iterator[tuple[str, str]]:
    yield "namespace", config.namespace
    for target in config.targets:
        yield f"targets.{target.path}", _target(target)
    yield "block", config.block
    yield "preamble", _plain(config.preamble)
    yield "budget", ", ".join(config.categories)
    yield from ((f"budget.{one.category}", str(one.tokens)) for one in config.budgets)
    yield from ((f"half_life_days.{category}", str(days)) for category, days in config.half_lives.items())
    yield "trust", config.trust
    yield from _group("capture", config.capture._asdict())
    yield from _group("recall", config.recall._asdict())


def _group(name: str, values: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for key, value in values.items():
        inner = f"weights.{key}" if name == "recall" and key in {"words", "grams", "paths"} else key
        yield f"{name}.{inner}", _plain(value)


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _target(target: Target) -> str:
    told = [f"scope {target.scope}" if target.scope else "the whole repository", *map(_budget, target.budgets)]
    return ", ".join(told)


def _budget(one: Budget) -> str:
    return f"{one.category} {one.tokens}"
