"""From words with boxes to reading order, paragraphs, headings and tables: for PDF text and for OCR."""
