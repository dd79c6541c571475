"""What other tools keep, one room a format: their files and tables as statements, with what is said about each."""
