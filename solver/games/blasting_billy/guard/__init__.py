"""Lens guard: what the mover can guarantee against a team that sees every card."""
