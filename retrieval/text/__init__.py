"""What texts are made of: sentences, stems, dates, numbers. Each notion of language stands once."""
