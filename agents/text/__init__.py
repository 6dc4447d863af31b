"""What a text says, one module for each notion: words, polarity, numbers, units, amounts, frequencies, codes,
clauses. Sentences, stems, dates and species, which the index needs too, are in `retrieval.text`.
"""
