"""Which characters a reader cannot see, and where each of them is honest writing.

An explicit table of code points, not a Unicode category: the answer must not
depend on the Unicode version of the Python that runs, and emoji, Persian or
Hindi need some of these characters. A code point without an entry here is
visible enough to be reviewed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

_NAMED = {
    0x00A0: "no-break space",
    0x00AD: "soft hyphen",
    0x034F: "combining grapheme joiner",
    0x061C: "Arabic letter mark",
    0x115F: "Hangul choseong filler",
    0x1160: "Hangul jungseong filler",
    0x180E: "Mongolian vowel separator",
    0x200B: "zero-width space",
    0x200C: "zero-width non-joiner",
    0x200D: "zero-width joiner",
    0x200E: "left-to-right mark",
    0x200F: "right-to-left mark",
    0x2028: "line separator",
    0x2029: "paragraph separator",
    0x202A: "left-to-right embedding",
    0x202B: "right-to-left embedding",
    0x202C: "pop directional formatting",
    0x202D: "left-to-right override",
    0x202E: "right-to-left override",
    0x2060: "word joiner",
    0x2066: "left-to-right isolate",
    0x2067: "right-to-left isolate",
    0x2068: "first strong isolate",
    0x2069: "pop directional isolate",
    0x2800: "blank braille pattern",
    0x3000: "ideographic space",
    0x3164: "Hangul filler",
    0xFEFF: "byte order mark",
    0xFFA0: "half-width Hangul filler",
    0xFFFC: "object replacement character",
}

# First, last, what the range holds. Names of single code points above go first.
_RANGES = (
    (0x0000, 0x0008, "control character"),
    (0x000B, 0x000C, "control character"),
    (0x000D, 0x000D, "carriage return"),
    (0x000E, 0x001F, "control character"),
    (0x007F, 0x009F, "control character"),
    (0x00A0, 0x00A0, "blank"),
    (0x00AD, 0x00AD, "format character"),
    (0x034F, 0x034F, "format character"),
    (0x061C, 0x061C, "format character"),
    (0x115F, 0x1160, "filler"),
    (0x1680, 0x1680, "blank"),
    (0x17B4, 0x17B5, "invisible vowel"),
    (0x180B, 0x180F, "Mongolian selector"),
    (0x2000, 0x200A, "blank"),
    (0x200B, 0x200F, "format character"),
    (0x2028, 0x202E, "format character"),
    (0x202F, 0x202F, "narrow no-break space"),
    (0x205F, 0x205F, "blank"),
    (0x2060, 0x206F, "invisible operator or deprecated format character"),
    (0x2800, 0x2800, "blank"),
    (0x3000, 0x3000, "blank"),
    (0x3164, 0x3164, "filler"),
    (0xD800, 0xDFFF, "lone surrogate"),
    (0xE000, 0xF8FF, "private use character"),
    (0xFDD0, 0xFDEF, "noncharacter"),
    (0xFE00, 0xFE0F, "variation selector"),
    (0xFEFF, 0xFEFF, "format character"),
    (0xFFA0, 0xFFA0, "filler"),
    (0xFFF0, 0xFFF8, "reserved format character"),
    (0xFFF9, 0xFFFB, "interlinear annotation"),
    (0xFFFC, 0xFFFC, "placeholder"),
    (0xFFFE, 0xFFFF, "noncharacter"),
    (0x13430, 0x1343F, "hieroglyph format control"),
    (0x16FE4, 0x16FE4, "filler"),
    (0x1BCA0, 0x1BCA3, "shorthand format control"),
    (0x1D159, 0x1D159, "invisible note head"),
    (0x1D173, 0x1D17A, "musical format control"),
    (0xE0000, 0xE00FF, "tag character"),
    (0xE0100, 0xE01EF, "variation selector"),
    (0xE01F0, 0xE0FFF, "reserved format character"),
    *((plane + 0xFFFE, plane + 0xFFFF, "noncharacter") for plane in range(0x10000, 0xF0000, 0x10000)),
    (0xF0000, 0x10FFFF, "private use character"),
)

# Contents of character classes. Letters and marks of the scripts that need joiners, selectors or special blanks.
_EMOJI = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25aa-\u25fe\u2600-\u27bf\u2934\u2935"
    "\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_RIGHT_TO_LEFT = "\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc"
_ARABIC = "\u0600-\u061b\u061d-\u08ff\ufb50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc"
_INDIC = "\u0900-\u0dff"
_VIRAMA = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca"
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17b3\u17b6-\u17ff\u1950-\u19df\u1a20-\u1aaf\ua9e0-\ua9ff\uaa60-\uaadf"
_MONGOLIAN = "\u1807\u1820-\u18aa"
_IDEOGRAPH = "\u2e80-\u2fff\u3005-\u3007\u3021-\u3029\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
_EAST_ASIAN = (
    "\u2e80-\u2fff\u3001-\u3163\u3165-\u9fff\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff9f\U00020000-\U0003fffd"
)
_ACCENTED = "\u00c0-\u024f\u0370-\u052f\u1e00-\u1fff"
_MARKS = "\u200e\u200f\u061c"
_FIXED_BLANKS = "\u00a0\u2007\u2009\u200a\u202f"

# Flags of England, Scotland and Wales: the only tag sequences recommended for interchange (Unicode emoji data, RGI).
_FLAGS = "|".join("".join(chr(0xE0000 + ord(letter)) for letter in region) for region in ("gbeng", "gbsct", "gbwls"))

# What may stand where it stands. Each alternative is tried at the hidden character itself.
_HONEST = (
    f"(?<=[{_EMOJI}])[\ufe0e\ufe0f]",
    "(?<=[0-9#*])\ufe0f(?=\u20e3)",
    f"(?:(?<=[{_EMOJI}])|(?<=[{_EMOJI}]\ufe0f))\u200d(?=[{_EMOJI}])",
    f"(?<=\U0001f3f4)(?:{_FLAGS})\U000e007f",
    f"(?<=[{_INDIC}])[\u200c\u200d](?=[{_INDIC}])",
    f"(?<=[{_VIRAMA}])[\u200c\u200d](?![\\w\u200b-\u200f])",
    f"(?<=[{_UNSPACED}])[\u200b-\u200d](?=[{_UNSPACED}])",
    f"(?<=[{_ARABIC}A-Za-z0-9`)\u00bb])\u200c(?=[{_ARABIC}])",
    f"(?<=[{_ARABIC}])\u200d(?![A-Za-z0-9])",
    f'(?:^|(?<=[ \n("]))\u200d(?=[{_ARABIC}])',
    f"(?<=[{_MONGOLIAN}])[\u180b-\u180f\u200c\u200d\u202f]",
    f"(?<=[{_MONGOLIAN}][\u180b-\u180d\u180f])\u180e(?=[{_MONGOLIAN}])",
    f"(?<=[{_IDEOGRAPH}\u3001\u3002\uff01-\uff60])[\ufe00-\ufe02]|(?<=[{_IDEOGRAPH}])[\U000e0100-\U000e011f]",
    "(?<=[\u1000-\u109f\u2200-\u22ff\u2a00-\u2aff\ua840-\ua877])\ufe00",
    f"(?<=[{_EAST_ASIAN}])\u3000|\u3000(?=\u3000{{0,3}}[{_EAST_ASIAN}])",
    f"[{_FIXED_BLANKS}](?=[0-9:;!?%\u00b0\u00bb\u203a\u2030\u20ac\u2013\u2014\u2026{_ACCENTED}{_EAST_ASIAN}])",
    f"(?<=[0-9.\u00a7\u00ab\u2039\u2116\u2013\u2014{_ACCENTED}{_EAST_ASIAN}])[{_FIXED_BLANKS}](?=\\S)",
    f"(?:(?<=^[A-Za-z])|(?<=[ \n(][A-Za-z]))[{_FIXED_BLANKS}](?=[A-Za-z{_ACCENTED}])",
)

_BLANK = r" \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000"
# A gap before nothing but the borders of a table or a drawing hides nothing.
_GAP = re.compile(
    rf"(?<![{_BLANK}])[{_BLANK}]{{11,}}+(?=[^\n]{{0,2000}}\w)"
    rf"|(?<![\n{_BLANK}])[{_BLANK}]*+(?:\n[{_BLANK}]*+){{12,}}+(?=\S)"
)
_TAB = 4
_MOST_COLUMNS = 40
_STACK = re.compile(r"[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{5,}")
_SELECTOR = re.compile(r"[\U000e0100-\U000e01ef]")
_MOST_SELECTORS = 8

# Foreign letters that pass for a Latin one (Unicode confusables, the common ones), and that one.
_TWINS = dict(
    zip(
        "\u0430\u0441\u0501\u0435\u04bb\u0456\u0458\u043e\u0440\u051b\u0455\u0443\u0445\u051d\u04cf"
        "\u0410\u0412\u0415\u0405\u0406\u0408\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425"
        "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
        "\u03b1\u03b9\u03bf\u03c1\u03c5\u0578\u0585\u057d",
        "acdehijopqsyxwlABESIJKMHOPCTYXABEZHIKMNOPTYXaiopunou",
        strict=True,
    )
)
_FULL_WIDTH = {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_FOLDED = str.maketrans({**_TWINS, **_FULL_WIDTH})
_FOREIGN = re.compile("[\u0370-\u058f]")
_FOLDABLE = re.compile("[\u0370-\u058f\uff01-\uff5e]")
_WORD = re.compile(r"[^\W\d_]{3,}")
_CYRILLIC_SHAPES = frozenset("aceopxyijs")


def hidden(text: str) -> Iterator[int]:
    """Offsets of the characters that a reader cannot see and that the writing around them does not need."""
    place = 0
    while found := _hidden().search(text, place):
        honest = _honest().match(text, found.start())
        if honest is None and not (text[found.start()] in _MARKS and _mark_is_due(text, found.start())):
            yield found.start()
        place = honest.end() if honest else found.end()


def gaps(text: str) -> Iterator[int]:
    """Offsets of runs of blanks, or of empty lines, that push the text behind them off the screen."""
    if "  " in text or "\t" in text or "\n\n" in text or "\n " in text or not text.isascii():
        for found in _GAP.finditer(text):
            if "\n" in found[0] or len(found[0].expandtabs(_TAB)) > _MOST_COLUMNS:
                yield found.start()


def piles(text: str) -> Iterator[tuple[int, str]]:
    """Offset and message where characters that are honest one by one are too many."""
    if text.isascii():
        return
    for found in _STACK.finditer(text):
        yield found.start(), f"{len(found[0])} combining marks on one letter"
    selectors = [found.start() for found in _SELECTOR.finditer(text)]
    if len(selectors) > _MOST_SELECTORS:
        yield selectors[0], f"{len(selectors)} variation selectors, enough to hide a message"


def name(character: str) -> str:
    """`U+202E right-to-left override`: never the character itself."""
    code = ord(character)
    kind = _NAMED.get(code) or next((label for first, last, label in _RANGES if first <= code <= last), "character")
    return f"U+{code:04X} {kind}"


def fold(text: str) -> str:
    """*text* with full-width and look-alike letters replaced by the Latin ones they pass for. Keeps its length."""
    return text.translate(_FOLDED) if _FOLDABLE.search(text) else text


def mixed(text: str) -> Iterator[int]:
    """Offsets of words in which letters of another script pass for Latin ones, or the other way round."""
    if _FOREIGN.search(text):
        yield from (found.start() for found in _WORD.finditer(text) if _is_mixed(found[0]))


def _is_mixed(word: str) -> bool:
    """Units, variables such as a Greek rho before `max`, and Latin words with a Russian ending fool nobody."""
    latin = [letter for letter in word if letter.isascii()]
    greek = [letter for letter in word if "\u0370" <= letter <= "\u03ff"]
    others = [letter for letter in word if "\u0400" <= letter <= "\u058f"]
    if not latin or not (greek or others):
        return False
    if all(letter in _TWINS for letter in greek + others):
        return bool(others) or len(word) > 4
    return len(others) > len(latin) and _CYRILLIC_SHAPES.issuperset(latin)


def _mark_is_due(text: str, place: int) -> bool:
    """Whether a direction mark stands at the edge of a word in a line that has right-to-left letters."""
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    doubled = before != "" and before in _MARKS
    inside_a_word = before.isascii() and before.isalnum() and after.isascii() and after.isalnum()
    line = text[text.rfind("\n", 0, place) + 1 :].partition("\n")[0]
    return not doubled and not inside_a_word and re.search(f"[{_RIGHT_TO_LEFT}]", line) is not None


@cache
def _hidden() -> re.Pattern[str]:
    return re.compile("[" + "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last, _ in _RANGES) + "]")


@cache
def _honest() -> re.Pattern[str]:
    return re.compile("|".join(_HONEST))
