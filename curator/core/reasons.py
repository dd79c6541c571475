"""Why the rules proposed a sentence, in words for the person who decides about it."""

from __future__ import annotations

from curator.core import cues

PLAIN = {
    "remember": "asks to remember it",
    "rule": "asks for a rule",
    "standing": "says always or never",
    "habitual": "says always or by default",
    "cadence": "says when to do it each time",
    "general": "speaks in general",
    "notice": "wants it to be known",
    "prohibition": "forbids something",
    "forbidden": "says what must or should not be",
    "must": "says what must be, or is not allowed",
    "obligation": "says what has to be",
    "asked first": "wants to be asked first",
    "conduct": "tells the agent how to work",
    "policy": "says what we do",
    "agreed": "recalls what was said or agreed before",
    "decision": "tells a decision",
    "choice": "chooses a way",
    "preference": "tells a preference",
    "unwanted": "says what is not wanted",
    "upkeep": "says what is to be kept up to date",
    "environment": "names the system or the tools in use",
    "use": "says what to use",
    "this not that": "says this, not that",
    "contrast": "says this, not that",
    "here": "says it of this project",
    "about here": "says it of this project",
    "generic": "speaks of all of a kind",
    "convention": "names a convention",
    "place": "says where things belong",
    "why": "gives the reason",
    "tried": "tells what was tried",
    "consequence": "tells what happens otherwise",
    "status": "says what is not to be touched, or is generated",
    "change": "tells of a change",
    "gotcha": "warns of a pitfall",
    "shouted": "has words in capitals",
    "other order": "says always or never",
    "other must": "says what must be",
    "other contrast": "says this, not that",
    "other policy": "says what we do",
}
"""What speaks for a sentence, by the name of its cue; those left out say little to a person."""


def plain(sentence: str) -> tuple[str, ...]:
    """What speaks for a sentence, the clearest first; nothing of what speaks against it."""
    fired = cues.score(sentence).cues
    return tuple(dict.fromkeys(told for name, told in PLAIN.items() if name in fired))
