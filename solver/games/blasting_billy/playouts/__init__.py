"""Games played out sensibly from any stage, and the greedy player in them."""
