"""Claims about Playproof."""
