"""The verdict on each source of an entry, from git's facts and the texts behind them."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest

from curator.edge import code, places, plumbing, store
from curator.model import Entry, Source, State
from tests.citing import RULE, TAX, cite, entry, report, stamped, states, taxed
from tests.conftest import FIXED, Repo

FILLER = "".join(f"line_{number} = {number}\n" for number in range(60))


def clone(repo: Repo, *options: str) -> Repo:
    there = Repo(repo.root.parent / "clone")
    repo.git("clone", "-q", *options, f"file://{repo.root}", str(there.root))
    return there


def run(repo: Repo, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """The real command in a process of its own; *more* are variables, "" takes one away."""
    settings = {**os.environ, **FIXED, **more}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "curator", *arguments],
        cwd=repo.root,
        env={name: value for name, value in settings.items() if value or name in FIXED},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "Traceback" not in done.stderr
    return done


def verdicts(repo: Repo, *entries: Entry) -> list[State]:
    files = plumbing.index(repo.workspace).code
    judged = code.judge(repo.workspace, None, files, entries).judged
    assert [one.entry for one in judged] == list(entries)
    return [one.state for one in judged]


def test_entries_come_back_in_their_order_with_one_verdict_for_each_source(base: Repo) -> None:
    base.write("a.py", TAX)
    base.write("b.py", "LIMIT_X = 1\n")
    base.add()
    first = stamped(base, "z", RULE, "a.py", "b.py")
    second = stamped(base, "y", "`LIMIT_X` bounds it.", "b.py")
    third = stamped(base, "x", "No source.")
    base.write("b.py", "x = 1\n")
    base.add()
    assert verdicts(base, first, second, third) == [State.UNKNOWN, State.STALE, State.UNKNOWN]


def test_what_is_fresh_reads_no_text(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    base.write("a.py", TAX)
    base.add()
    one = stamped(base, "one", RULE, "a.py")

    def refuse(*_: object) -> dict[str, str]:
        raise AssertionError("a text was read")

    monkeypatch.setattr(places, "texts", refuse)
    assert verdicts(base, one) == [State.FRESH]


def test_a_verdict_is_learned_once_and_follows_what_it_came_from(base: Repo) -> None:
    taxed(base, TAX + FILLER)
    base.write("shop/tax.py", f"import math\n{TAX}{FILLER}")
    base.commit()
    here = base.workspace
    held = store.load(here)
    files = plumbing.index(here).code
    first = code.judge(here, None, files, held.entries)
    assert len(first.learned) == 1
    base.curator("check")
    again = store.reading(here, lambda cache: code.judge(here, cache, files, held.entries))
    assert again.learned == {}
    assert again.judged == first.judged
    path = "memories/convention/vat.yaml"
    base.write(path, base.read(path).replace("round_vat", "round_tax"))
    base.add()
    assert states(base)["vat"] == "stale"


def test_the_cache_does_not_remember_a_namesake_that_is_gone(base: Repo) -> None:
    base.write("old/x.py", TAX + FILLER)
    cite(base, "vat", RULE, "old/x.py")
    base.commit()
    base.git("rm", "-q", "old/x.py")
    base.write("b/x.py", "def round_vat(amount):\n    return amount\n")
    base.commit()
    assert states(base)["vat"] == "moved"
    base.git("rm", "-q", "b/x.py")
    base.commit()
    assert states(base)["vat"] == "stale"
    base.git("revert", "--no-edit", "HEAD")
    assert states(base)["vat"] == "moved"


def test_a_move_is_followed_on_after_it_was_learned(base: Repo) -> None:
    taxed(base, TAX + FILLER)
    for number, (old, new) in enumerate((("shop/tax.py", "shop/b.py"), ("shop/b.py", "shop/c.py"))):
        base.git("mv", old, new)
        base.write(new, TAX + FILLER + "#\n" * (number + 1))
        base.commit()
        assert states(base)["vat"] == "moved"
        assert f"shop/tax.py moved to {new}" in base.curator("check").stderr


def test_a_file_that_moved_and_cannot_be_read_has_moved_all_the_same(base: Repo) -> None:
    base.write("a/model.bin", b"\0" * 4000 + b"x" * 4000)
    cite(base, "bin", "The `weights` are pinned.", "a/model.bin")
    base.commit()
    base.git("mv", "a/model.bin", "a/net.bin")
    base.write("a/net.bin", b"\0" * 4000 + b"x" * 3990 + b"y" * 10)
    base.commit()
    assert states(base)["bin"] in {"moved", "unknown"}


def test_a_partial_clone_offline_answers_for_gone_and_moved_files_too(
    base: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    taxed(base, TAX + FILLER)
    base.write("b.py", "LIMIT_X = 1\n" + FILLER)
    cite(base, "limit", "`LIMIT_X` bounds it.", "b.py")
    base.commit()
    base.git("mv", "b.py", "c.py")
    base.write("c.py", "LIMIT_X = 1\n" + FILLER + "#\n")
    base.git("rm", "-q", "shop/tax.py")
    base.commit()
    base.git("config", "uploadpack.allowFilter", "true")
    there = clone(base, "--filter=blob:none")
    base.root.rename(base.root.parent / "away")
    monkeypatch.chdir(there.root)
    assert states(there) == {"a": "unknown", "vat": "unknown", "limit": "unknown"}
    for arguments in (
        ("check",),
        ("check", "--since", "HEAD~1"),
        ("check", "--staged"),
        ("recall", "VAT"),
        ("render",),
        ("refresh",),
        ("confirm", "vat", "--yes"),
        ("audit",),
    ):
        ran = there.curator(*arguments)
        assert ran.exit_code in {0, 1}, (arguments, ran.output)


def test_a_partial_clone_offline_finds_a_staged_break(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    taxed(base, TAX + FILLER)
    base.write("shop/tax.py", f"import math\n{TAX}{FILLER}")
    base.commit()
    base.git("config", "uploadpack.allowFilter", "true")
    there = clone(base, "--filter=blob:none")
    base.root.rename(base.root.parent / "away")
    monkeypatch.chdir(there.root)
    there.write("shop/tax.py", FILLER)
    there.add()
    ran = there.curator("check", "--staged")
    assert ran.exit_code == 1, ran.output
    assert "`round_vat` is gone from shop/tax.py" in ran.stderr
    assert there.curator("check").exit_code == 1


def test_missing_objects_are_unknown_and_no_error(base: Repo) -> None:
    taxed(base, TAX + FILLER)
    base.write("shop/tax.py", FILLER)
    base.commit()
    old = entry(base, "memories/convention/vat.yaml").sources[0].blob
    new = base.git("rev-parse", ":shop/tax.py").strip()
    for blob in (old, new):
        (base.root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    assert states(base)["vat"] == "unknown"
    assert base.curator("check", "--since", "HEAD~1").exit_code in {0, 1}
    assert base.curator("confirm", "vat", "--yes").exit_code in {0, 2}


def test_a_blob_id_that_names_a_tree_or_commit_is_only_another_id(base: Repo) -> None:
    taxed(base, TAX + FILLER)
    path = "memories/convention/vat.yaml"
    blob = entry(base, path).sources[0].blob
    for name in ("HEAD", "HEAD^{tree}"):
        base.write(path, base.read(path).replace(blob, base.git("rev-parse", name).strip()))
        base.add()
        blob = entry(base, path).sources[0].blob
        assert states(base)["vat"] == "auto"
    base.write("shop/tax.py", FILLER)
    base.add()
    assert base.curator("check").exit_code == 1
    assert base.curator("check", "--staged").exit_code in {0, 1}


@pytest.mark.parametrize(
    "path", ["shop", "shop/", ".", "shop/../shop/tax.py", "./shop/tax.py", "SHOP/TAX.PY", "nowhere"]
)
def test_a_path_that_is_no_tracked_file_is_refused_or_gone_and_never_fresh(base: Repo, path: str) -> None:
    taxed(base, TAX + FILLER)
    cite(base, "odd", RULE, Source(path, blob="1" * 40))
    base.commit()
    ran = base.curator("check")
    assert ran.exit_code == 1
    assert "odd.yaml" in ran.stderr
    assert states(base).get("odd") in {None, "stale"}


def test_a_folder_that_takes_the_place_of_a_file_is_told_as_gone(base: Repo) -> None:
    taxed(base, TAX + FILLER)
    base.git("rm", "-q", "shop/tax.py")
    base.write("shop/tax.py/__init__.py", "x = 1\n")
    base.commit()
    assert states(base)["vat"] == "stale"
    assert base.curator("check", "--since", "HEAD~1").exit_code == 1


def test_a_module_that_becomes_a_package_has_moved(base: Repo) -> None:
    taxed(base, TAX + FILLER)
    (base.root / "shop/tax").mkdir()
    base.git("mv", "shop/tax.py", "shop/tax/__init__.py")
    assert states(base)["vat"] == "moved"
    base.commit()
    base.write("n", "1\n")
    base.commit()
    assert states(base)["vat"] == "moved"


def test_looking_works_beside_a_lock(base: Repo) -> None:
    taxed(base, TAX + FILLER)
    base.write("shop/tax.py", FILLER)
    base.add()
    (base.root / ".git/index.lock").touch()
    for arguments in (("check",), ("check", "--staged"), ("check", "--since", "HEAD"), ("recall", "VAT")):
        assert base.curator(*arguments).exit_code in {0, 1}, arguments
    (base.root / ".git/index.lock").unlink()


def test_a_lock_that_stays_makes_confirm_say_so(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    taxed(base, TAX + FILLER)
    base.write("shop/tax.py", f"import math\n{TAX}{FILLER}")
    base.add()
    monkeypatch.setattr(plumbing, "LOCK_WAIT", 0.1)
    (base.root / ".git/index.lock").touch()
    for arguments in (("confirm", "vat", "--yes"), ("refresh",)):
        ran = base.curator(*arguments)
        assert ran.exit_code in {0, 2}, ran.output
        assert "Traceback" not in ran.output
    (base.root / ".git/index.lock").unlink()
    base.git("checkout", "-q", "HEAD", "--", "memories")
    assert base.curator("refresh").exit_code == 0


@pytest.mark.parametrize("arguments", [("check",), ("check", "--staged"), ("refresh",), ("confirm", "vat", "--yes")])
def test_without_git_on_path_one_line_says_so(base: Repo, arguments: tuple[str, ...]) -> None:
    taxed(base, TAX + FILLER)
    base.write("shop/tax.py", FILLER)
    base.add()
    done = run(base, *arguments, PATH="/nowhere")
    assert done.returncode == 2
    assert "git is not on PATH" in done.stderr


@pytest.mark.parametrize("settings", [{"LANG": "C", "LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "POSIX"}])
def test_in_a_plain_locale_foreign_names_and_texts_are_told(base: Repo, settings: dict[str, str]) -> None:
    base.write("日本/税é.py", TAX + FILLER)
    cite(base, "intl", "税は `round_vat` で行ごとに丸める。", "日本/税é.py")
    base.commit()
    base.write("日本/税é.py", FILLER + "# é\n")
    base.add()
    for arguments in (("check",), ("check", "--staged"), ("check", "--json"), ("refresh", "--dry-run")):
        done = run(base, *arguments, **settings)
        assert done.returncode in {0, 1}, done.stderr
    assert run(base, "check", "--staged", **settings).returncode == 1
    done = run(base, "confirm", "intl", "--yes", **settings)
    assert done.returncode == 0, done.stderr
    assert states(base)["intl"] == "fresh"


def test_two_at_once_hurt_nobody(base: Repo) -> None:
    for number in range(6):
        base.write(f"m{number}.py", f"NAME_{number} = 1\n")
        cite(base, f"m{number}", f"About `NAME_{number}`.", f"m{number}.py")
    base.commit()
    for number in range(6):
        base.write(f"m{number}.py", f"import math\nNAME_{number} = 1\n")
    base.add()
    commands = [("confirm", f"m{number}", "--yes") for number in range(4)] + [("refresh", "m4", "m5"), ("check",)]
    with ThreadPoolExecutor(6) as pool:
        done = list(pool.map(lambda arguments: run(base, *arguments), commands))
    assert [one.returncode for one in done] == [0] * 6, [one.stderr for one in done]
    assert {states(base)[f"m{number}"] for number in range(6)} == {"fresh"}


def test_many_empty_files_and_one_that_is_gone(base: Repo) -> None:
    for number in range(2000):
        base.write(f"pkg{number}/__init__.py", "")
    cite(base, "pkg", "The package is `pkg7`.", "pkg7/__init__.py")
    base.commit()
    base.git("rm", "-q", "pkg7/__init__.py")
    base.commit()
    assert states(base)["pkg"] == "stale"
    assert base.curator("check", "--since", "HEAD~1").exit_code == 1


def test_an_entry_whose_text_is_long_and_cites_twelve_changed_files_is_judged_in_time(base: Repo) -> None:
    words = " ".join(f"`name_{number}`" for number in range(90))
    paths = [f"m{number}.py" for number in range(12)]
    for path in paths:
        base.write(path, "".join(f"name_{number} = {number}\n" * 30 for number in range(90)))
    cite(base, "long", words, *paths)
    base.commit()
    for path in paths:
        base.write(path, "".join(f"name_{number} = {number + 1}\n" * 30 for number in range(89)))
    base.add()
    found = report(base)["entries"]
    assert next(one for one in found if one["id"] == "long")["state"] in {"stale", "review"}


def test_judging_as_trusted_ref_follows_that_ref_and_not_the_index(base: Repo) -> None:
    taxed(base, TAX + FILLER)
    base.git("config", "curator.trust", "HEAD")
    base.write("shop/tax.py", FILLER)
    base.add()
    here = base.workspace
    held = store.load(here)
    judged = code.judged(here, held.config, held.entries)
    assert {one.entry.id: one.state for one in judged}["vat"] is State.FRESH


def test_an_abbreviated_blob_that_fits_several_objects_is_no_error(base: Repo) -> None:
    for number in range(600):
        base.write(f"n/{number}", f"{number}\n")
    taxed(base, TAX + FILLER)
    names = sorted(line.split(" ")[1] for line in base.git("ls-files", "-s").splitlines())
    short = next(one[:4] for one, other in pairwise(names) if one[:4] == other[:4])
    path = "memories/convention/vat.yaml"
    base.write(path, base.read(path).replace(entry(base, path).sources[0].blob, f"'{short}'"))
    base.add()
    assert states(base)["vat"] == "auto"
    base.write("shop/tax.py", FILLER)
    base.add()
    assert base.curator("check").exit_code == 1
    assert base.curator("confirm", "vat", "--yes").exit_code == 0


def test_an_object_that_is_damaged_ends_in_one_line(base: Repo) -> None:
    taxed(base, TAX + FILLER)
    base.write("shop/tax.py", FILLER)
    base.commit()
    blob = base.git("rev-parse", ":shop/tax.py").strip()
    damaged = base.root / ".git/objects" / blob[:2] / blob[2:]
    damaged.chmod(0o644)
    damaged.write_bytes(b"garbage")
    for arguments in (("check",), ("check", "--since", "HEAD~1"), ("recall", "VAT"), ("render",), ("refresh",)):
        ran = base.curator(*arguments)
        assert ran.exit_code in {0, 1, 2}, arguments
        assert "Traceback" not in ran.output


def test_a_partial_clone_that_holds_hardly_a_file_still_tells_what_is_stale(
    base: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(600):
        base.write(f"n/{number}.py", f"x = {number}\n")
    taxed(base, TAX + FILLER)
    base.git("config", "uploadpack.allowFilter", "true")
    there = clone(base, "--filter=blob:none", "--no-checkout")
    there.git("reset", "-q")
    for name in ("memories/convention/vat.yaml", "memories/convention/a.yaml", "CLAUDE.md"):
        there.git("checkout", "-q", "--", name)
    base.root.rename(base.root.parent / "away")
    monkeypatch.chdir(there.root)
    there.write("shop/tax.py", FILLER)
    there.git("add", "shop/tax.py")
    for arguments in (("check",), ("check", "--staged")):
        ran = there.curator(*arguments)
        assert ran.exit_code == 1, ran.output
        assert "`round_vat` is gone from shop/tax.py" in ran.stderr
