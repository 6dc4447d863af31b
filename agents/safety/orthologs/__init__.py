"""Ortholog selection (paper 4.2.1 and Appendix F): for each species the target's sequence."""
