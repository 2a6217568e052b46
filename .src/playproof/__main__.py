"""``python -m playproof``."""

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line; Ctrl-C ends it in order also while it is being loaded."""
    try:
        from playproof.reports.cli import main as run
    except KeyboardInterrupt:
        sys.stderr.write("playproof: interrupted; nothing was left half-written\n")
        raise SystemExit(130) from None
    run()


if __name__ == "__main__":
    main()
