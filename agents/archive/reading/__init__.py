"""What a language model reads of the archive, and how what it quotes is found again."""
