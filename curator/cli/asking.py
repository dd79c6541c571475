"""How a model is asked: by the options of a command and the user's git settings, within what it may cost."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from curator.cli import door
from curator.errors import CuratorError

if TYPE_CHECKING:
    from curator.core.distil import Request
    from curator.core.pricing import Caps, Price, Spent
    from curator.edge.answering import Reply, Wanted
    from curator.model import Workspace

_TRANSPORTS = ("api", "claude")
_ADDED = {"claude": 1_500}  # tokens that a transport puts before what it is given


class Options(NamedTuple):
    """What `propose --model` was told; what is empty is as the user's git settings say.

    *since* is a moment in ISO 8601. *again*: what was sent before is not passed over.
    """

    transport: str = ""
    name: str = ""
    tokens: int | None = None
    cost: float | None = None
    since: str = ""
    again: bool = False
    dry_run: bool = False
    as_json: bool = False


class Plan(NamedTuple):
    """How a model is asked, and what it may cost."""

    transport: str
    model: str
    price: Price
    caps: Caps

    def most(self, request: Request) -> Spent:
        """What a request may come to, with the longest answer."""
        from curator.core import distil, pricing

        into = pricing.estimate(request.whole) + _ADDED.get(self.transport, 0)
        return pricing.spent(self.price, into, distil.ANSWER)


def planned(at: Workspace | None, options: Options) -> Plan:
    """How a model is asked, by *options* and the user's git settings. CuratorError for what makes no sense."""
    from curator.core import pricing
    from curator.edge import preferences

    own = preferences.all_of(at) if at else {}
    transport = options.transport or own.get("modeltransport", "") or "api"
    if transport not in _TRANSPORTS:
        where, hint = "git config curator.modelTransport", f"one of {', '.join(_TRANSPORTS)}"
        raise CuratorError(f"no transport {transport!r}", where=where, hint=hint)
    model = options.name or own.get("modelname", "") or pricing.DEFAULT
    if not (model.isascii() and model.isprintable()) or model.startswith("-") or len(model) > 80 or " " in model:
        raise CuratorError(f"{model!r} is no name of a model", hint=f"for example {pricing.DEFAULT}")
    price = pricing.price(model, own.get("modelprice", ""))
    if price is None:
        hint = 'dollars a million tokens, in and out: `git config curator.modelPrice "1.00/5.00"`'
        raise CuratorError(f"what {model} costs is not known, so no cap could hold", hint=hint)
    return Plan(transport, model, price, _caps(own, options))


def _caps(own: dict[str, str], options: Options) -> Caps:
    from curator.core import pricing

    caps, hint = pricing.Caps(), "a number of 0 or more"
    if "modeltokens" in own:
        caps = caps._replace(tokens=int(pricing.amount(own["modeltokens"], "git config curator.modelTokens", hint)))
    if "modelcost" in own:
        caps = caps._replace(cost=pricing.amount(own["modelcost"], "git config curator.modelCost", hint))
    if options.tokens is not None:
        caps = caps._replace(run_tokens=options.tokens)
    if options.cost is not None:
        caps = caps._replace(run_cost=options.cost)
    return caps


class Purse:
    """One run's requests: each is in the books before it is sent, and *spent* afterwards."""

    def __init__(self, at: Workspace, plan: Plan) -> None:
        from curator.core.pricing import Spent

        self.plan = plan
        self.spent = Spent()
        self._at = at

    def ask(self, request: Request, categories: tuple[str, ...]) -> Reply:
        """The answer to a request; CuratorError where a cap is reached, or none came."""
        from curator.core import distil, pricing
        from curator.edge import answering, spent

        plan, day, name = self.plan, door.today(), os.urandom(8).hex()
        run, most = self.spent, plan.most(request)
        spent.reserve(self._at, day, name, most, lambda month: pricing.reached(plan.caps, month, run, most))
        wanted = answering.Wanted(plan.model, distil.ANSWER, most.cost, distil.schema(categories), plan.price.effort)
        try:
            reply = _transport(plan.transport)(request, wanted)
        except CuratorError as error:
            if not (isinstance(error, answering.Unanswered) and error.charged):
                spent.settle(self._at, day, name, pricing.Spent())
            raise
        used = pricing.spent(plan.price, reply.into, reply.out)
        used = used if reply.cost is None else used._replace(cost=reply.cost)
        self.spent = pricing.plus(run, used)
        spent.settle(self._at, day, name, used)
        return reply


def _transport(name: str) -> Callable[[Request, Wanted], Reply]:
    if name == "claude":
        from curator.edge import model_cli

        return model_cli.ask
    from curator.edge import model_api

    return model_api.ask
