"""The pictures of the README, made of a made-up shop: the report in light and dark, and a review in a terminal.

    .venv/bin/python docs/screenshots.py [FOLDER]

writes report-light.png, report-dark.png and review.png into docs/images, or into FOLDER. It needs a Chromium
(/usr/bin/chromium, or where CURATOR_CHROMIUM points) and what `pip install -e '.[dev]'` installs. The repository is
the same each time, down to its commits; what may differ between two machines is how Chromium draws letters.
"""

from __future__ import annotations

import fcntl
import hashlib
import html
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyte
import yaml
from playwright.sync_api import Page, sync_playwright

from curator.core import codec, keys, stale, webpage
from curator.edge import assets, workspace
from curator.model import Entry, Origin, Retired, Source
from curator.verbs import report

TODAY = "2026-11-30"
CHROMIUM = os.environ.get("CURATOR_CHROMIUM", "/usr/bin/chromium")
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--hide-scrollbars")
COLUMNS, LINES = 96, 40

# --- The shop -----------------------------------------------------------------------------------------------------

SHOP: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "shop.yaml").read_text(encoding="utf-8"))
BUDGETS = {
    "constraint": 180,
    "decision": 180,
    "convention": 110,
    "gotcha": 190,
    "dead-end": 60,
    "route": 90,
    "todo": 40,
}
TARGET = "# Shop\n\n<!-- AGENT_MEMORY_START -->\n<!-- AGENT_MEMORY_END -->\n"


def build(root: Path) -> None:
    """The shop's repository at *root*: code, memories of a year, code that moved on since, one proposal."""
    _git(root, "init", "--quiet", "--initial-branch=main")
    _write(root, SHOP["files"])
    _write(root, {one.path: codec.write(one) for one in (*_known(), *_ended())})
    budget = "".join(f"  {category}: {size}\n" for category, size in BUDGETS.items())
    _write(root, {"memories/curator.yaml": f"schema: 1\nbudget:\n{budget}", "CLAUDE.md": TARGET})
    _commit(root, "Learn from a year")
    _write(root, SHOP["later"])
    _commit(root, "Build the index under another name")
    _curator(root, "render")
    _commit(root, "Render the block")
    _write(root, dict([_proposal(**SHOP["waiting"])]))


def _known() -> Iterator[Entry]:
    for one in SHOP["known"]:
        text, category, day = one["text"], one["category"], f"2026-{one['day']}"
        entry = Entry(_name(text), category, f"{text}\n", why=one.get("why", ""), importance=one["importance"])
        due = "2026-10-31" if category == "convention" and one["importance"] == 4 else "2027-06-30"
        origin = _origin(text, day, one["by"])
        cites = one.get("cites", "")
        sources = (_source(text, cites),) if cites else ()
        yield replace(
            _placed(entry),
            tags=tuple(one["tags"]),
            sources=sources,
            review_by="" if cites else due,
            confirmed=day,
            origin=replace(origin, commit=_digits(day, 7), extractor="rules/1", confidence=0.8),
        )


def _ended() -> Iterator[Entry]:
    for one in SHOP["ended"]:
        text = one["text"]
        entry = Entry(_name(text), one["category"], f"{text}\n", origin=_origin(text, f"2026-{one['day']}", "user"))
        yield replace(_placed(entry), retired=Retired(f"2026-{one['ended']}", one["reason"]), review_by="2027-06-30")


def _proposal(text: str, quote: str) -> tuple[str, str]:
    """Path and text of what waits for review."""
    key = keys.key("default", text)
    origin = Origin("user", "claude-code", "5d0c77e1", "pre-compact", "f446dcf", f"{TODAY}T09:41:00Z", quote)
    entry = Entry(f"{codec.slug(text)}-{key[:6]}", "constraint", text, importance=6, tags=("local", "data"))
    said = replace(entry, origin=replace(origin, extractor="rules/1", confidence=0.71, key=key))
    return f".git/curator/inbox/{key}.yaml", codec.write(said)


def _origin(text: str, day: str, by: str) -> Origin:
    return Origin(by, "claude-code", _digits(text, 8), "stop", created=f"{day}T10:20:00Z")


def _source(text: str, cites: str) -> Source:
    """What the entry keeps of a cited `path#symbol`."""
    path, _, symbol = cites.partition("#")
    code = SHOP["files"][path]
    return stale.stamped(text, Source(path, symbol), code, _blob(code))


def _placed(entry: Entry) -> Entry:
    return replace(entry, path=codec.path_of(entry.id, entry.category, ""))


def _name(text: str) -> str:
    return f"{codec.slug(text)}-{_digits(text, 6)}"


def _digits(text: str, number: int) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:number]


def _blob(text: str) -> str:
    data = text.encode()
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def _write(root: Path, files: Mapping[str, str | None]) -> None:
    for path, text in files.items():
        file = root / path
        if text is None:
            file.unlink()
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")


def _commit(root: Path, message: str) -> None:
    _git(root, "add", "--all")
    _git(root, "commit", "--quiet", "--message", message)


def _git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=root, check=True, env=environment(), capture_output=True)


def _curator(root: Path, *arguments: str) -> None:
    command = [sys.executable, "-m", "curator", *arguments]
    subprocess.run(command, cwd=root, check=True, env=environment(), capture_output=True)


def environment() -> dict[str, str]:
    """A person's shell with no settings of this machine."""
    person = {"NAME": "Ada", "EMAIL": "ada@example.org", "DATE": f"{TODAY}T09:00:00Z"}
    signed = {f"GIT_{who}_{what}": told for who in ("AUTHOR", "COMMITTER") for what, told in person.items()}
    git = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "HOME": os.devnull}
    return {"PATH": os.environ["PATH"], "TZ": "UTC", "LANG": "C.UTF-8", "TERM": "xterm-256color", **git, **signed}


# --- The report ---------------------------------------------------------------------------------------------------


def page_of(root: Path) -> str:
    """The report on the shop, whatever day it is."""
    told = report.run(workspace.open_at(str(root)), as_of=TODAY, title="shop")
    return webpage.write(told, webpage.Parts(*map(assets.text, assets.REPORT)))


def shoot_report(page: Page, file: Path, to: Path) -> None:
    """The top of the page in light, a search with one memory open in dark."""
    page.emulate_media(color_scheme="light")
    page.goto(file.as_uri())
    page.screenshot(path=to / "report-light.png")
    page.emulate_media(color_scheme="dark")
    page.goto(file.as_uri() + "#q=checkout")
    page.locator("details.entry", has_text="Spanish VAT rounds per line").locator("summary").click()
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur(); document.getElementById('memories-title').scrollIntoView()")
    page.screenshot(path=to / "report-dark.png")


# --- The review ---------------------------------------------------------------------------------------------------


@contextmanager
def reviewing(root: Path) -> Iterator[int]:
    """`curator review` in a terminal of its own; gives the handle to read and type."""
    handle, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    command = [sys.executable, "-m", "curator", "review"]
    process = subprocess.Popen(
        command, cwd=root, env=environment(), stdin=other, stdout=other, stderr=other, start_new_session=True
    )
    os.close(other)
    try:
        yield handle
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(handle)


def screen_of(root: Path) -> pyte.Screen:
    """What stands on the terminal when the first proposal is shown."""
    screen = pyte.Screen(COLUMNS, LINES)
    stream = pyte.ByteStream(screen)
    with reviewing(root) as handle:
        until = time.monotonic() + 30
        while "[q]uit" not in "\n".join(screen.display) and time.monotonic() < until:
            if select.select([handle], [], [], 0.2)[0]:
                stream.feed(os.read(handle, 65536))
    return screen


STYLE = """
body { margin: 0; padding: 28px; background: #e9e6df; width: fit-content; }
main { background: #1b1d1f; color: #dcd9d2; border-radius: 10px; padding: 20px 26px 22px; }
main { box-shadow: 0 6px 24px #0003; }
h1 { margin: -6px 0 14px; font: 12px Arial, sans-serif; text-align: center; color: #96928a; }
pre { margin: 0; font: 15px/1.45 "DejaVu Sans Mono", Menlo, Consolas, monospace; }
.cyan { color: #8ad4cb } .yellow, .brown { color: #e6bd72 } .red { color: #f29a8e } .green { color: #9fd08c }
.bold { font-weight: bold; color: #fff }
"""


def terminal_page(screen: pyte.Screen) -> str:
    """The screen as HTML."""
    columns = range(screen.columns)
    rows = ["".join(_cell(screen.buffer[line][at]) for at in columns).rstrip() for line in range(screen.lines)]
    while rows and not rows[-1]:
        rows.pop()
    head = f"<!doctype html><meta charset=utf-8><style>{STYLE}</style>"
    return f"{head}<main><h1>curator review</h1><pre>{chr(10).join(rows)}</pre></main>"


def _cell(cell: pyte.screens.Char) -> str:
    text = html.escape(cell.data)
    names = " ".join([*([cell.fg] if cell.fg != "default" else []), *(["bold"] if cell.bold else [])])
    return f'<span class="{names}">{text}</span>' if names and cell.data.strip() else text


def shoot_review(page: Page, screen: pyte.Screen, to: Path) -> None:
    page.set_content(terminal_page(screen))
    page.locator("body").screenshot(path=to / "review.png")


def main(folder: str = "") -> None:
    """Build the shop, open it, take the pictures."""
    to = Path(folder) if folder else Path(__file__).parent / "images"
    to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="shop-") as scratch, sync_playwright() as play:
        root, file = Path(scratch) / "shop", Path(scratch) / "report.html"
        root.mkdir()
        build(root)
        file.write_text(page_of(root), encoding="utf-8")
        browser = play.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1200, "height": 960}, reduced_motion="reduce")
        shoot_report(page, file, to)
        shoot_review(browser.new_page(), screen_of(root), to)
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
