"""Texts: cards, positions, records, and what is said of wrong ones."""
