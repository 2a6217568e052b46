"""Whole print runs: predetermined Plays by the million, each with a script of its own."""
