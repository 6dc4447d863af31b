BEGIN TRANSACTION;
CREATE TABLE accounts (
	name TEXT NOT NULL, 
	secret TEXT DEFAULT '' NOT NULL, 
	created TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "accounts" VALUES('ada','hash','2026-11-28T21:59:07.303869+00:00');
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0011');
CREATE TABLE artefacts (
	sha256 VARCHAR NOT NULL, 
	media_type TEXT DEFAULT '' NOT NULL, 
	name TEXT DEFAULT '' NOT NULL, 
	created TEXT DEFAULT '' NOT NULL, 
	data BLOB NOT NULL, 
	PRIMARY KEY (sha256)
);
CREATE TABLE digest_ticks (
	digest INTEGER NOT NULL, 
	tick TEXT NOT NULL, 
	begun TEXT DEFAULT '' NOT NULL, 
	ended TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (digest, tick)
);
CREATE TABLE digests (
	number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	thread_id TEXT DEFAULT '' NOT NULL, 
	channel_id TEXT DEFAULT '' NOT NULL, 
	cron TEXT DEFAULT '' NOT NULL, 
	zone TEXT DEFAULT '' NOT NULL, 
	schedule TEXT DEFAULT '' NOT NULL, 
	about TEXT DEFAULT '' NOT NULL, 
	"by" TEXT DEFAULT '' NOT NULL, 
	event TEXT NOT NULL, 
	created TEXT DEFAULT '' NOT NULL, 
	due TEXT DEFAULT '' NOT NULL, 
	muted TEXT DEFAULT '' NOT NULL, 
	heartbeat TEXT DEFAULT '' NOT NULL, 
	baseline TEXT DEFAULT '' NOT NULL, 
	UNIQUE (event)
);
CREATE TABLE events (
	run_id VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	at TEXT DEFAULT '' NOT NULL, 
	kind TEXT DEFAULT '' NOT NULL, 
	detail TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (run_id, number)
);
CREATE TABLE feedback (
	number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	run_id VARCHAR NOT NULL, 
	user_id TEXT NOT NULL, 
	verdict TEXT DEFAULT '' NOT NULL, 
	comment TEXT DEFAULT '' NOT NULL, 
	at TEXT DEFAULT '' NOT NULL, 
	UNIQUE (run_id, user_id)
);
CREATE TABLE leases (
	run_id VARCHAR NOT NULL, 
	owner TEXT DEFAULT '' NOT NULL, 
	expires TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (run_id)
);
CREATE TABLE message_parts (
	platform TEXT NOT NULL, 
	channel TEXT NOT NULL, 
	part TEXT NOT NULL, 
	thread_id TEXT DEFAULT '' NOT NULL, 
	slot TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (platform, channel, part)
);
CREATE TABLE messages (
	thread_id TEXT NOT NULL, 
	slot TEXT NOT NULL, 
	message_id TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (thread_id, slot)
);
CREATE TABLE outbox (
	number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	thread_id TEXT DEFAULT '' NOT NULL, 
	slot TEXT DEFAULT '' NOT NULL, 
	card TEXT DEFAULT '' NOT NULL, 
	state VARCHAR DEFAULT 'pending' NOT NULL, 
	attempts INTEGER DEFAULT '0' NOT NULL, 
	not_before TEXT DEFAULT '' NOT NULL, 
	created TEXT DEFAULT '' NOT NULL, 
	ended TEXT DEFAULT '' NOT NULL, 
	error TEXT DEFAULT '' NOT NULL
);
INSERT INTO "outbox" VALUES(1,'web:archive:t1','progress:r1','{"kind":"progress","title":"Working","text":"r1","steps":[],"parts":[],"sources":[],"not_found":[],"notes":[],"buttons":[],"footer":"","who":"","run_id":"","state":null,"file":null,"about":"","goes_on":"","reads":"","mark":""}','pending',0,'','2026-11-28T21:59:07.179810+00:00','','');
CREATE TABLE policies (
	number INTEGER NOT NULL, 
	policy TEXT DEFAULT '' NOT NULL, 
	"by" TEXT DEFAULT '' NOT NULL, 
	at TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (number)
);
INSERT INTO "policies" VALUES(1,'{"collections": [{"name": "tox", "folders": ["/tox"], "where": [], "documents": []}], "groups": {}, "grants": []}','bob','2026-11-28T21:59:07.323786+00:00');
INSERT INTO "policies" VALUES(2,'{"collections": [{"name": "tox", "folders": ["/tox"], "where": [], "documents": []}], "groups": {}, "grants": [["everything", "web:ada"]]}','bob','2026-11-28T21:59:07.353699+00:00');
CREATE TABLE reactions (
	thread_id TEXT NOT NULL, 
	slot TEXT NOT NULL, 
	user_id TEXT NOT NULL, 
	meaning TEXT NOT NULL, 
	emoji TEXT DEFAULT '' NOT NULL, 
	at TEXT DEFAULT '' NOT NULL, 
	event TEXT DEFAULT '' NOT NULL, 
	"before" TEXT DEFAULT '' NOT NULL, 
	removed TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (thread_id, slot, user_id, meaning)
);
CREATE TABLE requests (
	run_id VARCHAR NOT NULL, 
	name TEXT NOT NULL, 
	request TEXT DEFAULT '' NOT NULL, 
	asked TEXT DEFAULT '' NOT NULL, 
	due TEXT DEFAULT '' NOT NULL, 
	decision TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (run_id, name)
);
CREATE TABLE revisions (
	report_id VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	section_id TEXT DEFAULT '' NOT NULL, 
	action TEXT DEFAULT '' NOT NULL, 
	"by" TEXT DEFAULT '' NOT NULL, 
	at TEXT DEFAULT '' NOT NULL, 
	why TEXT DEFAULT '' NOT NULL, 
	run_id TEXT DEFAULT '' NOT NULL, 
	event TEXT DEFAULT '' NOT NULL, 
	section TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (report_id, number)
);
CREATE TABLE runs (
	number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
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
	queue TEXT DEFAULT 'pipeline' NOT NULL, 
	revises TEXT DEFAULT '' NOT NULL, 
	section TEXT DEFAULT '' NOT NULL, 
	instruction TEXT DEFAULT '' NOT NULL, 
	enqueued TEXT DEFAULT '' NOT NULL, 
	handed_over TEXT DEFAULT '' NOT NULL, 
	reads TEXT DEFAULT '' NOT NULL, 
	UNIQUE (run_id), 
	UNIQUE (request_key)
);
INSERT INTO "runs" VALUES(1,'r1','e1','archive','{"question":"How much?"}','web:archive:t1','ada','done','{"short":"4 mg"}','','{"seconds":900.0,"tokens":null,"cost_usd":null}','2026-11-28T21:59:07.179810+00:00','2026-11-28T21:59:07.226945+00:00','2026-11-28T21:59:07.269097+00:00','','',0,'pipeline','','','','','','');
CREATE TABLE seen_events (
	event_id TEXT NOT NULL, 
	at TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (event_id)
);
CREATE TABLE sessions (
	"key" VARCHAR NOT NULL, 
	name TEXT DEFAULT '' NOT NULL, 
	until TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY ("key")
);
CREATE TABLE sources (
	id VARCHAR NOT NULL, 
	origin TEXT DEFAULT '' NOT NULL, 
	name TEXT DEFAULT '' NOT NULL, 
	title TEXT DEFAULT '' NOT NULL, 
	text TEXT DEFAULT '' NOT NULL, 
	"query" TEXT DEFAULT '' NOT NULL, 
	release TEXT DEFAULT '' NOT NULL, 
	date TEXT DEFAULT '' NOT NULL, 
	link TEXT DEFAULT '' NOT NULL, 
	sha256 TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE steps (
	number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
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
	parent_inputs TEXT DEFAULT '' NOT NULL
);
CREATE TABLE thread_context (
	thread_id TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	value TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (thread_id, kind)
);
CREATE TABLE threads (
	thread_id TEXT NOT NULL, 
	platform TEXT DEFAULT '' NOT NULL, 
	channel TEXT DEFAULT '' NOT NULL, 
	thread TEXT DEFAULT '' NOT NULL, 
	pump TEXT DEFAULT '' NOT NULL, 
	pump_until TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (thread_id)
);
INSERT INTO "threads" VALUES('web:archive:t1','web','archive','t1','','');
CREATE INDEX runs_in_state ON runs (state, number);
CREATE INDEX runs_to_hand_over ON runs (number) WHERE handed_over = '' AND state IN ('done', 'stopped', 'failed');
CREATE INDEX runs_of_thread ON runs (thread_id, number);
CREATE INDEX steps_of_run ON steps (run_id, number);
CREATE UNIQUE INDEX finished_steps ON steps (run_id, name, inputs_hash) WHERE error = '';
CREATE INDEX threads_of_channel ON threads (platform, channel);
CREATE UNIQUE INDEX pending_slots ON outbox (thread_id, slot) WHERE state = 'pending';
CREATE INDEX abandoned_slots ON outbox (thread_id, slot) WHERE state = 'abandoned';
CREATE INDEX open_requests ON requests (due) WHERE decision = '';
CREATE INDEX digests_due ON digests (due);
CREATE INDEX open_ticks ON digest_ticks (begun) WHERE ended = '';
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('runs',1);
INSERT INTO "sqlite_sequence" VALUES('outbox',1);
COMMIT;
