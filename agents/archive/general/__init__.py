"""Any factual question over any report: the exact sentence, or the table cell with its row, column, caption
and page.
"""
