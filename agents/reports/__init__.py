"""The one result that everything outside a kind of run knows: a report of sections, with its revisions."""
