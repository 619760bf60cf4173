"""Ways to solve, one algorithm a file. None of them knows a game."""
