"""Long work: queue, actors, the driver that carries a run through its pipeline, the outbox pump."""
