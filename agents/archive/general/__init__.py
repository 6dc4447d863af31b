"""Any factual question over any report: the exact sentence, or the table cell in its place."""
