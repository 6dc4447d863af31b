BEGIN TRANSACTION;
CREATE TABLE accounts (
	name TEXT NOT NULL, 
	secret TEXT DEFAULT '' NOT NULL, 
	created TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "accounts" VALUES('ada','hash','2026-11-28T21:59:14.841563+00:00');
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0012');
CREATE TABLE artefacts (
	sha256 VARCHAR NOT NULL, 
	media_type TEXT DEFAULT '' NOT NULL, 
	name TEXT DEFAULT '' NOT NULL, 
	created TEXT DEFAULT '' NOT NULL, 
	data BLOB NOT NULL, 
	PRIMARY KEY (sha256)
);
CREATE TABLE audit (
	number INTEGER NOT NULL, 
	at TEXT DEFAULT '' NOT NULL, 
	kind TEXT DEFAULT '' NOT NULL, 
	run TEXT DEFAULT '' NOT NULL, 
	facts TEXT DEFAULT '' NOT NULL, 
	"before" TEXT DEFAULT '' NOT NULL, 
	hash TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (number)
);
INSERT INTO "audit" VALUES(1,'2026-11-28T21:59:14.601526+00:00','asked','r1','{"kind":"archive","reads":"","replay":"","texts":{"by":"c672f301d9f740c6979a0d8fc61c1223a748e7ef2cbf0ed02fc7cbedead0403d","text":"7ff8f4efa22c7fb24aaf38cf615ab470939be0d7d5b8eac96b3c1e6df8e8f8f9","thread":"b64eee83d73f162669e2ae97841c3644ef230f7ee5e3c7badefc15baf531589a"}}','','31862e8eaf18a7084ea8cdb7ae221b93b9fac27e929aa6491b7be30ea9c9e6ee');
INSERT INTO "audit" VALUES(2,'2026-11-28T21:59:14.731640+00:00','answered','r1','{"answer":"2b7bc5bd7be9224a76b5e7d04853420e65cb4f53a5f6546746210cc7b896d184","models":[],"passages":[],"prompts":[],"state":"done","texts":{"by":"e84387d9a1d9262391c2c408c3997f13bdaf0b1d13a527439efcb28432e77446","thread":"4bbf7e5e062e01f7cf3660681a4d08b767ebbbd964bb622586b30acead36f309"}}','31862e8eaf18a7084ea8cdb7ae221b93b9fac27e929aa6491b7be30ea9c9e6ee','f0695b165aa27d10737e049ae45b050ee7b19e201395aa07341adc72727333de');
INSERT INTO "audit" VALUES(3,'2026-11-28T21:59:14.848483+00:00','account added','','{"texts":{"by":"a86538b049b7772c5cccc2dae784455e3a24e749473b3adc281e5201603ce9a9"}}','f0695b165aa27d10737e049ae45b050ee7b19e201395aa07341adc72727333de','2d642e0d4f930c869258d73e3e9d1b04878afa5cafdb31b84aa6227d3d1310de');
INSERT INTO "audit" VALUES(4,'2026-11-28T21:59:14.895910+00:00','granted','','{"policy":1,"texts":{"by":"37eabf631f58e9e76996e948a9be700b708544eb868d3e1d03b5dbc4f15ce67b","text":"ecb34f9e972fe7bbc75d47229744551bae0aeccea9445fc84db7f9e12180f0a3"}}','2d642e0d4f930c869258d73e3e9d1b04878afa5cafdb31b84aa6227d3d1310de','ff845fbc3a1921f8c0d226c5f13b022c6e457dd89b9c8ebc19286351e70db4ee');
INSERT INTO "audit" VALUES(5,'2026-11-28T21:59:14.922832+00:00','granted','','{"policy":2,"texts":{"by":"55ac329a984f31d5069edb4342115e0c7672734bb8de2f8ae5fcc2827a64dd40","text":"c4ceaa120a0051ec143f8813737b062041b0492853a5d838ca9271ce0d6a32f8"}}','ff845fbc3a1921f8c0d226c5f13b022c6e457dd89b9c8ebc19286351e70db4ee','22bb7c8dd19add959b5851ed8627502c788a0b00bb8b3504ce8cd890a466d2d9');
CREATE TABLE audit_texts (
	number INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	salt TEXT DEFAULT '' NOT NULL, 
	value TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (number, name)
);
INSERT INTO "audit_texts" VALUES(1,'by','e69314311e9ab3d19da4f87b724b858b','web:ada');
INSERT INTO "audit_texts" VALUES(1,'thread','9ca563a5b6d49a1b2db964e9b6c5d579','web:archive:t1');
INSERT INTO "audit_texts" VALUES(1,'text','f0775011c8de3065ba374fe7d8ed7b30','{"question":"How much?"}');
INSERT INTO "audit_texts" VALUES(2,'by','71657c872d9ac28cbdda23e46adf9e2b','web:ada');
INSERT INTO "audit_texts" VALUES(2,'thread','a3aaeb8f325fe3563ea237e0c65091fe','web:archive:t1');
INSERT INTO "audit_texts" VALUES(3,'by','c93699fb80f6025e5b65a596b87aa0bc','web:ada');
INSERT INTO "audit_texts" VALUES(4,'by','dc8ef8631d1210cd19ca341b58042e15','cli:bob');
INSERT INTO "audit_texts" VALUES(4,'text','cdde22d71cd9b99b40013520071d36b1','+ collections: {"name": "tox", "folders": ["/tox"], "where": [], "documents": []}');
INSERT INTO "audit_texts" VALUES(5,'by','b5c0bcfc25c12d102c9019816b068386','cli:bob');
INSERT INTO "audit_texts" VALUES(5,'text','1120647a61699d7c57253bf5ed69656b','+ grants: ["everything", "web:ada"]');
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
INSERT INTO "outbox" VALUES(1,'web:archive:t1','progress:r1','{"kind":"progress","title":"Working","text":"r1","steps":[],"parts":[],"sources":[],"not_found":[],"notes":[],"buttons":[],"footer":"","who":"","run_id":"","state":null,"file":null,"about":"","goes_on":"","reads":"","mark":""}','pending',0,'','2026-11-28T21:59:14.601526+00:00','','');
CREATE TABLE policies (
	number INTEGER NOT NULL, 
	policy TEXT DEFAULT '' NOT NULL, 
	"by" TEXT DEFAULT '' NOT NULL, 
	at TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (number)
);
INSERT INTO "policies" VALUES(1,'{"collections": [{"name": "tox", "folders": ["/tox"], "where": [], "documents": []}], "groups": {}, "grants": []}','bob','2026-11-28T21:59:14.895910+00:00');
INSERT INTO "policies" VALUES(2,'{"collections": [{"name": "tox", "folders": ["/tox"], "where": [], "documents": []}], "groups": {}, "grants": [["everything", "web:ada"]]}','bob','2026-11-28T21:59:14.922832+00:00');
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
INSERT INTO "runs" VALUES(1,'r1','e1','archive','{"question":"How much?"}','web:archive:t1','ada','done','{"short":"4 mg"}','','{"seconds":900.0,"tokens":null,"cost_usd":null}','2026-11-28T21:59:14.601526+00:00','2026-11-28T21:59:14.715399+00:00','2026-11-28T21:59:14.731640+00:00','','',0,'pipeline','','','','','','');
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
CREATE INDEX runs_to_hand_over ON runs (number) WHERE handed_over = '' AND state IN ('done', 'stopped', 'failed');
CREATE INDEX runs_of_thread ON runs (thread_id, number);
CREATE INDEX runs_in_state ON runs (state, number);
CREATE UNIQUE INDEX finished_steps ON steps (run_id, name, inputs_hash) WHERE error = '';
CREATE INDEX steps_of_run ON steps (run_id, number);
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
