"""``python -m playproof``."""

from playproof.reports.cli import main

if __name__ == "__main__":
    main()
