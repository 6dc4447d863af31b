"""Programs that a run has executed in a sandbox: what goes in, what comes out, and how it is kept."""
