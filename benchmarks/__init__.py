"""What curator costs and how well it finds: `make bench` runs all of it and prints the tables of docs/performance.md."""
