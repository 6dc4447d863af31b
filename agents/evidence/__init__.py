"""Evidence: verbatim passages with their places, kept under the keys that a writer may cite."""
