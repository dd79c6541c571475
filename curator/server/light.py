"""The SDK's server without its client: what a session waits for is the import."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from types import ModuleType

_PACKAGES = ("mcp", "mcp.server")
"""Their own code imports the client, HTTP's and a framework, a fifth of the time; no module below needs it."""


def load() -> ModuleType:
    """`mcp.server.lowlevel`, its packages found and not run; with all they import where that is not enough.

    ImportError where the SDK is not installed, or is another one.
    """
    if "mcp" not in sys.modules:
        for name in _PACKAGES:
            spec = find_spec(name)
            if spec is None:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)
            sys.modules[name] = module_from_spec(spec)
        try:
            return import_module("mcp.server.lowlevel")
        except (ImportError, AttributeError):
            for name in [one for one in sys.modules if one.partition(".")[0] == "mcp"]:
                del sys.modules[name]
    return import_module("mcp.server.lowlevel")
