"""Where documents, chunks and vectors are kept and found: `sqlite` in one file, `memory` for trials."""
