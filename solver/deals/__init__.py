"""Assignments of hidden cards: exact counts, marginals, listing, sampling, and contradictions."""

from solver.deals.contradiction import is_consistent, smallest_contradiction
from solver.deals.counting import count_deals, count_pool, count_totals, marginals
from solver.deals.listing import Sampler, list_deals, list_pool
from solver.deals.pools import Cell, Deal, Pool, PoolDeal, Statement

__all__ = [
    "Cell",
    "Deal",
    "Pool",
    "PoolDeal",
    "Sampler",
    "Statement",
    "count_deals",
    "count_pool",
    "count_totals",
    "is_consistent",
    "list_deals",
    "list_pool",
    "marginals",
    "smallest_contradiction",
]
