"""curator.yaml: defaults for everything, and a name for everything that is wrong."""

from __future__ import annotations

import pytest

from curator.core import settings
from curator.errors import CuratorError
from curator.model import CATEGORIES, Budget, Capture, Config, Recall, Target

WHERE = "memories/curator.yaml"


def read(text: str) -> Config:
    return settings.read(text.encode())


def refused(text: str) -> CuratorError:
    with pytest.raises(CuratorError) as caught:
        read(text)
    return caught.value


@pytest.mark.parametrize("data", [None, b"", b"\n", b"# nothing yet\n", b"---\n", b"schema: 1\n", b"\xef\xbb\xbf"])
def test_every_key_has_a_default(data: bytes | None) -> None:
    assert settings.read(data) == Config()


def test_the_file_that_init_writes_holds_the_defaults() -> None:
    text = settings.initial(["CLAUDE.md"], team=False)
    assert read(text) == Config()
    assert text.endswith("}\n")


@pytest.mark.parametrize("targets", [[], ["AGENTS.md"], ["a/CLAUDE.md", "no", "it's #1.md"]])
def test_the_first_file_reads_back_as_it_was_asked_for(targets: list[str]) -> None:
    config = read(settings.initial(targets, team=True))
    assert config == Config()._replace(targets=tuple(map(Target, targets)), block="main")


def test_the_first_file_explains_its_keys() -> None:
    lines = settings.initial(["CLAUDE.md"], team=False).split("\n")
    assert "block: here                   # here: committed with its entries; main: rendered after the merge" in lines
    assert all(len(line) <= 120 for line in lines)


def test_every_key_is_read() -> None:
    config = read(
        """\
namespace: shop
targets:
  - path: CLAUDE.md
  - path: services/billing/CLAUDE.md
    scope: services/billing/
    budget: {gotcha: 150, todo: 50}
block: main
preamble: no
budget:
  todo: 10
  gotcha: 0
half_life_days:
  gotcha: 60
trust: origin/main
capture:
  sensitivity: off
  quotes: drop
  gate: block
  gate_lookup: yes
recall:
  limit: 8
  tokens: 0
  min_confidence: 0.5
  weights: {words: 2, paths: 0}
"""
    )
    assert config == Config(
        namespace="shop",
        targets=(
            Target("CLAUDE.md"),
            Target("services/billing/CLAUDE.md", "services/billing/", (Budget("gotcha", 150), Budget("todo", 50))),
        ),
        block="main",
        preamble=False,
        budgets=(Budget("todo", 10), Budget("gotcha", 0)),
        half_lives={"todo": 30, "gotcha": 60},
        trust="origin/main",
        capture=Capture("off", "drop", "block", True),
        recall=Recall(8, 0, 0.5, 2.0, 0.2, 0.0),
    )
    assert config.categories == ("todo", "gotcha")


def test_one_key_of_a_group_leaves_the_others_at_their_defaults() -> None:
    assert read("capture: {gate: off, quotes: drop}\n").capture == Capture(quotes="drop")
    assert read("recall: {weights: {grams: 0.5}}\n").recall == Recall(grams=0.5)
    assert read("half_life_days: {gotcha: 60}\n").half_lives == {"todo": 30, "gotcha": 60}


def test_a_budget_names_the_categories_anew() -> None:
    assert read("budget: {style: 100}\n").budgets == (Budget("style", 100),)
    assert refused("budget: {style: 100}\nhalf_life_days: {gotcha: 3}\n").where == f"{WHERE}:2"


def test_cl_03_a_wrong_type_and_a_misspelt_key_are_both_named_with_line_and_what_is_due() -> None:
    error = refused("schema: 1\nbudget:\n  categories:\n    convention: lots\nunknwon: 1\n")
    assert error.where == f"{WHERE}:4"
    first, second = error.message.split("\n")
    assert first == "`budget.categories` must be a whole number from 0 to 1,000,000, not a mapping"
    assert second.startswith(f"{WHERE}:5: unknown key 'unknwon'")


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("recal: {}\n", "unknown key 'recal'", "did you mean `recall`?"),
        ("recall: {weigths: {}}\n", "unknown key 'recall.weigths'", "did you mean `weights`?"),
        (
            "capture: {sensitivity: nrmal}\n",
            "must be quiet, normal, keen or off, not 'nrmal'",
            "did you mean `normal`?",
        ),
        ("half_life_days: {gotca: 3}\n", "names 'gotca', which is no category", "did you mean `gotcha`?"),
        ("targets: [{path: a, budget: {gotca: 3}}]\n", "`targets.budget` names 'gotca'", "did you mean `gotcha`?"),
        ("targets: [{scope: a}]\n", "`targets.path` is missing", "add `path:`"),
        ("targets: CLAUDE.md\n", "must be a list, not 'CLAUDE.md'", "one item a line"),
        ("targets: [{path: a}, {path: a}]\n", "names 'a' twice", "keep one"),
        ("block: there\n", "`block` must be here or main, not 'there'", "did you mean `here`?"),
        ("preamble: maybe\n", "must be true or false", ""),
        ("preamble: 'true'\n", "must be true or false", ""),
        ("budget: {}\n", "names no category", "name one"),
        ("budget:\n", "must be a mapping of categories, not nothing", "convention: 400"),
        ("budget: {gotcha: -1}\n", "`budget.gotcha` must be a whole number from 0", ""),
        ("budget: {Gotcha: 1}\n", "unknown key 'budget.Gotcha'", ""),
        ("budget: {../x: 1}\n", "unknown key 'budget.../x'", ""),
        ("half_life_days: {todo: 0}\n", "from 1 to", ""),
        ("recall: {limit: 0}\n", "from 1 to 100", ""),
        ("recall: {min_confidence: 2}\n", "from 0 to 1", ""),
        ("recall: {weights: {words: .nan}}\n", "must be a number", ""),
        ("namespace: ''\n", "`namespace` is empty", "every clone"),
        ("schema: 2\n", "`schema` is 2", "update curator"),
        ("schema: one\n", "`schema` must be 1", ""),
    ],
)
def test_a_fault_names_its_key_what_is_due_and_the_nearest_right_word(text: str, message: str, hint: str) -> None:
    error = refused(text)
    assert error.where == f"{WHERE}:1"
    assert message in error.message
    assert hint in error.hint


@pytest.mark.parametrize(
    "text", ["- a\n", "budget: &a {}\n", "a: 1\na: 2\n", "a:\tb\n", "<<<<<<< x\n", "x: \xe9".encode("latin-1")]
)
def test_a_file_that_is_no_yaml_of_ours_is_refused_with_its_line(text: str | bytes) -> None:
    with pytest.raises(CuratorError) as caught:
        settings.read(text if isinstance(text, bytes) else text.encode())
    assert caught.value.where.startswith(f"{WHERE}:")


@pytest.mark.parametrize("trust", ["index", "HEAD", "main", "origin/main", "refs/heads/a-b.c", "4225332", "v1.2"])
def test_a_ref_may_be_trusted(trust: str) -> None:
    assert read(f"trust: {trust}\n").trust == trust


@pytest.mark.parametrize(
    "trust",
    ["--output=x", "-rf", "a..b", "a b", "a~1", "a^{tree}", "a:b", "@{u}", "/a", "a/", "a//b", "a.lock", "a\\b", ""],
)
def test_what_git_takes_for_no_ref_or_for_an_option_is_not_trusted(trust: str) -> None:
    assert "`trust` must be index, HEAD or the name of a ref" in refused(f"trust: '{trust}'\n").message


@pytest.mark.parametrize("path", ["../x", "/etc/x", "~/x", "C:/x", ".git/config", "a/../../x", "a\\x", "a/", "", "."])
def test_a_target_stays_inside_the_work_tree(path: str) -> None:
    assert "a file in the repository" in refused(f"targets: [{{path: '{path}'}}]\n").message


@pytest.mark.parametrize("key", ["command", "hooks", "url", "template", "plugins", "env", "mcp", "editor"])
def test_t22_a_program_an_address_or_a_template_has_no_key(key: str) -> None:
    error = refused(f"{key}: curl example.org\n")
    assert "programs, addresses and templates cannot be named here" in error.hint
    assert "`curator.*`" in error.hint


def test_the_default_categories_are_those_of_the_model() -> None:
    assert Config().categories == tuple(CATEGORIES)
