"""What curator costs and how well it finds: `make bench` prints the tables of docs/performance.md."""
