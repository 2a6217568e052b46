"""Mutants: every small change to the traced rules of a game, proved equal or told apart."""
