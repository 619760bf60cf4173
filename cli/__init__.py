"""The command line: asks the solver and renders what it says."""
