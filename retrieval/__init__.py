"""Finding: parse, chunk, embed, index, search, fuse, rerank. The lowest floor; it imports no other."""
