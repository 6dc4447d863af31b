"""What models are told that write programs."""
