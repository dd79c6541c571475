"""What kind of memory an imported rule is, how much it matters and what it is found by, guessed from its words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from curator.core import inline, phrase

MOST_TAGS = 5


def _any(*cues: str) -> re.Pattern[str]:
    return re.compile("|".join(cues), re.I | re.M)


# Cues in the headings over a rule, and in the lead of a list.
_HEADED = {
    "todo": _any(
        r"(?:^|open |remaining )to-?dos?(?: list)?$|next steps|roadmap|future|planned|backlog|wish ?list|\bideas$",
        r"remaining work|not (?:yet )?implemented|open (?:questions|items|tasks)",
    ),
    "dead-end": _any(r"dead.?ends?|what (?:did|does) ?n[o']t work|failed (?:attempts|approaches|experiments)|rejected"),
    "gotcha": _any(
        r"gotcha|pitfall|caveat|quirk|surprise|watch out|limitation|\bfaq\b|lessons|beware|\btraps?\b|workaround",
        r"troubleshoot|known (?:issue|problem|limitation|bug)|common (?:issue|error|problem|failure)",
    ),
    "constraint": _any(
        r"\bdo ?n[o']t\b|\bnever\b|not to do|off.limits|anti-?pattern|mistakes|\bmust\b|mandatory|required\b|critical",
        r"non-negotiable|forbidden|prohibited|constraint|restriction|boundar|ask first|golden rules|hard rules",
        r"\bred lines?|(?:^|/ )security|\bsafety\b|secrets|invariant",
    ),
    "decision": _any(
        r"decision|\bwhy\b|rationale|philosoph|trade-?offs?|principles|\badrs?\b|\bstack\b|architecture|\bdesign\b",
        r"overview|how it works|core (?:concepts|loop)|key concepts|data flow|data model|\babout\b",
    ),
    "route": _any(
        r"\b(?:key|important|critical|main|core|relevant|log) (?:files?|director\w+|paths|locations|modules)",
        r"structure|layout|\bmap\b|where (?:things|to)|navigation|director(?:y|ies)|file organi|project tree",
        r"references?$|documentation$|guides?$|deep dives|\bdocs$",
    ),
}
# Cues in what a rule says, its code left out.
_SAID = {
    "todo": _any(r"^\W*(?:to-?do|fixme)\b|\bto do:"),
    "dead-end": _any(
        r"\bi tried\b|\bwas tried\b|\btried (?:and|but)\b|don'?t bother|dead.end|gave up on",
        r"\b(?:it|this|that|which|approach|attempt)\b[^.]{0,40}\bdid ?n[o']t work\b",
        r"\b(?:was|were|we) abandoned\b|reverted because|does not help|not worth (?:it|trying)",
    ),
    "gotcha": _any(
        r"\bbeware\b|\bwatch out\b|\bcareful(?:ly)? (?:with|when|of)|be careful|\bgotcha|\bcaveat|\bnote\b ?(?:that|:)",
        r"known (?:issue|bug|limitation)|\bworkaround\b|\bbugs? (?:in|with|where|that)\b|\bquirk",
        r"\bflaky\b|race condition|counter-?intuitive",
        r"\bonly works?\b|(?:[;,.\u2014-]\s*|\bor )otherwise\b|silently\b|surprising|misreport|\bhangs?\b",
        r"\bbreaks?\b(?! (?:down|up|it|into))|\bfails? (?:if|when|with|silently|unless|because)|will fail|\bfails\.",
        r"\bleftover\b|infinite (?:loop|re)",
        r"\bdo(?:es)? ?(?:n[o']t|not) (?:run|work|support|respect|include|apply|persist|affect|auto|pick|know|read)\b",
        r"\bdo(?:es)? ?(?:n[o']t|not) (?:load|save)\b|\bstale\b|\bnot the same\b|\bmay need\b|\bare skipped\b",
        r"\bcan(?:not|'t|\u2019t| not) (?:be|hit|edit|use|run|handle|see)|is expected\b|already\b.{0,40}\bdo not",
    ),
    "decision": _any(
        r"\bwe (?:use|chose|choose|prefer|decided|picked|went with|deliberately|intentionally)\b",
        r"\bchosen\b|\bdecided\b|instead of \S+ because|\brather than\b.{0,60}\bbecause\b|\bby design\b",
        r"deliberately|intentionally|source of truth|\bis authoritative\b|\bmonorepo\b",
        r"\bfollows (?:a|an|the)\b.{0,40}\b(?:architecture|pattern)",
        r"(?:project|repo|app|codebase|sdk|library|frontend|backend|it) (?:uses|supports)\b",
        r"^\W*(?:uses|built (?:with|on)|powered by|based on)\b",
    ),
    "route": _any(
        r"\b(?:lives?|located|found|stored|defined|implemented|documented|described|kept|reside[sd]?|declared|colocated)"
        r" (?:in|at|under|inside|within)\b",
        r"\bgo(?:es)? (?:in|under)\b|\b(?:is|are) in\b|\bsee\b|\bread\b|\brefer to\b|entry point|location:",
        r"\bfor the full\b|for (?:more |full |further )?(?:details|info)|\bpattern in\b",
    ),
}

_CLAUSE = r"(?:^|[.!?:;,\u2014\u2013(]\s*|\s-\s|\n[-*\d.\s]*)[*_\"'\W]{0,6}"
_FORBIDS = _any(
    _CLAUSE + r"(?:please |you |we |agents? |make sure (?:to )?|be sure (?:to )?)?"
    r"(?:do ?n[o']t|don\u2019t|do not|must not|cannot|not allowed|mandatory|forbidden|prohibited|strictly"
    r"|under no circumstances|always|you must|must)\b",
    r"(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bit )(?<!\bcan )\bnever\b",
    r"(?:^|[.!?]\s+|\n[-*\d.\s]*)[*_\"' ]{0,4}no(?=\s)(?!.{0,40}\b(?:needed|required)\b)",
)
_SHOUTS = re.compile(
    r"\b(?:NEVER|MUST(?: NOT)?|DO NOT|DON'T|ALWAYS|FORBIDDEN|CRITICAL|IMPORTANT|MANDATORY|ONLY|REQUIRED|WARNING)\b"
)
_MUST = _any(r"\b(?:must|shall|(?:is|are) (?:forbidden|prohibited|not allowed|required|mandatory)|required for)\b")
_HARD = _any(r"ask first|off.limits|forbidden|prohibited|non-negotiable|\bnever\b|\bdo not\b|\bdon'?t\b")
_OPENING = 300
"""Characters in which a demand makes a rule a constraint; further on it is an aside."""


def category(text: str, headings: Sequence[str], routes: bool) -> str:
    """Guess a category. *routes* says that a tracked file is named, which a route must have.

    The first that fits counts, from what is said plainly to what is only likely; a convention is what is left.
    """
    under = " / ".join([*headings, text.partition(":\n")[0] if ":\n" in text else ""])
    said = inline.prose(re.sub(r"^(?:```|~~~).*?^(?:```|~~~)\s*$", "", text, flags=re.M | re.S))
    orders = _orders(said)
    if _SAID["todo"].search(said) or _planned(headings):
        return "todo"
    if _SAID["dead-end"].search(said) or _HEADED["dead-end"].search(under):
        return "dead-end"
    if _places(text, under, said, orders):
        return "route" if routes else "convention"
    if _HEADED["gotcha"].search(under):
        return "gotcha"
    if _demands(said) or _HARD.search(under) or (_HEADED["constraint"].search(under) and orders):
        return "constraint"
    return _told(under, said, orders, routes)


def _planned(headings: Sequence[str]) -> bool:
    """The nearest heading speaks of the future, or one above it begins so."""
    cue = _HEADED["todo"]
    return any(cue.match(heading) for heading in headings) or bool(headings and cue.search(headings[-1]))


def _told(under: str, said: str, orders: bool, routes: bool) -> str:
    """The category of what neither forbids nor demands anything."""
    if _SAID["gotcha"].search(said):
        return "gotcha"
    if not orders and (_SAID["decision"].search(said) or _HEADED["decision"].search(under)):
        return "decision"
    opening = re.sub(r"\([^()]*\)", "", phrase.sentences(said)[0])
    if routes and not orders and _SAID["route"].search(opening):
        return "route"
    return "convention"


def _demands(said: str) -> bool:
    return bool(_FORBIDS.search(said[:_OPENING]) or _SHOUTS.search(said) or _MUST.search(said))


def _orders(said: str) -> bool:
    """It tells what to do, itself or the items below its lead."""
    body = re.sub(r"^[-*\d.\s]+", "", said.partition(":\n")[2] or said)
    after = _LABEL.sub("", body, count=1)
    return phrase.orders(body) or phrase.orders(after) or bool(_WHEN.match(said) or _WHEN.match(after))


_LABEL = re.compile(r"^[^:\n]{1,80}:\s+")
_WHEN = re.compile(r"\W*(?:(?:when|before|after|if)\b|to\b[^.,]*,)", re.I)


_FILE = (
    r"(?!(?:Node|Next|Vue|Nuxt|Three|Express)\.js)[\w@+~-]+\.(?:md|mdx|mdc|json\w*|ya?ml|toml|py|tsx?|jsx?|mjs|rs|go|java"
    r"|kt|rb|sh|css|html|sql|lock|cfg|ini|swift|cpp|hpp?|cs|txt)"
)
# A path at the beginning, in a code span or not, with a short label before it; or a link to a file.
_PLACE = re.compile(
    r"(?:[\w&/.+-]+(?: [\w&/.+-]+){0,2}:\s)?[*\[]*(?:`(?=[^`\s]*[A-Za-z])[\w@.+~-]*[/.][\w@./+~*<>{}-]*`"
    rf"|(?=\S*[A-Za-z])(?:[\w@.+~-]*/[\w@./+~*<>-]*|{_FILE}))"
    r"\**(?:\]\([^)]*\))?\**(?:,|:|\s|$)|\**\[[^\]\n]*\]\((?!https?:)[^)\s#]+\)"
)
_POINTER = re.compile(r"[^`\n]{3,160}: \[?`[\w@.+~-]*/[\w@./+~-]+`\]?(?:\([^)]*\))?\.?$")
_PLURAL = re.compile(r"\S+ files\b")
_ROW = re.compile(r"(?:.*: )?[^`\n]{2,80} - \[?`?(?=[^`\s]*[A-Za-z])[\w@+~-]*[/.][\w@./+~-]*`?")


def _places(text: str, under: str, said: str, orders: bool) -> bool:
    """It says where something is: paths with what they hold, or a pointer to a document."""
    body = re.sub(r"\n```.*?\n```", "", text, flags=re.S)
    rows = re.findall(r"^\s*(?:-|\d+\.)\s+(.*)", body, re.M) or [body]
    placed = sum(bool(_PLACE.match(row) or _ROW.match(row)) and not _PLURAL.match(row) for row in rows)
    lead = said.partition(":\n")[0] if ":\n" in said else ""
    if 2 * placed >= len(rows) and not _FORBIDS.match(said):
        return not (phrase.orders(lead.rpartition(": ")[2]) or re.search(r"\b(?:before|after|when)\b", lead, re.I))
    if _demands(said):
        return False
    points = re.match(r"\W*(?:[^:\n]{1,80}:\s+)?(?:see|for\b[^.(]{0,120}\bsee|read)\b", said, re.I)
    return bool(points) or (not orders and bool(_HEADED["route"].search(under) or _POINTER.match(text)))


_STRONG = re.compile(r"\*\*[^*]*\b(?:never|must|do not|don't|always|(?<!-)critical|important)\b[^*]*\*\*", re.I)


def importance(text: str) -> int:
    """7 for what its author shouted or put in bold as a demand, else 5."""
    said = inline.prose(text)
    return 7 if _STRONG.search(said) or _SHOUTS.search(said) else 5


_DULL = frozenset(
    """
    a an and are as at be but by do does for from how if in into is it its of on or our should that the their these this
    to use using we what when where which with you your all any other new general overview notes note important rules
    rule guidelines guideline introduction details basics common key section misc about more first message project don
    """.split()
)


_FORBIDDING = frozenset({"not", "never", "avoid", "don't", "forbidden", "no"})


def tags(headings: Sequence[str]) -> tuple[str, ...]:
    """Slugs of the headings that lead to a rule, the nearest first, 5 at most; a heading that only forbids has none."""
    found: list[str] = []
    for heading in reversed(headings):
        words = re.findall(r"[^\W_]+(?:['\u2019][^\W_]+)?", re.sub(r"\([^)]*\)|`[^`]*`", " ", heading).lower())
        kept = [word for word in words if word not in _DULL and not word.isdigit()]
        slug = "-".join(re.sub(r"['\u2019]", "", word) for word in kept[:3])
        if set(kept) - _FORBIDDING and len(slug) <= 40 and slug not in found:
            found.append(slug)
    return tuple(found[:MOST_TAGS])
