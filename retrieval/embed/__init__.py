"""Encoders: texts to vectors of unit length. `minilm` is the default, `hashing` needs no weights."""
