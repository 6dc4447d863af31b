"""How well pharmacovigilance does against what experts judged."""
