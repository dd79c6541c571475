"""The index as one listing of bytes, for those who look for a few of its paths: links, and what folders hold."""

from __future__ import annotations

from collections.abc import Iterator

from curator.edge import plumbing
from curator.model import Workspace


def read(workspace: Workspace) -> bytes:
    """The whole index as git lists it, undecoded: for those who look for a few of its paths."""
    return plumbing.git(workspace, "ls-files", "-s", "-z")


def links(listed: bytes) -> dict[str, str]:
    """The symbolic links in a `read`, each with the blob that holds its target."""
    if f"{plumbing.LINK} ".encode() not in listed:
        return {}
    import re  # noqa: PLC0415 - most repositories have no link

    rows = re.findall(rb"(?:^|\0)%b ([0-9a-f]+) 0\t([^\0]*)" % plumbing.LINK.encode(), listed)
    return {path.decode("utf-8", "surrogateescape"): blob.decode() for blob, path in rows}


def digest(workspace: Workspace, listed: bytes, folder: str) -> str:
    """A hash of what a `read` holds in folders named *folder*: modes, blobs, open merges."""
    rows = b"\0".join(_rows(listed, folder.encode()))
    return (
        plumbing.git(workspace, "hash-object", "--stdin", stdin=rows).decode().strip()
    )  # cheaper than to import hashlib


def _rows(listed: bytes, folder: bytes) -> Iterator[bytes]:
    """The rows of *folder* at the root, which git lists together, and those of each folder of that name below."""
    inside = b"\t%b/" % folder
    first, last = listed.find(inside), listed.rfind(inside)
    at = 0
    if first >= 0:
        start, end = listed.rfind(b"\0", 0, first) + 1, listed.find(b"\0", last)
        yield listed[start:end]
    nested = b"/%b/" % folder
    while (at := listed.find(nested, at)) >= 0:
        start, end = listed.rfind(b"\0", 0, at) + 1, listed.find(b"\0", at)
        if not listed.startswith(inside, listed.find(b"\t", start)):
            yield listed[start:end]
        at = end
