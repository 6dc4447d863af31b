"""Trust: what may be cited, which numbers may be stated, and how far the evidence carries a claim."""
