"""Exact values for two players near the end of the pile, from shapes of single types."""
