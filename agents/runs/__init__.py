"""The run ledger: named durable steps, and from them resume, progress, cancel, budget, audit and replay."""
