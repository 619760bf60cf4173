"""What a hint can say for itself: evidence from deals, in numbers."""
