"""The index of a whole company's archive: an Elasticsearch behind the `Index` port."""
