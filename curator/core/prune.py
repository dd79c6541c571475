"""Taking imported statements out of a hand-written file: their lines, and what stands over nothing without them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from curator.core import inline, markdown, phrase, rules
from curator.core.markdown import Block, Kind
from curator.core.rules import Region
from curator.outcome import Statement

_NAME_LEVEL = 7


def remove(text: str, statements: Iterable[Statement], where: str = "CLAUDE.md") -> str:
    """*text* without the lines of *statements*, which `rules.statements` found in it.

    What led to nothing but them goes too: headings, lead-ins, the head of a table, a rule between two sections of
    which one is gone. Blank lines are never more than there were. Every other byte stays; a second time changes
    nothing. A statement is found by its words and headings, so lines may have moved, and its twin goes with it.
    CuratorError when the markers of the memory block are broken.
    """
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    lines = text.removeprefix("\ufeff").split("\n")
    blocks = markdown.parse(text)
    gone = _asked(rules.statements(text, where), tuple(statements))
    if not gone:
        return text
    gone |= _leads(blocks, gone)
    regions = rules.regions(text, where)
    gone |= _headings(blocks, gone, regions)
    gone |= _rules(blocks, gone, lines)
    return mark + "\n".join(_kept(lines, gone))


def _asked(found: Sequence[Statement], asked: Sequence[Statement]) -> set[int]:
    """The lines of all statements that read as one of those asked for, under the same headings."""
    wanted = {(one.text, one.headings) for one in asked}
    same = (one for one in found if not one.kept and (one.text, one.headings) in wanted)
    return {line for one in same for line in range(one.first, one.last + 1)}


def _all_gone(one: Block, gone: set[int]) -> bool:
    """Whether every line of a block that holds something is gone."""
    if one.children:
        return all(_all_gone(child, gone) for child in one.children)
    return all(line in gone for line in range(one.first, one.last + 1))


def _any_gone(one: Block, gone: set[int]) -> bool:
    return any(line in gone for line in range(one.first, one.last + 1))


def _span(one: Block) -> set[int]:
    return set(range(one.first, one.last + 1))


def _leads(blocks: Sequence[Block], gone: set[int]) -> set[int]:
    """The lines that led to what is gone, at any depth: lead-ins before lists and code, the head of a table."""
    more: set[int] = set()
    for one, after in markdown.followed(blocks):
        if one.kind is Kind.TABLE and all(line in gone for line in range(one.first + 2, one.last + 1)):
            more |= _span(one) if one.last > one.first + 1 else set()
        if one.children:
            more |= _leads(one.children, gone)
        if one.kind is Kind.QUOTE and _all_gone(one, gone | more):
            more |= _span(one)
        if after is None or after.kind not in (Kind.LIST, Kind.TABLE, Kind.FENCE, Kind.CODE):
            continue
        spent = gone | _leads((after,), gone)
        if one.kind is Kind.PARAGRAPH and _only_leads(one) and _any_gone(after, gone) and _all_gone(after, spent):
            more |= _span(one)
    return more


def _only_leads(one: Block) -> bool:
    """A paragraph that is one sentence to its colon, or a name in bold."""
    text = inline.flow(one.text)
    sentences = phrase.sentences(text)
    return rules.is_name(one) or (text.rstrip("*_").endswith(":") and len(sentences) == 1)


def _headings(blocks: Sequence[Block], gone: set[int], regions: Sequence[Region]) -> set[int]:
    """The headings that have nothing left below them, but had something."""
    more: set[int] = set()
    for index in range(len(blocks) - 1, -1, -1):
        level = _level(blocks[index])
        if level is None:
            continue
        below = _below(blocks, index, level, regions)
        lost = any(_any_gone(one, gone | more) for one in below)
        if lost and all(_all_gone(one, gone | more) for one in below if one.kind is not Kind.RULE):
            more |= _span(blocks[index])
    return more


def _level(one: Block) -> int | None:
    if one.kind is Kind.HEADING:
        return one.level
    return _NAME_LEVEL if rules.is_name(one) else None


def _below(blocks: Sequence[Block], index: int, level: int, regions: Sequence[Region]) -> list[Block]:
    """What a heading stands over. The memory block is put where there is room: only a page's title is its own."""
    below: list[Block] = []
    for one in blocks[index + 1 :]:
        kept = any(region.holds(one) for region in regions)
        if kept and level > 1:
            continue
        if not kept and (_level(one) or 99) <= level:
            break
        below.append(one)
    return below


def _rules(blocks: Sequence[Block], gone: set[int], lines: Sequence[str]) -> set[int]:
    """The thematic breaks that part nothing any more: first or last on the page, or right after another one."""
    stay: list[Block] = []
    for one in (one for one in blocks if not _all_gone(one, gone)):
        start = stay[-1].last + 1 if stay else 1
        follows = not stay or stay[-1].kind is Kind.RULE
        if not (one.kind is Kind.RULE and follows and any(line in gone for line in range(start, one.first))):
            stay.append(one)
    ends = bool(stay) and stay[-1].kind is Kind.RULE
    if ends and any(line in gone for line in range(stay[-1].last + 1, len(lines) + 1)):
        stay.pop()
    return {one.first for one in blocks if one.kind is Kind.RULE and one not in stay}


def _kept(lines: Sequence[str], gone: set[int]) -> list[str]:
    """The lines that stay. Where some went, the longer of the two runs of blank lines around them stays."""
    out: list[str] = []
    here = 0
    while here < len(lines):
        end = here
        while end < len(lines) and (end + 1 in gone or not lines[end].strip(" \t\r")):
            end += 1
        if any(line + 1 in gone for line in range(here, end)):
            out.extend(_blanks(lines, gone, here, end))
        else:
            out.extend(lines[here:end])
        if end < len(lines):
            out.append(lines[end])
        here = end + 1
    return out


def _blanks(lines: Sequence[str], gone: set[int], start: int, end: int) -> Sequence[str]:
    """Of the blank lines of a gap, one of its runs: the last at the end of the file, none at its beginning."""
    runs: list[list[str]] = [[]]
    for index in range(start, end):
        if index + 1 in gone:
            runs.append([])
        else:
            runs[-1].append(lines[index])
    if end == len(lines):
        return runs[-1]
    if start == 0:
        return []
    around = max(runs[0], runs[-1], key=len)
    return around or max(runs, key=len)[:1]
