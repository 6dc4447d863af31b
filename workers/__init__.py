"""Long work: queue, actors, the driver that executes a run through its pipeline, the outbox pump."""
