"""From words with boxes to reading order, paragraphs, headings and tables; the same for PDF text and for OCR."""
