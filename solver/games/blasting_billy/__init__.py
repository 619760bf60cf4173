"""Blasting Billy: give, claim or dump, and do not be richer than Billy."""

from solver.games.blasting_billy.game import BlastingBilly

__all__ = ["BlastingBilly"]
