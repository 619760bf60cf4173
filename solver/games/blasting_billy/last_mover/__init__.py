"""Exact values for whoever moves last, two to five players."""
