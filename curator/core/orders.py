"""Orders that a reviewer must not miss: to fetch and run something, to touch credentials, to send data away or hide it.

A warning and no more: many such sentences are honest rules of a project.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache

_GAP = r"(?:[^.\n]|\.(?=\S))"
"""One character of a sentence: a dot inside a path or a name does not end it."""
_CLOSE = r"(?:[^.,;:\n]|\.(?=\S))"
"""One character of a part of a sentence."""
_FETCH = (
    r"\b(?:curl|wget|iwr|invoke-webrequest|invoke-restmethod|npx|uvx)\s+\S|\bpipx\s+(?:run|install|inject)\b"
    r"|(?<!\bthe )(?<!\ba )(?<!\beach )(?<!\bevery )(?<!\bper )(?<!\bof )(?<!\bon )\bdownload\b"
    r"(?!\s+(?:pages?|links?|buttons?|folders?|director(?:y|ies)|urls?|speed|counts?|sizes?|cache|servers?|limits?"
    r"|progress|handlers?|endpoints?|helpers?|steps?|jobs?|is|was|has|can|may|must|fails?|failed|starts?|takes?)\b)"
    rf"|\bdownload(?:s|ing)\b{_GAP}{{0,40}}?(?:https?:|\b(?:run|execute|install)(?:s|ning|ing)?\b)"
    r"|\b(?:pip3?|npm|pnpm|yarn|gem|cargo|go|brew|apt(?:-get)?)\s+(?:install|add|i)\s+\S*(?:https?:|git\+)"
    rf"|\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|\b(?:eval|exec)\b{_GAP}{{0,30}}\bhttps?:"
)
_SECRET = (
    r"(?<![\w-])(?:passwords?|passphrases?|credentials?|secrets?|(?:api|access|private|ssh)[ _-]?keys?"
    r"|(?:access|auth|api|bearer|session|github|deploy)[ _-]?tokens?|cookies)(?!\w|\()"
    r"(?!\s+(?:resets?|hash\w*|fields?|polic\w+|pages?|forms?|managers?|rules?|lengths?|types?|scan\w*|rotation)\b)"
)
_PLAIN = (
    r"(?<![\w.])\.env\b|\bid_(?:rsa|ecdsa|ed25519)\b|\.(?:netrc|npmrc|pypirc|pgpass|aws/credentials)\b|\.ssh/\w+"
    r"|(?-i:(?<![A-Z0-9_])[A-Z0-9_]{0,40}"
    r"(?:TOKEN|SECRET(?:_KEY)?|PASSWORD|PASSWD|API_?KEY|ACCESS_KEY|PRIVATE_KEY|CREDENTIALS)(?![A-Z0-9_]))"
)
"""Files and environment variables that hold one: `NPM_TOKEN`."""
_NAMED, _KEPT = "\x01", "\x02"
"""What stands for a secret that is named, and for what holds one, where orders about them are looked for."""
_ANY = f"[{_NAMED}{_KEPT}]"
_TOUCH = (
    r"(?<!\busers )(?<!\bpeople )(?<!\bthey )(?<!\bcustomers )(?<!\bvisitors )"
    r"\b(?:read|print|echo|cat|show|reveal|paste|copy|send|share|include|attach|give|type|enter|export|use|dump"
    r"|log(?!\s+(?:in|on|out)\b)|upload|post|commit|base64(?:[ -]encode)?|xxd|hexdump)\b"
)
_PLACE = (
    r"\b(?:in|into|to|on|onto)\s+(?!(?:(?:the|a|an|our|your)\s+)?[`'\"]*"
    rf"(?:vault|keychain|keyring|password|credential|environment|env\b|1password|{_ANY}))"
)
"""Where something is put, unless it belongs there."""
_IT = (
    r"(?<!never )(?<!not )(?<!n't )(?<!n\u2019t )"
    r"\b(?:print|echo|cat|log|paste|put|add|commit|post|send|upload)\s+(?:it|them)\b"
)
_TOUCHED = (
    rf"{_TOUCH}{_GAP}{{0,60}}?{_ANY}"
    rf"|\b(?:put|add|insert|write|store|embed|save|hard-?code)\b{_CLOSE}{{0,40}}?{_ANY}{_CLOSE}{{0,30}}?{_PLACE}"
    rf"|(?:{_ANY}|\b(?:the|your|my) tokens?\b){_GAP}{{0,80}}?{_IT}"
    rf"|\bpass\b{_CLOSE}{{0,30}}?(?:{_KEPT}|(?<!\w)--(?:token|password|api-key|secret)\b)|<\s*\S{{0,40}}?{_KEPT}"
)
_SEND = (
    r"\b(?:upload(?!-)|exfiltrate|submit|transmit|scp|rsync)\b"
    r"|\b(?:post|send|forward|push|report|copy|mail|e-?mail)(?:s|ing)?\b"
    rf"{_GAP}{{0,60}}?(?:https?://|[\w.+-]{{1,64}}@[\w-]{{1,64}}\.\w)"
    r"|(?<!\bwe )(?<!\bthey )(?<!\bit )\b(?:post|send|forward|push|report|copy|mail|e-?mail)\b(?!`)"
    rf"{_GAP}{{0,60}}?\bto (?:the |our |an? )?(?:server|endpoint|webhook|gist|pastebin|url|address)\b"
    r"(?!\s+(?:folder|director(?:y|ies)|module|side|class|package|process|tests?)\b)"
    r"|\bcurl\b[^\n]{0,200}\s(?:-d|-F|-T|--data\S*|--form|--upload-file)\b|\b(?:nc|ncat|netcat|socat)\s+\S+[^\n]{0,60}<"
)
_BRANCH = r"(?:main|master|trunk|production|prod|develop|the (?:default|release|protected) branch)\b"
_PUSH = (
    r"\bgit\s+(?:-\S+\s+(?:\S+=\S*\s+)?)*push\b|\b(?:docker|podman)\s+push\b|\bforce[ -]push\b"
    r"|\bgh\s+(?:release\s+create|pr\s+merge)\b"
    rf"|\b(?:push|merge|land|commit)\b{_CLOSE}{{0,40}}\b(?:in)?to\s+(?:[\w`'\"/]+\s+)?[`'\"]*(?:origin/)?{_BRANCH}"
    r"|\b(?:npm|pnpm|yarn|cargo|uv|poetry|hatch|flit|twine|gem|vsce|helm)\s+(?:publish|upload|push|release)\b"
    r"|\bpublish\s+(?:(?:it|this|the|a|an|every|each|new)\s+)*(?:\w+\s+)?(?:packages?|crates?|wheels?|images?|versions?"
    r"|releases?|artifacts?|gems?)\b|\bpublish\b[^.,;:\n]{0,30}\bto\s+(?:npm|pypi|crates\.io|docker hub|the registry)\b"
    r"|\b(?:merge|approve)\s+(?:your|our|its|their|my)\s+own\s+(?:pull\s+requests?|merge\s+requests?|prs?|mrs?|changes?)\b"
    r"|\b(?:cut|make|create|ship)\s+(?:a|the|another|new)\s+(?:\w+\s+)?release\b(?!\s+(?:notes?|branch|build))"
)
_CI_FILES = (
    r"(?:\.github/workflows|\.gitlab-ci|(?:github |ci |gitlab )?workflows?\s+(?:files?|ya?ml)|(?:ci|github) workflows?"
    r"|(?:the )?ci (?:config(?:uration)?|pipelines?|settings|files?)|branch protection|codeowners)"
)
_CHECKS = (
    r"(?:ci\b|(?:ci |status |required |type[ -]|security |pre-?commit |failing |these |the |all )+(?:checks?|hooks?)\b"
    r"|checks\b|hooks\b|lint(?:er|ers|ing)?\b|pre-?commit\b|(?:required |code )?reviews?\b|approvals?\b"
    r"|(?:failing|broken|flaky|red|these|the|all) tests?\b"
    r"|(?:coverage|quality) (?:gates?|thresholds?|checks?|limits?)\b)"
)
_CI = (
    rf"\b(?:edit|change|modify|update|rewrite|remove|delete|replace|patch)\b{_CLOSE}{{0,40}}{_CI_FILES}"
    rf"|\b(?:disable|skip|bypass|circumvent|turn\s+off|comment\s+out|silence|override|ignore|weaken)\b"
    rf"\s+(?:[\w`'\"/-]+\s+){{0,3}}?[`'\"]*(?:{_CI_FILES}|{_CHECKS})"
    r"|(?<!\w)--no-verify\b|\[(?:skip ci|ci skip|no ci)\]|\bHUSKY=0\b|(?<!\w)SKIP=[\w-]"
    r"|\bgit\s+commit\s+(?:-[\w=-]{1,30}\s+){0,3}-[a-z]{0,3}n[a-z]{0,3}(?![\w-])|\bcontinue-on-error:\s*true\b"
    r"|\b(?:add|append|put|use)\s[^.\n]{0,20}\|\|\s*(?:true|:|exit 0)[^.\n]{0,40}"
    r"\b(?:tests?|checks?|ci|lint\w*|steps?|jobs?|hooks?)\b"
    rf"|\b(?:mark|decorate|tag)\b{_CLOSE}{{0,40}}?\btests?\b{_CLOSE}{{0,40}}?"
    rf"\b(?:xfail|skip(?:ped)?)\b{_CLOSE}{{0,40}}?\b(?:green|pass(?:es)?)\b"
    r"|\b(?:lower|reduce|relax|loosen)\s+(?:\w+\s+){0,3}?"
    r"(?:coverage|quality)\s+(?:gates?|thresholds?|checks?|limits?|targets?)\b"
)
_WHO = (
    r"(?:(?:the |your )?(?:user|reviewer|human|developer|maintainer|operator|owner)"
    r"|(?:anyone|anybody|people|humans)\b(?!\s+(?:who|that)\s+(?:calls?|uses?|imports?)\b))\b"
)
_WHAT = r"(?:this|it|that|these|any of (?:this|it)|the (?:change|edit|commit|push|memory|instruction|note|file)s?)\b"
_ACCOUNT = (
    r"(?:the\s+|your\s+)?"
    r"(?:pull\s+request|merge\s+request|pr|mr|commit\s+message|summary|description|diff|report|review)\b"
)
_HIDE = (
    rf"\b(?:hide|conceal|keep)\b{_CLOSE}{{0,40}}\b(?:from|secret from)\s+{_WHO}|\bkeep\s+{_WHAT}\s+(?:a\s+)?secret\b"
    rf"|\bwithout\s+(?:telling|asking|informing|notifying|alerting|saying so to)\s+{_WHO}"
    rf"|\bwithout\s+(?:mentioning|disclosing|revealing|announcing)\s+{_WHAT}|\bbehind\s+(?:[\w'\u2019]+\s+){{1,3}}back\b"
    rf"|\b(?:leave|omit|keep|exclude|drop)\s+{_WHAT}{_CLOSE}{{0,20}}?\b(?:out\s+of|from)\s+{_ACCOUNT}"
    r"|\b(?:keep|stay|remain)\s+(?:quiet|silent|mum)\s+about\b"
    r"|\b(?:nobody|no[ -]one)\s+(?:(?:will|can|may|ever)\s+)?(?:notices?|spots?|finds?\s+out)\b"
    rf"|{_WHO}\s+(?:(?:(?:does|do)(?:\s+not|n['\u2019]t)|never)\s+(?:need|have|needs|has)\s+to"
    r"|(?:need|must|should)(?:\s+not|n['\u2019]t))\s+"
    r"(?:know(?=\s+(?:about|of|this|it|that)\b|\s*[.!;,]|\s*$)|notice|find\s+out|learn\s+(?:about|of)\b)"
    r"|\b(?:silently|quietly|secretly|covertly)\s+(?:push|commit|merge|delete|remove|send|upload|change|edit|add|install"
    r"|run|disable|update|overwrite|apply|rewrite|copy|write|fix)\b"
)
_GRANT = (
    r"(?<!\w)--dangerously-\w|(?<!\w)--yolo\b|\bbypass ?permissions\b|\bskip\s+(?:all\s+|the\s+)?permission"
    r"|\b(?:approve|accept|allow|grant|confirm)\s+(?:all|every|each|any)\s+(?:\w+\s+){0,2}?"
    r"(?:permissions?|prompts?|tool\s+(?:calls?|uses?))\b"
)
_HIDING = "something to hide"
_NOT = ("not", "n't", "n\u2019t", "dont", "never", "no need")
_MUTE = (
    rf"\b(?:(?:do|must|should|shall)\s+not|don['\u2019]?t|never|no\s+need\s+to)\s+(?:ever\s+)?"
    rf"(?:(?:tell|inform|notify|alert|warn)\s+{_WHO}(?!\s+(?:their|his|her|its|which|when)\b)"
    rf"|(?:mention|report|disclose|reveal|discuss|log)\s+{_WHAT}|bring\s+{_WHAT}\s+up\b|bring\s+up\s+{_WHAT}"
    rf"|raise\s+{_WHAT}\s+with\s+{_WHO})"
)
"""Orders to be silent: what forbids is the order itself here."""
_WARNINGS = (
    ("a download", "curl wget iwr invoke npx uvx pipx download http git+ | eval exec", _FETCH),
    (
        "a credential",
        "password passwd passphrase credential secret key token cookies .env id_ .netrc .npmrc .pypirc .pgpass .aws"
        " .ssh",
        _TOUCHED,
    ),
    (
        "an upload",
        "upload exfiltrate submit transmit scp rsync post send forward push report copy mail curl nc netcat socat",
        _SEND,
    ),
)
"""What is risky unless it is forbidden.

Each with words of which one stands in all that its pattern finds: most texts need no more than a look for these.
"""
_ACTIONS = (
    ("a push or a release", "push merge land commit publish upload release approve", _PUSH),
    (
        "a change to CI or its checks",
        "ci lint check hook commit review approval test workflow verify husky owners protection skip= error:"
        " coverage gate",
        _CI,
    ),
    ("a permission given away", "danger yolo permission prompt tool", _GRANT),
    (
        _HIDING,
        "hide conceal keep without silent quiet secretly covertly behind leave omit exclude drop nobody one not never"
        " n't n\u2019t",
        _HIDE,
    ),
)
"""What rules of a project speak of as well: who says when, or that it is not allowed, gives no order."""


_FORBIDDEN = r"(?:\b(?:never|not|avoid|nor|without|no)|n['\u2019]t)\s+((?:[\w/-]+\s+){0,2})(?:\w{1,20}-)?[`\"']*$"
_TURNED = r"\b(?:forget|hesitate|fail|omit|neglect|miss|only|worry|bother|need)\b"
"""What makes an order of what forbids: "never forget to"."""
_JOINED = r"(?:\w+(?:,\s+(?:(?:or|nor)\s+)?|\s+(?:\w+\s+)?(?:or|nor)\s+)){1,5}"
_UNASKED = (
    r"(?:\b(?:never|not|no\s+need|without)|n['\u2019]t)\s+(?:\w+\s+){0,3}?(?:ask|wait|check|stop|pause)(?:ing)?\s+"
    r"(?:\w+\s+){0,3}?(?:before|until|when)\s+(?:you|we)\s+[`\"'(]*$"
)
"""Before an order: that nobody is to be asked is no "before"."""
_LEAD = 60  # characters before an order that may forbid it
_ASIDE = (
    r"\b(?:before|after|until|unless|when|whenever|if|once|on|every|each|any|an?|the|than|of|during|upon|only|nobody(?:\s+(?:can|may))?"
    r"|cannot|can['\u2019]t|refuses?\s+to|how\s+to)\s+(?:(?:you|we|they|one)\s+)?[`\"'(]*$"
)
_REFUSED = (
    r"[`\"')]*(?:\s+[\w'`-]+){0,3}?\s+(?:is|are|gets?|stays?)\s+(?:\w+\s+)?"
    r"(?:forbidden|blocked|rejected|refused|prohibited|disallowed|protected|not\s+allowed|never\s+allowed|reverted)\b"
    r"|[`\"')]*\s+only\b"
)


def risks(text: str) -> tuple[str, ...]:
    """What an order in *text* has in it, such as "a download" or "a credential": as many as there are.

    What is forbidden ("never print the API key") is no order to do it.
    """
    low = text.casefold()
    found = [name for name, words, pattern in _WARNINGS if _has(_matches(text, low, words, pattern), _is_order)]
    found += [name for name, words, pattern in _ACTIONS if _has(_matches(text, low, words, pattern), _is_act)]
    if _HIDING not in found and any(word in low for word in _NOT) and _compiled(_MUTE).search(text):
        found.append(_HIDING)
    return tuple(found)


def _has(matches: Iterable[re.Match[str]], is_given: Callable[[re.Match[str]], bool]) -> bool:
    """Whether one is an order: what is forbidden forbids all that "or" joins to it."""
    held = -_LEAD
    for one in matches:
        if one.start() - held < _LEAD and _compiled(_JOINED).fullmatch(one.string, held, one.start()):
            continue
        if is_given(one):
            return True
        held = one.start()
    return False


def _matches(text: str, low: str, words: str, pattern: str) -> Iterator[re.Match[str]]:
    if not any(word in low for word in words.split()):
        return iter(())
    return _search(pattern, _marked(text) if pattern is _TOUCHED else text)


def _search(pattern: str, text: str) -> Iterator[re.Match[str]]:
    """All that a pattern finds, also inside of another: in what is forbidden an order may stand."""
    found = _compiled(pattern).search(text)
    while found:
        yield found
        found = found.re.search(text, found.start() + 1)


def _marked(text: str) -> str:
    """*text* with a mark for each secret, and for each place that holds one."""
    return _compiled(_SECRET).sub(_NAMED, _compiled(_PLAIN).sub(_KEPT, text))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.I)


def _is_order(one: re.Match[str]) -> bool:
    return not _is_forbidden(_before(one))


def _is_act(one: re.Match[str]) -> bool:
    lead = _before(one)
    if _compiled(_UNASKED).search(lead):
        return True
    aside = _compiled(_ASIDE).search(lead) or _compiled(_REFUSED).match(one.string, one.end())
    return not (aside or _is_forbidden(lead))


def _before(one: re.Match[str]) -> str:
    return one.string[max(0, one.start() - _LEAD) : one.start()]


def _is_forbidden(lead: str) -> bool:
    found = _compiled(_FORBIDDEN).search(lead)
    return found is not None and not _compiled(_TURNED).search(found[1])
