"""What a piece of a rules file is like to read: whole by itself, a label, an order, a term with its meaning."""

from __future__ import annotations

import re

from curator.core import inline

# Words that say what to do or how things are. A command form that is also a noun ("test", "build") counts only
# where a sentence or a clause begins.
_VERBS = frozenset(
    """
    is are was were be been has have had do does did can cannot could will would must should may might need needs
    don't doesn't won't can't isn't aren't shouldn't mustn't never always avoid prefer ensure keep make makes made
    write read reads add adds remove removes create creates delete deletes install follow follows include includes
    contain contains define defines defined use uses used run runs ran call calls pass passes put puts get gets give
    gives go goes take takes let lets want require requires required implement implements store stores stored live
    lives hold holds provide provides return returns handle handles support supports prevent prevents allow allows
    fail fails break breaks become becomes mean means work works verify validate treat confirm refer see ask extend
    extends inherit generate generates throw throws raise raises enforce enforces consider choose depend depends
    assume expect expects match matches mirror mirrors merge rebase squash configure override overrides apply
    applies wrap wraps convert converts replace replaces rename move moves happen happens skip skips ignore ignores
    save saves send sends render renders reuse restart reserve respect produce produces manage manages consult
    forbidden prohibited disallowed accept accepts bind binds resolve resolves
    """.split()
)
_COMMANDS = frozenset(
    """
    test build lint format type log name comment branch deploy release review report set open close fix debug mock
    query search find look list show print try think plan place link tag note mark map sort filter cache clean clear
    copy edit change changes cover declare derive describe design download drop embed enable disable encode escape
    execute expose fetch focus force grep guard help hide index inject inline inspect instrument iterate join keep
    lazy leave lock measure migrate minimize mount navigate normalize notify obtain omit order organize package
    parse patch persist pick pin point post preserve preview profile propagate publish pull rebuild record reduce
    refactor refresh register regenerate reproduce request reset restore restrict retry revert rewrite route scope
    separate serve share ship sign simplify specify stage state stick store structure style subscribe suffix prefix
    switch sync throw track transform translate trim trust unify upgrade upload version view wait warn watch wire
    work no not only be go do don't never always please append backport batch bootstrap bundle capture centralize
    cite collect combine compare compile compute delegate detect distinguish await catch return end begin default
    prioritize favour favor minimise maximise maximize adopt adhere align analyze analyse annotate assert assign
    attach audit base cap colocate co-locate connect consolidate construct target targets limit limits document
    documents commit commits push pushes import imports export exports load loads split group trigger triggers bump
    update updates check checks cause causes start starts stop stops rerun re-run prefill quote invoke apply reply
    gather research aim scan redo repeat mind remember
    """.split()
)
_WORD = re.compile(r"[A-Za-z][A-Za-z'\u2019-]*")
_BREAK = re.compile(
    r"[.;:!?\u2013\u2014,(]|\s-\s|\b(?:to|and|or|then|not|never|always|please|must|should|may|can|will)\b"
)
_ASIDE = re.compile(r"^(?:[*_]+|\W*(?:important|note|critical|warning|required|default|optional|tip)\W+)", re.I)

_BACK = re.compile(
    r"(?!this (?:file|guide|document|project|repo|repository|codebase|app|package|library|is an?)\b)"
    r"(?:this|these|that|those|it|they|its|their|both|such|otherwise|likewise|similarly|also|however|instead|additionally"
    r"|(?:use|do|run|apply|set|call|see) (?:this|that|these|those|it)|a good option|in this case"
    r"|the (?:above|former|latter|same|script|command|output|result)s?)\b",
    re.I,
)
_SAMPLE = re.compile(
    r"\W*(?:(?:an? |some |more |usage |code )?(?:bad |good |correct |wrong |incorrect )?"
    r"(?:examples?|e\.g\.|for example|for instance|sample|output|usage|result|good|bad|correct|wrong|like this|instead)"
    r"(?: [\w`./-]+){0,4})\W*$",
    re.I,
)

_CONDITION = re.compile(r"\W*(?:when|whenever|before|after|if|while|during|unless|once|in case)\b", re.I)
_PLACE = re.compile(r"\W*(?:on|for|in|where|to|as|with|without)\b", re.I)
_ONWARD = re.compile(
    r"follow(?:ing)?\b|\bsteps\b|particular|specifically|\bbelow\b|\b(?:important|remember|note|also)\b.{0,12}$", re.I
)
_TROUBLE = re.compile(
    r"troubleshoot|common (?:issues|problems|errors|failures)|known (?:issues|problems)|\bfaq\b|debugging", re.I
)
_TASK = re.compile(
    r"(?:how to (?!work\b)|(?:changing|adjusting|adding|updating|creating|modifying|enabling|disabling|setting up"
    r"|configuring|removing|upgrading|migrating|deploying|releasing|running|building|installing|accessing|customizing"
    r"|extending|publishing|change|add|update|create|modify|enable|disable|configure|adjust|set|remove|upgrade|debug"
    r"|to) )\w",
    re.I,
)
_STEP = re.compile(r"\d+\. ")
# Third person without a subject: the heading, or what stands before, is what they speak of.
_SUBJECTLESS = re.compile(
    r"(?:runs|uses|handles|returns|requires|creates|generates|provides|includes|contains|supports|records|fits|persists|"
    r"stores|wraps|reads|writes|sets|adds|allows|enables|prevents|ensures|makes|shows|displays|gets|keeps|takes|applies|"
    r"detects|manages|defines|implements|installs|parses|renders|sends|converts|covers|exposes|encapsulates|loads)\b",
    re.I,
)
_NEGATIVE = re.compile(
    r"\W*(?:(?:things |what )?(?:you (?:must|should) )?(?:do ?n[o']t|don\u2019t|never|not to|avoid|to avoid)s?"
    r"(?: (?:do|use|use these|do this|do these))?"
    r"|(?:strictly |absolutely )?(?:forbidden|prohibited|disallowed|banned)\b.*"
    r"|(?:[\w-]+ )*?(?:anti-?patterns?|mistakes|pitfalls|non-goals|no-?gos?)(?: to avoid)?"
    r"|out of scope|off.limits)\W*$",
    re.I,
)
_DENIES = re.compile(
    r"\W*(?:[\w /-]{1,30}:\W*)?(?:you |we |agents? )?"
    r"(?:no|not|never|avoid|without|cannot|stop|skip|refuse|reject|forbidden|prohibited|can't"
    r"|(?:do|does|must|should|can|will|is|are) ?n[o']t|(?:do|does|must|should|can|are|is)n?\u2019t)\b",
    re.I,
)
_HARD = re.compile(
    r"\b(?:never|must|always|do not|don't|don\u2019t|cannot|required?|mandatory|forbidden|prohibited|should|shall|"
    r"prefer|avoid|ensure|make sure)\b",
    re.I,
)

_TERM = re.compile(
    r"(?P<term>\*\*.+?\*\*|__.+?__|(?:`[^`]+`|\[(?:[^\[\]]|\[[^\]]*\])*\]\([^)]*\))"
    r"(?:\s*(?:,|/|\+|or|and|\||\u2192)\s*(?:`[^`]+`|\[[^\]]*\]\([^)]*\)))*)(?:\s*\([^)]*\))?"
    r"(?P<mark>\s+[-\u2013\u2014]+\s+|\s*:\s+|\s*\u2192\s*|\s+=\s+|$)"
)
_FILE_ROW = re.compile(r"(?:\*\*[^*]+\*\*|[\w &/-]+)?\W{0,4}`[^`\s]*[/.][^`\s]*`\s+[-\u2013\u2014]\s")
_COMMAND_ROW = re.compile(r"[A-Z][\w ./()&-]{1,50}:\s*(?:`[^`]+`[\s,;/|]*)+(?:\([^()]*\))?\W*$")
_NAME_ROW = re.compile(r"`[\w-]+`\s+[-\u2013\u2014]\s")
_LABEL = re.compile(r"(?:\*\*|__)?[A-Z][\w ./&'-]{0,38}(?:\([^)]*\))?(?:\*\*|__)?:(?:\*\*|__)?\s+")

_GENERIC = frozenset(
    (
        "overview|general|notes|note|important|rules|guidelines|introduction|intro|details|misc|miscellaneous|other"
        "|additional notes|important notes|key points|key rules|summary|basics|common|description|background|principles"
        "|core principles|best practices|the rules|core rules|general rules|general guidelines|instructions|conventions"
        "|critical|critical rules|mandatory|information|about|core|remember|reminders|do|rule"
    ).split("|")
)

_CONNECTIVE = re.compile(
    r"(?:additionally|furthermore|moreover|in addition|therefore|consequently|also|finally|lastly), (?=\w)", re.I
)


def opened(text: str) -> str:
    """*text* without the word that ties its beginning to what stood before it, such as "Additionally"."""
    cut = _CONNECTIVE.match(text)
    return f"{text[cut.end()].upper()}{text[cut.end() + 1 :]}" if cut else text


_STEPS = re.compile(
    r"\b(?:steps?|workflow|process|procedure|how to|add(?:ing)?|creat(?:e|ing)|set ?up|install\w*|releas\w+|deploy\w*|"
    r"migrat\w+|updat\w+|when|before|after|following|checklist|sequence|loop|flow|lifecycle|pipeline|order)\b",
    re.I,
)


def steps(text: str) -> bool:
    """A heading or lead of a procedure: what stands under it is done in its order."""
    return bool(_STEPS.search(text))


def sentences(text: str) -> list[str]:
    """*text* cut after the marks that end a sentence."""
    return re.split(r"(?<=[.!?])\s+", text)


def generic(heading: str) -> bool:
    """A heading that says nothing about its subject, such as "Rules" or "Important notes"."""
    return re.sub(r"[^\w ]|\d+|\bthe\b", "", heading.lower()).strip() in _GENERIC


def lead(headings: tuple[str, ...]) -> str:
    """The context that *headings* give: the nearest that has a subject, with its parent where it says little alone."""
    told = [heading for heading in headings if heading and not generic(heading)]
    if not told:
        return headings[-1] if headings else ""
    nearest = told[-1]
    parent = told[-2] if told[1:] else ""
    short = " " not in nearest or bool(_POOR.search(nearest))
    short = short and not negative(nearest) and not _akin(nearest, parent) and not _VAGUE.search(parent)
    if parent and (short or _STEP.match(nearest)) and len(parent) <= 60:
        return f"{parent}: {nearest}"
    return nearest


_POOR = re.compile(
    r"^(?:how it works|(?:\S+ )?(?:usage|features?|architecture|endpoints?|setup|components?|format|operations?"
    r"|examples?|configuration|requirements|behaviou?r|response|parameters|options|settings)|(?:published|subscribed|default|current"
    r"|required|available|normal|basic|quick|key|log) \S+)(?: \(.*)?$",
    re.I,
)
"""Headings of a few words that mean something only under another one."""
_VAGUE = re.compile(r"overview|notes|important|guidelines|requirements|reference|troubleshooting|quick start", re.I)
"""Headings that add nothing to what stands under them."""


def _akin(one: str, other: str) -> bool:
    """They share a word that says something, whatever its ending."""
    stems = {word.lower()[:5] for word in _WORD.findall(one) if len(word) > 3}
    return bool(stems & {word.lower()[:5] for word in _WORD.findall(other) if len(word) > 3})


def task(headings: tuple[str, ...], text: str) -> bool:
    """*text* is an order that holds for the task its heading names, and does not name that task itself."""
    return bool(headings and _TASK.match(headings[-1])) and orders(text) and not _akin(headings[-1], text)


def conditional(text: str) -> bool:
    """It says in a few words when or where what follows applies."""
    if len(text) > 60 or _ONWARD.search(text):
        return False
    return bool(_CONDITION.match(text) or (_PLACE.match(text) and not alone(text)))


def onward(text: str) -> bool:
    """It only points at what follows it."""
    return bool(_ONWARD.search(text))


def binding(headings: tuple[str, ...]) -> bool:
    """What stands under *headings* holds only there: a condition, a numbered step, a problem of a list of them."""
    if not headings:
        return False
    below = any(_TROUBLE.search(heading) for heading in headings[:-1])
    return below or stepped(headings) or conditional(headings[-1])


def stepped(headings: tuple[str, ...]) -> bool:
    """The nearest heading is a numbered step of what its parent tells."""
    return bool(headings and _STEP.match(headings[-1]))


def verbal(text: str) -> bool:
    """It has a verb."""
    return any(word.lower() in _VERBS for word in _WORD.findall(inline.prose(text)))


def subjectless(text: str) -> bool:
    """It begins with a verb whose subject stands before it, as "Runs all checks" does."""
    return bool(_SUBJECTLESS.match(text))


def negative(text: str) -> bool:
    """It turns what follows into its opposite, as the heading "Do not" does."""
    return bool(_NEGATIVE.match(text))


def denies(text: str) -> bool:
    """It begins by saying that something is not so or not to be done."""
    return bool(_DENIES.match(inline.prose(text)))


def back(text: str) -> bool:
    """It begins by pointing at what stands before it."""
    return bool(_BACK.match(text.lstrip("*_ ")))


def sample(text: str) -> bool:
    """It only announces an example of what stands before it."""
    return len(text) <= 60 and bool(_SAMPLE.match(text))


def term(text: str) -> bool:
    """An entry of a glossary: a name and what it is, no order."""
    found = _TERM.match(text)
    if _COMMAND_ROW.match(text):
        return True
    if found is None:
        return bool(text) and not _WORD.search(inline.prose(text))
    meaning = text[found.end() :]
    if found["term"].startswith(("**", "__")):
        return bool(found["mark"]) and not orders(meaning)
    return not _HARD.search(inline.prose(meaning))


def label(text: str) -> bool:
    """It begins with a short name and a colon."""
    return bool(_LABEL.match(text))


def demands(text: str) -> bool:
    """It holds a word such as must, never or always."""
    return bool(_HARD.search(inline.prose(text)))


def orders(text: str) -> bool:
    """It tells the reader what to do: a command form at its beginning, or a word such as must or never in it."""
    said = inline.prose(text)
    if _HARD.search(said):
        return True
    first = _WORD.search(said)
    word = first[0].lower() if first and not said[: first.start()].strip(" *_\"'(") else ""
    return word in _COMMANDS or (word in _VERBS and not word.endswith("s"))


def alone(text: str) -> bool:
    """Whether it is understood without the heading it stands under: enough words, and one that makes a sentence."""
    said = re.sub(r"\([^()]*\)", "", _ASIDE.sub("", inline.prose(text.partition("\n")[0])))
    if named := _LABEL.match(said):
        said = said[named.end() :]
    words = _WORD.findall(said)
    if (
        len(words) + inline.codes(said) < (2 if orders(said) else 3)
        or back(said)
        or subjectless(said)
        or _NAME_ROW.match(text)
    ):
        return False
    if len(words) > 3 and _FILE_ROW.match(text):
        return True
    return verbal(said) or _commands(said)


def _commands(said: str) -> bool:
    starts = [0, *(cut.end() for cut in _BREAK.finditer(said))]
    firsts = (_WORD.search(said, start) for start in starts)
    return any(word and word[0].lower() in _COMMANDS for word in firsts)
