"""`python -m curator` is the command line."""

from curator.cli import main

if __name__ == "__main__":
    main(prog_name="curator")
