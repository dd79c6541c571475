"""Secrets: refused everywhere, printed nowhere; what only looks like one is let through."""

from __future__ import annotations

from tests.cases.conftest import Case, Setup

SHAPE = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0z" * 9


def fake(prefix: str, length: int) -> str:
    """A text shaped like a secret, made here so that no file holds one."""
    return prefix + SHAPE[:length]


def leaked(at: Case, secret: str) -> list[str]:
    """Every file below the case's folder that holds the text."""
    return [str(path) for path, seen in at.seen().items() if secret.encode() in seen.data]


def test_se_01_a_token_is_refused_by_add_and_propose_and_stands_nowhere_afterwards(case: Setup) -> None:
    # What a hook does with one that a person pasted: tests/hook/test_capture.py.
    at = case("base")
    token = fake("ghp_", 36)
    for arguments in (
        ("add", f"For deploys export GITHUB_TOKEN={token} always"),
        ("add", "--propose", f"For deploys export GITHUB_TOKEN={token} always"),
        ("add", "Deploy with the token.", "--why", f"it is {token}"),
        ("add", "Deploy with the token.", "--trigger", token),
    ):
        ran = at.run(*arguments)
        assert ran.code == 2
        assert "looks like a secret: " in ran.told
        assert token not in ran.said
    assert leaked(at, token) == []


def test_se_03_commit_ids_digests_and_uuids_are_no_secrets(case: Setup) -> None:
    text = (
        "Broken since 3f2a9c1d4e5b6a7980112233445566778899aabb, sha256 "
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08, id 123e4567-e89b-12d3-a456-426614174000"
    )
    at = case(f"base; mem h.yaml h decision '{text}'; commit")
    assert at.run("check").code == 0
    assert at.run("render").code == 0
    assert f"- {text}" in at.block().split("\n")


def test_se_06_credentials_in_an_address_and_a_header_are_refused(case: Setup) -> None:
    at = case(
        """base; mem u.yaml u gotcha "connect with postgres://admin:$(fake pw 12)@db.internal:5432/prod """
        """and header Authorization: Bearer $(fake eyJhbGciOi 40)"; git add -A"""
    )
    ran = at.run("check")
    assert ran.code == 1
    assert "memories/gotcha/u.yaml: error: text: looks like a secret: " in ran.told
    for secret in (fake("pw", 12), fake("eyJhbGciOi", 40)):
        assert secret not in ran.said
    written = at.run("render")
    assert written.code == 0
    assert fake("pw", 12) not in at.read() + written.said


def test_se_06_an_address_with_a_user_and_no_password_is_accepted(case: Setup) -> None:
    at = case("base")
    text = "connect with postgres://admin@db.internal:5432/prod and header Authorization: Bearer $TOKEN"
    at.memory("u", text, "gotcha")
    at.git("add", "-A")
    assert at.run("check").code == 0


def test_se_07_a_private_key_over_several_lines_is_refused_and_no_line_of_it_printed(case: Setup) -> None:
    at = case(
        """base; { echo 'schema: 1'; echo 'id: k'; echo 'category: convention'; echo 'text: |'; """
        r"""printf '  -----BEGIN %s KEY-----\n' 'OPENSSH PRIVATE'; for i in 1 2 3; do echo "  $(fake '' 64)"; done; """
        r"""printf '  -----END %s KEY-----\n' 'OPENSSH PRIVATE'; } >memories/convention/k.yaml; git add -A"""
    )
    ran = at.run("check")
    assert ran.code == 1
    assert "memories/convention/k.yaml: error: text: looks like a secret: " in ran.told
    assert fake("", 20) not in ran.said
    for arguments in (("render",), ("render", "--diff"), ("list",), ("status",), ("check", "--json")):
        assert fake("", 20) not in at.run(*arguments).said
    assert fake("", 20) not in at.read()


def test_se_07_a_private_key_wrapped_in_base64_is_refused(case: Setup) -> None:
    at = case(
        r"""base; { printf -- '-----BEGIN %s KEY-----\n' 'OPENSSH PRIVATE'; echo "$(fake '' 64)"; """
        r"""printf -- '-----END %s KEY-----\n' 'OPENSSH PRIVATE'; } >../key; """
        """mem k.yaml k convention "key: $(base64 -w0 ../key)"; rm ../key; git add -A"""
    )
    ran = at.run("check")
    assert ran.code == 1
    assert "memories/convention/k.yaml: error: text: looks like a secret: " in ran.told
