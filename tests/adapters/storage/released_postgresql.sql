-- A database of Pestle 0.1 before revisions: what its tables.py made, and two runs.
CREATE TABLE events (
    run_id VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    at TEXT DEFAULT '' NOT NULL,
    kind TEXT DEFAULT '' NOT NULL,
    detail TEXT DEFAULT '' NOT NULL,
    PRIMARY KEY (run_id, number)
);
CREATE TABLE feedback (
    number BIGSERIAL NOT NULL,
    run_id VARCHAR NOT NULL,
    user_id TEXT NOT NULL,
    verdict TEXT DEFAULT '' NOT NULL,
    comment TEXT DEFAULT '' NOT NULL,
    at TEXT DEFAULT '' NOT NULL,
    PRIMARY KEY (number),
    UNIQUE (run_id, user_id)
);
CREATE TABLE leases (
    run_id VARCHAR NOT NULL,
    owner TEXT DEFAULT '' NOT NULL,
    expires TEXT DEFAULT '' NOT NULL,
    PRIMARY KEY (run_id)
);
CREATE TABLE messages (
    thread_id TEXT NOT NULL,
    slot TEXT NOT NULL,
    message_id TEXT DEFAULT '' NOT NULL,
    PRIMARY KEY (thread_id, slot)
);
CREATE TABLE outbox (
    number BIGSERIAL NOT NULL,
    thread_id TEXT DEFAULT '' NOT NULL,
    slot TEXT DEFAULT '' NOT NULL,
    card TEXT DEFAULT '' NOT NULL,
    state VARCHAR DEFAULT 'pending' NOT NULL,
    attempts INTEGER DEFAULT '0' NOT NULL,
    not_before TEXT DEFAULT '' NOT NULL,
    created TEXT DEFAULT '' NOT NULL,
    ended TEXT DEFAULT '' NOT NULL,
    error TEXT DEFAULT '' NOT NULL,
    PRIMARY KEY (number)
);
CREATE UNIQUE INDEX pending_slots ON outbox (thread_id, slot) WHERE state = 'pending';
CREATE TABLE runs (
    number BIGSERIAL NOT NULL,
    run_id VARCHAR NOT NULL,
    request_key TEXT NOT NULL,
    pipeline TEXT DEFAULT '' NOT NULL,
    inputs TEXT DEFAULT '' NOT NULL,
    thread_id TEXT DEFAULT '' NOT NULL,
    asked_by TEXT DEFAULT '' NOT NULL,
    state TEXT DEFAULT '' NOT NULL,
    result TEXT DEFAULT '' NOT NULL,
    error TEXT DEFAULT '' NOT NULL,
    budget TEXT DEFAULT '' NOT NULL,
    created TEXT DEFAULT '' NOT NULL,
    started TEXT DEFAULT '' NOT NULL,
    ended TEXT DEFAULT '' NOT NULL,
    replay_of TEXT DEFAULT '' NOT NULL,
    stop TEXT DEFAULT '' NOT NULL,
    event_count INTEGER DEFAULT '0' NOT NULL,
    PRIMARY KEY (number),
    UNIQUE (run_id),
    UNIQUE (request_key)
);
CREATE INDEX runs_in_state ON runs (state, number);
CREATE INDEX runs_of_thread ON runs (thread_id, number);
CREATE TABLE schema_version (
    version INTEGER NOT NULL
);
CREATE TABLE seen_events (
    event_id TEXT NOT NULL,
    at TEXT DEFAULT '' NOT NULL,
    PRIMARY KEY (event_id)
);
CREATE TABLE steps (
    number BIGSERIAL NOT NULL,
    run_id VARCHAR NOT NULL,
    name TEXT DEFAULT '' NOT NULL,
    inputs_hash VARCHAR NOT NULL,
    output TEXT DEFAULT '' NOT NULL,
    started TEXT DEFAULT '' NOT NULL,
    seconds FLOAT NOT NULL,
    parent TEXT DEFAULT '' NOT NULL,
    usage TEXT DEFAULT '' NOT NULL,
    fingerprints TEXT DEFAULT '' NOT NULL,
    error TEXT DEFAULT '' NOT NULL,
    parent_inputs TEXT DEFAULT '' NOT NULL,
    PRIMARY KEY (number)
);
CREATE UNIQUE INDEX finished_steps ON steps (run_id, name, inputs_hash) WHERE error = '';
CREATE INDEX steps_of_run ON steps (run_id, number);
CREATE TABLE threads (
    thread_id TEXT NOT NULL,
    platform TEXT DEFAULT '' NOT NULL,
    channel TEXT DEFAULT '' NOT NULL,
    thread TEXT DEFAULT '' NOT NULL,
    molecules TEXT DEFAULT '[]' NOT NULL,
    pump TEXT DEFAULT '' NOT NULL,
    pump_until TEXT DEFAULT '' NOT NULL,
    PRIMARY KEY (thread_id)
);
INSERT INTO schema_version (version) VALUES (1);
INSERT INTO runs (run_id, request_key, pipeline, inputs, thread_id, asked_by, state, result, budget, created, started, ended, event_count)
VALUES ('shown', 'event 1', 'archive', '{"text":"How much?"}', 'web:c:t', 'ana', 'done', '"5 mg"', '{}', '2026-03-01T11:00:00.000000+00:00', '2026-03-01T11:00:01.000000+00:00', '2026-03-01T11:00:02.000000+00:00', 1);
INSERT INTO runs (run_id, request_key, pipeline, inputs, thread_id, asked_by, state, result, budget, created, started, ended)
VALUES ('forgotten', 'event 2', 'archive', '{"text":"Why?"}', 'web:c:t', 'ana', 'done', '"So."', '{}', '2026-03-01T11:01:00.000000+00:00', '2026-03-01T11:01:01.000000+00:00', '2026-03-01T11:01:02.000000+00:00');
INSERT INTO events (run_id, number, at, kind, detail) VALUES ('shown', 1, '2026-03-01T11:00:03.000000+00:00', 'answer.handed_over', '{}');
INSERT INTO steps (run_id, name, inputs_hash, output, seconds, usage, fingerprints) VALUES ('shown', 'classify', 'hash', '1', 0.5, '{}', '[]');
