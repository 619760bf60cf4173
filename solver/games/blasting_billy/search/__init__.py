"""Perfect-information search of single deals, and the deals it works on."""
