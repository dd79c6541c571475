"""The index as one listing of bytes, for those who look for a few of its paths: links, and what folders hold."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from curator.here import Workspace

_LINK = "120000"
COMMAND = ("ls-files", "-s", "-z")
"""The git command whose output a `read` is."""


def read(workspace: Workspace) -> bytes:
    """The whole index as git lists it, undecoded: for those who look for a few of its paths."""
    from curator.edge import plumbing  # noqa: PLC0415 - a hook asks without it

    return plumbing.git(workspace, *COMMAND)


def links(listed: bytes) -> dict[str, str]:
    """The symbolic links in a `read`, each with the blob that holds its target."""
    if f"{_LINK} ".encode() not in listed:
        return {}
    import re  # noqa: PLC0415 - most repositories have no link

    rows = re.findall(rb"(?:^|\0)%b ([0-9a-f]+) 0\t([^\0]*)" % _LINK.encode(), listed)
    return {path.decode("utf-8", "surrogateescape"): blob.decode() for blob, path in rows}


def digest(listed: bytes, folder: str) -> str:
    """A hash of what a `read` holds in folders named *folder*: modes, blobs, open merges."""
    from _blake2 import blake2b  # noqa: PLC0415 - what `hashlib` has it from, which would load OpenSSL first

    return blake2b(b"\0".join(_rows(listed, folder.encode())), digest_size=20).hexdigest()


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
