"""curator: a coding agent's memories, kept where a team reviews things: in git."""

__version__ = "0.1.0"
