"""Which site an address is of, and where a pull request is opened there."""

from __future__ import annotations

import pytest

from curator.core import site
from curator.core.site import GITHUB, GITLAB, Site

SHOP = Site(GITHUB, "github.com", "acme/shop")


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://github.com/acme/shop", SHOP),
        ("https://github.com/acme/shop.git/", SHOP),
        ("https://user:secret@github.com/acme/shop.git", SHOP),
        ("git@github.com:acme/shop.git", SHOP),
        ("ssh://git@ssh.github.com:443/acme/shop.git", SHOP),
        ("https://GitHub.com/acme/shop", SHOP),
        ("https://github.example.org:8443/acme/shop", Site(GITHUB, "github.example.org:8443", "acme/shop")),
        ("https://code.example.org/acme/shop", Site(GITHUB, "code.example.org", "acme/shop")),
        ("git@gitlab.com:group/sub/shop.git", Site(GITLAB, "gitlab.com", "group/sub/shop")),
        ("https://codeberg.org/acme/shop", Site("", "codeberg.org", "acme/shop")),
        ("https://notgithub.com/acme/shop", Site("", "notgithub.com", "acme/shop")),
        ("/srv/git/shop.git", None),
        ("../origin.git", None),
        ("file:///srv/git/shop.git", None),
        ("ext::sh -c x", None),
        ("https://github.com/acme/shop\n--evil", None),
        ("https://github.com/acme/sh op", None),
        ("-x", None),
        ("", None),
    ],
)
def test_the_site_of_an_address(url: str, found: Site | None) -> None:
    assert site.of(url, github="code.example.org") == found


def test_where_a_person_opens_it() -> None:
    branch = "curator/memories-4f1c9a"
    assert site.page(SHOP, branch, "main") == f"https://github.com/acme/shop/compare/main...{branch}?expand=1"
    assert site.page(SHOP, "a b&c#d", "") == "https://github.com/acme/shop/compare/a%20b%26c%23d?expand=1"
    assert site.page(Site(GITLAB, "gitlab.com", "g/s"), branch, "main") == (
        "https://gitlab.com/g/s/-/merge_requests/new?merge_request%5Bsource_branch%5D=curator%2Fmemories-4f1c9a"
        "&merge_request%5Btarget_branch%5D=main"
    )
    assert site.page(Site("", "x.org", "a/b"), branch, "main") == ""


def test_from_a_fork_the_branch_is_named_with_its_owner() -> None:
    fork = Site(GITHUB, "github.com", "me/shop")
    told = site.command(fork, SHOP, "x", "main", "--web")
    assert told == [
        "pr",
        "create",
        "--repo=github.com/acme/shop",
        "--head=me:x",
        "--base=main",
        "--title=--web",
        "--body-file=-",
    ]
    assert "--head=x" in site.command(SHOP, SHOP, "x", "", "t")
