"""From a research objective to a protocol and the programs that carry it out (BioResearcher)."""
