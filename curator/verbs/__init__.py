"""One straight path per command: gather, decide, return."""
