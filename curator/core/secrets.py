"""What a secret looks like: a table of kinds, and where one of them stands in a text. Values never leave this room."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Secret:
    """A kind of secret and the line it starts on, counted from 1. It never holds the value."""

    kind: str
    line: int


@dataclass(frozen=True, slots=True)
class _Shape:
    """A secret one knows by its looks. Without one of the *signs* in the text the pattern is not tried."""

    kind: str
    signs: tuple[str, ...]
    pattern: str


_EDGE = r"(?<![A-Za-z0-9])"
_CHAR = r"[A-Za-z0-9_-]"
_BODY = r"[A-Za-z0-9+/]"


def _shapes(*rows: tuple[str, str, str]) -> tuple[_Shape, ...]:
    return tuple(_Shape(kind, tuple(signs.split()), pattern) for kind, signs, pattern in rows)


# Kind, signs (one of them is part of every match), pattern of a run of characters without a blank. Sources: the
# providers' own pages on the formats of their tokens.
_TABLE = _shapes(
    ("AWS access key id", "AKIA ASIA ABIA ACCA", r"(?<![A-Z0-9])A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![A-Z0-9])"),
    ("AWS Bedrock key", "ABSK", r"(?<![A-Za-z0-9+/])ABSK[A-Za-z0-9+/]{100,}"),
    ("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", rf"{_EDGE}gh[pousr]_[A-Za-z0-9_.-]{{30,}}"),
    ("GitHub fine-grained token", "github_pat_", rf"{_EDGE}github_pat_\w{{22,}}"),
    (
        "GitLab token",
        "glpat- gldt- glrt- glrtr- glptt- glcbt- glft- glimt- glagent- gloas- glsoat- glffct-",
        rf"{_EDGE}gl(?:pat|dt|rtr?|ptt|cbt|ft|imt|agent|oas|soat|ffct)-[\w.-]{{18,}}",
    ),
    ("Atlassian token", "ATBB ATATT3 ATCTT3", rf"{_EDGE}AT(?:BB[A-Za-z0-9]{{28,}}|[AC]TT3[\w=-]{{40,}})"),
    (
        "Slack token",
        "xox xapp-",
        r"(?<![A-Za-z0-9-])(?:xox[a-z](?:\.xox[a-z])?|xapp)-(?=[A-Za-z-]*\d)[A-Za-z0-9-]{10,}",
    ),
    ("Slack webhook", "slack.com", r"hooks\.slack\.com/(?:services|workflows|triggers)/\w{6,}/\w{6,}/[\w/]{12,}"),
    ("Discord webhook", "/api/webhooks/", rf"discord(?:app)?\.com/api/webhooks/\d{{10,}}/{_CHAR}{{40,}}"),
    ("Teams webhook", "/webhookb2/", r"webhook\.office\.com/webhookb2/[\w@-]{30,}/IncomingWebhook/\w{20,}"),
    ("Discord bot token", ".", rf"[MNO](?<![A-Za-z0-9].)(?=\w*\d){_CHAR}{{22,27}}\.{_CHAR}{{6}}\.{_CHAR}{{27,45}}"),
    ("Telegram bot token", ":", rf":(?<=\d{{8}}:)(?=[\w-]*[A-Z])(?=[\w-]*[a-z]){_CHAR}{{35}}(?![\w-])"),
    ("Stripe key", "k_live_ k_test_ whsec_", rf"{_EDGE}(?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9+/]{{16,}}"),
    ("Anthropic key", "sk-ant-", rf"{_EDGE}sk-ant-{_CHAR}{{20,}}"),
    ("OpenAI key", "sk-", rf"{_EDGE}(?<!-)sk-(?:proj|svcacct|admin|None|or-v1)-{_CHAR}{{20,}}"),
    ("OpenAI key", "sk-", rf"{_EDGE}(?<!-)sk-(?=[A-Za-z]*\d)[A-Za-z0-9]{{32,}}"),
    ("Google API key", "AIza", rf"{_EDGE}AIza{_CHAR}{{35}}(?![\w-])"),
    ("Google OAuth secret", "GOCSPX- ya29. 1//0", rf"{_EDGE}(?:GOCSPX-|ya29\.|1//0){_CHAR}{{20,}}"),
    ("Azure storage key", "AccountKey= AccessKey=", r"(?:Account|SharedAccess)Key=[A-Za-z0-9+/]{40,}={0,2}"),
    ("Azure shared access signature", "sig=", r"(?<=[?&;])sig=(?:[A-Za-z0-9+/_-]|%[0-9A-Fa-f]{2}){40,}"),
    ("Azure client secret", "Q~", r"(?<![\w~.-])[\w~.-]{3}[0-9]Q~[\w~.-]{31,34}(?![\w~-])"),
    ("npm token", "npm_ _authToken= _auth=", rf"{_EDGE}npm_[A-Za-z0-9]{{36}}|_auth(?:Token)?=[\w+/=.-]{{16,}}"),
    ("PyPI token", "pypi-", rf"{_EDGE}pypi-(?=[\w-]*[A-Z0-9]){_CHAR}{{50,}}"),
    ("Hugging Face token", "hf_ api_org_", rf"{_EDGE}(?:hf|api_org)_(?=[a-z]*[A-Z0-9])[A-Za-z0-9]{{30,40}}(?!\w)"),
    ("SendGrid key", "SG.", rf"{_EDGE}SG\.{_CHAR}{{16,32}}\.{_CHAR}{{32,64}}"),
    ("Twilio key", "SK", rf"{_EDGE}SK[0-9a-f]{{32}}(?![A-Za-z0-9])"),
    ("Mailgun key", "key-", r"(?<![\w-])key-[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("Mailchimp key", "-us", r"(?<![\w-])[0-9a-f]{32}-us\d{1,2}(?!\w)"),
    ("DigitalOcean token", "_v1_", rf"{_EDGE}do[opr]_v1_[0-9a-f]{{64}}"),
    ("JSON web token", "eyJ", rf"{_EDGE}eyJ{_CHAR}{{10,}}\.eyJ{_CHAR}{{10,}}\.{_CHAR}{{10,}}"),
    ("Databricks token", "dapi", rf"{_EDGE}dapi[0-9a-f]{{32}}(?![A-Za-z0-9])"),
    ("Shopify token", "shp", rf"{_EDGE}shp(?:at|ca|pa|ss|ua|tka)_[0-9a-fA-F]{{32}}"),
    ("age secret key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{50,}"),
    ("Vault token", "hvs. hvb. hvr.", rf"{_EDGE}hv[sbr]\.{_CHAR}{{24,}}"),
    ("Vault token", "s.", r"(?<![\w.-])s\.(?=[A-Za-z]*\d)(?=[a-z0-9]*[A-Z])[A-Za-z0-9]{24}(?![\w.])"),
    ("Terraform Cloud token", ".atlasv1.", rf"{_EDGE}[A-Za-z0-9]{{14}}\.atlasv1\.{_CHAR}{{60,}}"),
    ("Docker token", "dckr_", rf"{_EDGE}dckr_(?:pat|oat)_{_CHAR}{{20,}}"),
    ("Grafana token", "glc_ glsa_", rf"{_EDGE}(?:glc|glsa)_[\w+/=]{{32,}}"),
    ("Sentry token", "sntry", rf"{_EDGE}sntry[su]_[\w+/=.-]{{40,}}"),
    ("New Relic key", "NRAK- NRAA- NRJS-", rf"{_EDGE}NR(?:AK|AA|JS)-[A-Za-z0-9]{{19,}}"),
    ("Linear key", "lin_", rf"{_EDGE}lin_(?:api|oauth)_[A-Za-z0-9]{{32,}}"),
    ("Notion token", "ntn_ secret_", rf"{_EDGE}(?:ntn_[A-Za-z0-9]{{40,}}|secret_[A-Za-z0-9]{{43}}(?!\w))"),
    ("Figma token", "figd_", rf"{_EDGE}figd_{_CHAR}{{38,}}"),
    ("Airtable token", "pat", rf"{_EDGE}pat[A-Za-z0-9]{{14}}\.[0-9a-f]{{64}}"),
    ("Square token", "sq0 EAAA", rf"{_EDGE}(?:sq0[a-z]{{3}}-{_CHAR}{{22,}}|EAAA{_CHAR}{{58,}})"),
    ("Facebook token", "|", r"(?<!\w)\d{13,17}\|[\w-]{27}(?![\w-])"),
    ("Facebook token", "EAA", r"(?<![A-Za-z0-9+/])EAA[BCDGM][A-Za-z0-9]{60,}"),
    ("RubyGems key", "rubygems_", rf"{_EDGE}rubygems_[0-9a-f]{{48}}"),
    ("Postman key", "PMAK-", rf"{_EDGE}PMAK-[0-9a-f]{{24}}-[0-9a-f]{{34}}"),
    ("Pulumi token", "pul-", rf"{_EDGE}pul-[0-9a-f]{{40}}"),
    ("Doppler token", "dp.", rf"{_EDGE}dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{{40,}}"),
    ("Supabase key", "sbp_ sb_secret_", rf"{_EDGE}(?:sbp_[0-9a-f]{{40}}|sb_secret_{_CHAR}{{20,}})"),
    ("PlanetScale secret", "pscale_", rf"{_EDGE}pscale_(?:tkn|pw|oauth)_[\w.=-]{{32,}}"),
    ("Fly.io token", "fm1 fm2_ fo1_", rf"{_EDGE}(?:fm[12][ar]?_[\w+/=]{{80,}}|fo1_{_CHAR}{{40,}})"),
    ("Netlify token", "nfp_", rf"{_EDGE}nfp_[A-Za-z0-9]{{36,}}"),
    ("Heroku key", "HRKU-", rf"{_EDGE}HRKU-{_CHAR}{{36,}}"),
    ("Tailscale key", "tskey-", rf"{_EDGE}tskey-(?:[a-z]+-)?[A-Za-z0-9]{{10,}}-[A-Za-z0-9]{{20,}}"),
    ("Cloudflare key", "v1.0-", rf"{_EDGE}v1\.0-[0-9a-f]{{24}}-[0-9a-f]{{146}}"),
    ("Dynatrace token", "dt0", rf"{_EDGE}dt0[a-z]\d\d\.[A-Z0-9]{{24}}\.[A-Z0-9]{{64}}"),
    ("1Password token", "ops_eyJ", rf"{_EDGE}ops_eyJ{_CHAR}{{80,}}"),
    ("Groq or Perplexity key", "gsk_ pplx-", rf"{_EDGE}(?:gsk_|pplx-)[A-Za-z0-9]{{40,}}"),
    ("xAI or NVIDIA key", "xai- nvapi-", rf"{_EDGE}(?:xai|nvapi)-{_CHAR}{{60,}}"),
    ("Replicate or LangSmith key", "r8_ lsv2_", rf"{_EDGE}(?:r8_[A-Za-z0-9]{{37}}|lsv2_(?:pt|sk)_[0-9a-f]{{32}}_)"),
    ("Pinecone key", "pcsk_", rf"{_EDGE}pcsk_\w{{50,}}"),
    ("Brevo key", "xkeysib-", rf"{_EDGE}xkeysib-[0-9a-f]{{64}}-{_CHAR}{{16}}"),
    ("Sourcegraph token", "sgp_", rf"{_EDGE}sgp_(?:local_|[0-9a-fA-F]{{16}}_)?[0-9a-fA-F]{{40}}"),
    ("Octopus key", "API-", r"(?<![\w-])API-[A-Z0-9]{26}(?![\w-])"),
    ("NuGet key", "oy2", rf"{_EDGE}oy2[a-z0-9]{{43}}(?![A-Za-z0-9])"),
    ("crates.io token", "cio", rf"{_EDGE}cio(?=[A-Za-z]*\d)[A-Za-z0-9]{{32}}(?![A-Za-z0-9])"),
    ("Artifactory token", "AKCp cmVmdGtu", rf"{_EDGE}(?:AKCp|cmVmdGtu)[A-Za-z0-9]{{50,}}"),
)

# The same for what spans blanks and lines.
_SPANNING = _shapes(
    ("Google service account key", "private_key_id", r"private_key_id[\"'\\]*\s*:\s*[\"'\\]*[0-9a-f]{40}"),
    ("private key", "PRIVATE KEY", rf"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]{{0,400}}?{_BODY}{{24,}}"),
    ("private key", "PuTTY-User-Key-File-", r"PuTTY-User-Key-File-\d"),
    ("private key", "b3BlbnNzaC1rZXktdjE", rf"b3BlbnNzaC1rZXktdjE{_BODY}{{20,}}"),
    # The words PRIVATE KEY in base64, at each of the three places where they can start in a group of three bytes.
    (
        "private key in base64",
        "BSSVZBVEUgS0VZ UFJJVkFURSBLRV QUklWQVRFIEtFW",
        r"(?:BSSVZBVEUgS0VZ|UFJJVkFURSBLRV|QUklWQVRFIEtFW)[A-Za-z0-9+/\s\\]{40,}",
    ),
)
_SIGNS = tuple((sign, shape) for shape in _TABLE for sign in shape.signs)
_SHORTEST = 20

# --- Secrets that only their surroundings give away --------------------------------------------------------------

_URL = re.compile(r"""://(?<=\w://)(?P<user>[^\s/:@"'`<>?#]*):(?P<value>[^\s/"'`<>]{3,200})@[\w\[$-]""")
_HEADER = re.compile(
    r"""(?:authorization["'\\]*\s*[:=]\s*["'`\\]*(?:(?P<scheme>[a-z][\w-]{2,15})\s+)?|bearer\s+)"""
    r"""(?P<value>[A-Za-z0-9+/_.~=-]{12,})""",
    re.I,
)
_COOKIE = re.compile(r"""cookie["'`]?\s{0,4}[:=]\s{0,4}["'`]?[^\s=;"'`]{1,60}=(?P<value>[^\s;"'`]{12,400})""", re.I)
_KEY = re.compile(r"pass(?:word|wd|phrase|code)|pwd|secret|token|credential|key")
_KEY_STARTS = ("pass", "pwd", "secret", "token", "credential", "key")
_OTHER_KEY = re.compile(r"(?::|public[_ -]?key[_ -]?)$")
_KIND_OF_KEY = re.compile(
    r"(?:api|access|auth|private|signing|encryption|account|master|shared|license|webhook)[_ -]?$"
)
_ASSIGNED = re.compile(
    r"""s?(?:[_-]?(?:key|base|value|prod|dev|test|\d{1,3}))*(?![A-Za-z])["'`\]\\]{0,3}"""
    r"""(?:\s{0,4}(?::=|=>|=|:)\s{0,4}|\s{1,4}is\s{1,4}|>)\\?"""
    r"""(?:(?P<quote>["'`])(?P<value>[^\n]{8,200}?)\\?(?P=quote)|(?P<bare>[^\s"'`<>,;)}\]]{8,200}))""",
    re.I,
)
# `--password x` and, in .netrc, `login x password y`.
_ANNOUNCED = re.compile(r"(?:(?<!\S)--[a-z-]*|\blogin\s{1,4}\S{1,40}\s{1,4})$")
_OPERAND = re.compile(r"""s?[ \t]{1,4}["']?(?P<value>[^\s"'`]{8,200})""")
# `use the password x for staging`, `the passphrase of the vault is x`, `log in with admin / x`: how people say it.
_SPOKEN = re.compile(
    r"""s?(?:[ \t]{1,4}(?:for|of|to|on|in|the|our|my|new|is|was|are|staging|prod|production|dev|test|admin|root|user"""
    r"""|db|database|vault|server|account)){0,6}[ \t]{1,4}["'`]?(?P<value>[^\s"'`]{8,200})""",
    re.I,
)
_PHRASE = re.compile(
    r"""(?:word|phrase)(?:[ \t]{1,4}\w{2,12}){0,3}[ \t]{1,4}is[ \t]{1,4}["'`]?"""
    r"""(?P<value>[a-z]{3,12}(?:-[a-z]{3,12}){2,7})\b"""
)
_SIGNED_IN = re.compile(
    r"""(?:log ?in|sign ?in|username|user|credentials)\b[^\n/:]{0,60}[ \t][\w.@-]{2,40}[ \t]?(?:[ \t]/[ \t]|:[ \t]?)"""
    r"""["'`]?(?P<value>[^\s"'`/]{8,200})""",
    re.I,
)
_LOGIN = re.compile(
    r"""(?:\s-u[ =]{0,4}|--user[ =]{1,4})["'\\]{0,2}(?=[^\s]{0,260}:)(?:[\w.@-]{0,60}:["'\\]{0,2})?"""
    r"""(?P<value>[^\s"'`]{6,200})"""
)

# --- What is no secret -------------------------------------------------------------------------------------------

_STAND_IN = re.compile(
    r"example|placeholder|change.?me|redacted|dummy|(?:^|[-_])(?:your|my)[-_]|\.\.\.|\u2026|x{4}|\*{3}|0{12}|1{12}",
    re.I,
)
_TEMPLATE = re.compile(r"[{(\[<*]|\$[{(]|\$[A-Za-z_]\w*$|%[{(]|%\w+%$|[A-Z][A-Z_]*$")
_COMMON = frozenset(
    "pass password passwd passphrase pwd secret token key admin root user username guest test testing postgres mysql "
    "redis mongo rabbitmq minio minioadmin elastic anonymous local localhost docker vagrant none null true false "
    "string value foo bar foobar hunter letmein qwerty my your the some access api auth db dev".split()
)
# A word, a number, a unit (90d) or a name of an algorithm (base64url, ed25519), not the output of a generator.
_TAME = re.compile(
    r"[A-Z]?[a-z]+\d{0,2}|[a-z]+123|[A-Z]+\d{0,2}|\d{1,4}|\d{1,3}[A-Za-z]{1,3}|[A-Za-z]{1,4}\d{1,5}"
    r"|(?:base|sha|utf|argon|oauth|md|aes|[xvpkile])\d{1,3}[a-z]{1,6}|[a-z]\d{1,2}[a-z]"
)
_COMPOUND = re.compile(r"[A-Za-z]+\d{0,2}")
_CAPITAL_SHARE = 3
_EXPRESSION = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+$|[^()]*\(|[^\[]*\[|[^{]*\$\{")
_PATH = re.compile(r"(?:~|\.{1,2})?/.*/|\w+://")
_DIGEST = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{7,12}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
"""A commit, a checksum, a UUID: often named beside a token or key, and none."""
_SIGNED = re.compile(r"[A-Za-z0-9][!#$%^&*?~][A-Za-z0-9]")
_DOTLESS = "\u0130"
"""The one letter whose lower case is two characters long."""

_Span = tuple[int, int, str]
"""Start, end and kind."""


def find(text: str) -> tuple[Secret, ...]:
    """Every secret of a known kind in *text*, in order. A text of 64 kB takes some milliseconds."""
    taken = list(_shaped(text))
    for start, end, kind in _surrounded(text):
        if not any(start < other_end and other < end for other, other_end, _ in taken):
            taken.append((start, end, kind))
    return tuple(Secret(kind, text.count("\n", 0, start) + 1) for start, _, kind in sorted(taken))


def _shaped(text: str) -> Iterator[_Span]:
    """What looks like a secret by itself. Signs are looked for in long words only, which a text has few of."""
    runs = "\n".join([word for word in text.split() if len(word) >= _SHORTEST])
    shapes = {id(shape): shape for sign, shape in _SIGNS if sign in runs} if runs else {}
    solid = (shape for shape in shapes.values() if re.search(shape.pattern, runs))
    spanning = (shape for shape in _SPANNING if any(sign in text for sign in shape.signs))
    for shape in (*solid, *spanning):
        for found in re.finditer(shape.pattern, text):
            if not _STAND_IN.search(found[0]):
                yield found.start(), found.end(), shape.kind


def _surrounded(text: str) -> Iterator[_Span]:
    """What stands where a secret would stand."""
    lowered = text.replace(_DOTLESS, "I").lower()
    if "://" in text and "@" in text:
        yield from _in_urls(text)
    yield from _in_headers(text, lowered)
    if "cookie" in lowered:
        yield from (_span(found, "value", "cookie of a session") for found in _COOKIE.finditer(text) if _leaks(found))
    yield from _assigned(text, lowered)
    for place in _places(lowered, ("log in", "login", "sign in", "signin", "user", "credentials")):
        found = _SIGNED_IN.match(text, place)
        if found and _is_said(found["value"]):
            yield _span(found, "value", "name and password")
    if " -u" in text or "--user" in text:
        yield from (_span(found, "value", "password of a command") for found in _LOGIN.finditer(text) if _leaks(found))


def _span(found: re.Match[str], group: str, kind: str) -> _Span:
    return found.start(group), found.end(group), kind


def _is_said(value: str) -> bool:
    """Random, or with a sign in its midst as passwords have; no commit, checksum or UUID."""
    bare = value.rstrip(".,;:!?)")
    signed = _SIGNED.search(bare) and re.search(r"\d", bare) and "=" not in bare and not _PATH.match(bare)
    return _DIGEST.fullmatch(bare) is None and (_is_random(bare) or (bool(signed) and not _is_stand_in(bare)))


def _leaks(found: re.Match[str]) -> bool:
    return _is_random(found["value"])


def _in_urls(text: str) -> Iterator[_Span]:
    for found in _URL.finditer(text):
        if found["value"] != found["user"] and not _is_stand_in(found["value"]):
            yield _span(found, "value", "password in a URL")


def _places(text: str, words: Iterable[str]) -> Iterator[int]:
    """Where one of the words starts. Many times faster than an alternation in a pattern."""
    for word in words:
        place = text.find(word)
        while place >= 0:
            yield place
            place = text.find(word, place + 1)


def _in_headers(text: str, lowered: str) -> Iterator[_Span]:
    for place in _places(lowered, ("authorization", "bearer")):
        found = _HEADER.match(text, place)
        if found and (_leaks(found) or (_is_scheme(found["scheme"]) and _is_encoded(found["value"]))):
            yield _span(found, "value", "authorization header")


def _is_scheme(word: str | None) -> bool:
    return word is not None and word.lower() in {"basic", "bearer", "digest", "token"}


def _assigned(text: str, lowered: str) -> Iterator[_Span]:
    """`name = value` in the forms of shells, programs, YAML, JSON and prose, for names that mean a secret."""
    for place in _places(lowered, _KEY_STARTS):
        key = _KEY.match(lowered, place)
        if key is None or _OTHER_KEY.search(lowered, max(0, place - 12), place):
            continue
        if key[0] == "key" and not _KIND_OF_KEY.search(lowered, max(0, place - 12), place):
            continue
        found = _ASSIGNED.match(text, key.end())
        if found and _gives_away(found):
            yield _span(found, "value" if found["value"] else "bare", "password, token or key with its value")
        elif _ANNOUNCED.search(lowered, max(0, place - 90), place):
            found = _OPERAND.match(text, key.end())
            if found and _leaks(found):
                yield _span(found, "value", "password of a command")
        else:
            yield from _spoken(text, lowered, key)


def _spoken(text: str, lowered: str, key: re.Match[str]) -> Iterator[_Span]:
    """A secret in a sentence: behind its name, with some words between."""
    found = _SPOKEN.match(text, key.end())
    if found and _is_said(found["value"]):
        yield _span(found, "value", "password, token or key with its value")
        return
    found = _PHRASE.match(lowered, key.start() + 4) if key[0] in {"password", "passphrase"} else None
    if found:
        yield _span(found, "value", "password, token or key with its value")


def _gives_away(found: re.Match[str]) -> bool:
    """Whether a value is a secret and not a word, a template or code that fetches the secret."""
    bare = found["bare"]
    if bare:
        return _EXPRESSION.match(bare) is None and _is_random(bare)
    return "${" not in found["value"] and any(_is_random(word) for word in found["value"].split())


def _is_stand_in(value: str) -> bool:
    """A variable, a template, an elision, or words that everybody writes instead of a password."""
    words = [word.rstrip("0123456789") for word in re.findall(r"[a-z0-9]+", value.lower())]
    return (
        _COMMON.issuperset(words)
        or _TEMPLATE.match(value) is not None
        or _STAND_IN.search(value) is not None
        or len(set(value)) <= 2
    )


def _is_random(value: str) -> bool:
    """Made by a generator, or by somebody who was told to use all kinds of characters."""
    if len(value) < 8 or len(set(value)) < 6 or _PATH.match(value) or _is_stand_in(value):
        return False
    if not re.search(r"\d", value) and not (re.search(r"[a-z]", value) and re.search(r"[A-Z]", value)):
        return False
    pieces = re.findall(r"[A-Za-z0-9]+", value)
    return re.search(r"[A-Za-z]", value) is not None and not all(_is_tame(piece) for piece in pieces)


def _is_tame(piece: str) -> bool:
    """A word, a number, a unit, a name in camel case."""
    if _TAME.fullmatch(piece):
        return True
    capitals = sum(letter.isupper() for letter in piece)
    return _COMPOUND.fullmatch(piece) is not None and capitals * _CAPITAL_SHARE <= len(piece)


def _is_encoded(value: str) -> bool:
    """Base64 without digits, behind the name of a scheme: `Basic dXNlcjpwYXNz`."""
    has_case = re.search(r"[a-z][A-Z]", value) and re.search(r"[A-Z]{2}", value)
    return bool(has_case) and not _is_stand_in(value) and not re.search("token|key", value, re.I)
