"""The JSON Schemas that editors complete and check by: which files hold them, and with which text."""

from __future__ import annotations

from collections.abc import Mapping

from curator.core import codec, schema, settings
from curator.model import MEMORIES, Config

ENTRY = f"{MEMORIES}/{codec.SCHEMA_FILE}"
SETTINGS = f"{MEMORIES}/{settings.SCHEMA_FILE}"
SHIPPED = {ENTRY: "templates/memory.schema.json", SETTINGS: "templates/curator.schema.json"}
"""Where the package has the schemas of a repository that changes no setting, for whoever looks for them there."""


def schemas(config: Config) -> Mapping[str, str]:
    """Every schema by its path in a repository with these settings; its categories are those that an entry may have."""
    return {ENTRY: schema.text(config), SETTINGS: settings.schema_text()}
