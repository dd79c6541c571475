"""The real client of an agent against a scripted model, offline."""
