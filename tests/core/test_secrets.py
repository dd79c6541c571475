"""Secrets of known kinds are found; hashes, ids and prose are not. Samples are made at run time."""

from __future__ import annotations

import random
import string

from curator.core import secrets

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"


def made(rng: random.Random, alphabet: str, size: int) -> str:
    return "".join(rng.choice(alphabet) for _ in range(size))


def kinds(rng: random.Random) -> dict[str, str]:
    def word(size: int, alphabet: str = ALNUM) -> str:
        return made(rng, alphabet, size)

    return {
        "aws id": "AK" + "IA" + word(16, string.ascii_uppercase + "234567"),
        "github": "gh" + "p_" + word(36),
        "github oauth": "gh" + "o_" + word(36),
        "github app": "gh" + "s_" + word(36),
        "github fine": "github" + "_pat_" + word(22) + "_" + word(59),
        "gitlab": "gl" + "pat-" + word(20),
        "slack": "xo" + "xb-" + word(12, string.digits) + "-" + word(12, string.digits) + "-" + word(24),
        "slack hook": "https://hooks.slack.com/" + "services/T" + word(8) + "/B" + word(8) + "/" + word(24),
        "stripe": "sk" + "_live_" + word(24),
        "openai": "sk" + "-proj-" + word(48),
        "anthropic": "sk" + "-ant-api03-" + word(93) + "AA",
        "google": "AI" + "za" + word(35),
        "npm": "np" + "m_" + word(36),
        "pypi": "py" + "pi-AgEIcHlwaS5vcmc" + word(70),
        "huggingface": "h" + "f_" + word(34, string.ascii_letters),
        "sendgrid": "S" + "G." + word(22) + "." + word(43),
        "digitalocean": "do" + "p_v1_" + word(64, HEX),
        "jwt": "ey" + "J" + word(30) + ".ey" + "J" + word(60) + "." + word(43),
        "bearer": "Authorization: Bearer " + word(40),
        "basic": "Authorization: Basic " + word(40),
        "url": "postgres://admin:" + word(16) + "@db.internal:5432/prod",
        "private key": "-----BEGIN " + "OPENSSH PRIVATE KEY-----\n" + word(64),
        "assignment": f'password = "{word(20)}"',
        "telegram": word(10, "123456789") + ":AA" + word(33),
        "databricks": "da" + "pi" + word(32, HEX),
        "shopify": "shp" + "at_" + word(32, HEX),
        "age": "AGE-SECRET" + "-KEY-1" + word(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"),
    }


def benign(rng: random.Random) -> list[str]:
    return [
        f"Broken since {made(rng, HEX, 40)}.",
        f"sha256 {made(rng, HEX, 64)}",
        f"id {made(rng, HEX, 8)}-{made(rng, HEX, 4)}-4{made(rng, HEX, 3)}-a{made(rng, HEX, 3)}-{made(rng, HEX, 12)}",
        f"integrity sha512-{made(rng, ALNUM + '+/', 86)}==",
        "The password is read from the keychain, never from a file.",
        "Use ${API_KEY} or $GITHUB_TOKEN in the workflow.",
        "connect with postgres://user@host:5432/db",
        "postgres://user:${PASS}@host/db and https://user:<password>@host",
        f"colour #{made(rng, HEX, 6)} in src/theme/{made(rng, string.ascii_lowercase, 8)}.css",
        f"see https://example.org/{made(rng, string.ascii_lowercase, 12)}?page=2",
    ]


def test_at_least_95_percent_of_25_kinds_are_found() -> None:
    rng = random.Random(7)
    found: list[bool] = []
    for _ in range(10):
        samples = kinds(rng)
        assert len(samples) >= 25
        found += [bool(secrets.find(f"Remember: use {text} for deploys")) for text in samples.values()]
    assert sum(found) / len(found) >= 0.95


def test_at_most_1_percent_of_benign_texts_are_called_secrets() -> None:
    rng = random.Random(11)
    texts = [text for _ in range(30) for text in benign(rng)]
    alarms = [text for text in texts if secrets.find(text)]
    assert len(alarms) <= len(texts) / 100, alarms


def test_se_06_a_url_with_a_password_is_a_secret_and_one_without_is_not() -> None:
    assert secrets.find("postgres://admin:" + "aB3dE5gH7jK9" + "@db.internal:5432/prod")
    assert not secrets.find("postgres://admin@db.internal:5432/prod")


def test_se_07_the_line_of_a_private_key_is_named() -> None:
    text = "first\n-----BEGIN " + "RSA PRIVATE KEY-----\n" + "aB3dE5gH7jK9" * 5
    assert secrets.find(text)[0].line == 2
