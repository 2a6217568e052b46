"""Model checking and test oracles for instant-win games."""

__version__ = "0.1.0"
