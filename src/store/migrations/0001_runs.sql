CREATE TABLE runs (
    id            TEXT PRIMARY KEY,           -- UUID v7
    kind          TEXT NOT NULL,              -- the room
    owner         TEXT NOT NULL,
    title         TEXT NOT NULL,
    status        TEXT NOT NULL,
    setup         TEXT NOT NULL,              -- JSON
    seq           INTEGER NOT NULL,           -- the last entry of the log; the fence of every append
    created_at    INTEGER NOT NULL,           -- Unix milliseconds
    updated_at    INTEGER NOT NULL,
    lease_owner   TEXT,
    lease_epoch   INTEGER NOT NULL DEFAULT 0,
    input_tokens  INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    cost_micros   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX runs_of_owner ON runs (owner, updated_at DESC);
CREATE INDEX runs_by_status ON runs (status) WHERE status = 'running';

CREATE TABLE run_events (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    seq    INTEGER NOT NULL,
    at     INTEGER NOT NULL,
    body   TEXT NOT NULL,                     -- JSON, one engine::entry::Entry
    PRIMARY KEY (run_id, seq)
) STRICT, WITHOUT ROWID;

-- What was handed in under an idempotency key; `scope` is the owner, or 'key' where the key itself is the capability.
CREATE TABLE run_inputs (
    scope           TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    fingerprint     TEXT NOT NULL,
    run_id          TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    UNIQUE (scope, idempotency_key)
) STRICT;

-- Texts being written, so that a refresh or a restart shows them.
CREATE TABLE run_partials (
    run_id  TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    message INTEGER NOT NULL,
    text    TEXT NOT NULL,
    PRIMARY KEY (run_id, message)
) STRICT, WITHOUT ROWID;

CREATE TABLE secrets (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
) STRICT;
