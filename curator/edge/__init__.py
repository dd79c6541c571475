"""The world: disk, git, the cache and the shipped files."""
