"""The 15 safety endpoints, organ systems and species groups, and what a database's fact says of them."""
