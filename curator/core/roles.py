"""Marks by which an agent tells who speaks: tags, tokens and turn marks that no memory may hold."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curator.core import characters, markup

_SPEAKER = r"user|human|assistant|system|developer"
# Tags that clients and models give a meaning, tokens of chat templates, and the turn marks of older Claude models.
_MARK = re.compile(
    r"</?\s*(?:system[-_ ]?(?:reminder|prompt|message|instruction|note|notice|info|warning|notification)s?"
    r"|user[-_](?:prompt(?:-submit-hook)?|query|message|instructions|info|rules)"
    r"|(?:assistant|human|developer)[-_](?:prompt|message|instructions|turn|response)"
    r"|antml:\w+|function_(?:call|result)s?|invoke|thinking|environment_context|(?:start|end)_of_turn"
    r"|tool[-_](?:use|call|result|response|output)s?"
    r"|local-command-(?:stdout|stderr|caveat)|session-start-hook|task-notification|persisted-output)(?=[\s/>]|$)"
    r"|<[|\uff5c][\w\u2581/-]{1,40}[|\uff5c]>|\[/?INST\]|<</?SYS>>"
    r"|\[/?(?:SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\]"
    r"|^[ \t]*(?-i:Human|Assistant):(?=\s|$)",
    re.I | re.M,
)
_TAG = re.compile(rf"<(?P<end>/?)\s*(?P<name>{_SPEAKER})(?P<more>(?:\s[^<>]*)?/?)>", re.I)
_TURN = re.compile(
    rf"^{markup.CONTAINERS}(?P<mark>[*_]{{0,3}})(?P<name>{_SPEAKER})[*_]{{0,3}}[ \t]?:(?P<after>[*_]{{1,3}}|\S?)",
    re.I | re.M,
)
_LOUD = re.compile(rf"\n[ \t>*+0-9.)_-]*(?i:{_SPEAKER})[*_ \t]*:|INST\]|_(?:PROMPT|TOOLS|CALLS|RESULTS)\]")


def is_quiet(text: str) -> bool:
    """Whether an ASCII text without `<` holds no mark; answers in a few microseconds."""
    return _LOUD.search("\n" + text) is None


def marks(text: str) -> Iterator[tuple[int, str]]:
    """Offset and message of each tag and token, in code too: an agent reads both alike.

    Look-alike letters count as the Latin ones they pass for.
    """
    folded = characters.fold(text)
    for found in _MARK.finditer(folded):
        yield found.start(), "a tag, token or turn mark of an agent's conversation"
    for found in _TAG.finditer(folded):
        if not _is_placeholder(folded, found):
            yield found.start(), f"the role tag <{found['end']}{found['name'].lower()}>"


def turns(blocks: str) -> Iterator[tuple[int, str, bool]]:
    """Offset, message and certainty of each line, outside fenced code, that starts like a turn of a conversation.

    `**User**: ...` may well describe the users of a program: not certain.
    """
    for found in _TURN.finditer(characters.fold(blocks)):
        name, is_bold = found["name"].lower(), bool(found["mark"])
        is_speaker = name in {"human", "assistant"}
        if is_speaker or not found["after"].strip("*_"):  # `system:masters` is a name
            message = f"`{name}:` at the start of a line reads like a change of speaker"
            yield found.end("mark"), message, is_speaker or not is_bold


def _is_placeholder(text: str, tag: re.Match[str]) -> bool:
    """Part of a path or an address (`<user>@host`), a type argument (`Promise<User>`), a component (`<User />`)."""
    name, more = tag["name"], tag["more"]
    if tag["end"] or re.search(rf"</\s*{name}\b", text, re.I):
        return False
    before, after = text[max(0, tag.start() - 1) : tag.start()], text[tag.end() : tag.end() + 2]
    if after[:1].isalnum():
        return False
    if name[0].isupper() and name[1:].islower():
        return more.endswith("/") or re.match(r"\w", before) is not None
    leads_on = re.match(r"[@/_-]\S|:[<$]|\.\w", after) is not None
    return not more and (leads_on or before in {"/", "="} or (before == "`" and after[:1] == "`"))
