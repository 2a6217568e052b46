"""What the games are: kernel, mechanics, games, editions, clause registers."""
