"""Where we are. Apart from `model`, because a hook needs no more than this and pays for every import."""

from __future__ import annotations


class Workspace:
    """A work tree. *root* and the git folders are absolute paths.

    *git_dir* belongs to this work tree; *common_dir* is shared by all
    work trees of the clone. *objects*: a folder of git objects to read
    beside those of the clone, "" for none.
    """

    __slots__ = ("common_dir", "git_dir", "objects", "root")

    def __init__(self, root: str, git_dir: str, common_dir: str, objects: str = "") -> None:
        self.root = root
        self.git_dir = git_dir
        self.common_dir = common_dir
        self.objects = objects
