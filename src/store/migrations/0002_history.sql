-- What a person does with runs that are over: name them, keep them at hand, throw them away, show them, go on from their middle.
ALTER TABLE runs ADD COLUMN external_id TEXT;                     -- a client's own id of the conversation
ALTER TABLE runs ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN deleted_at INTEGER;                   -- Unix milliseconds; gone for people, kept for an undo
ALTER TABLE runs ADD COLUMN parent TEXT;                          -- the run whose log this one's begins with
CREATE UNIQUE INDEX runs_by_external_id ON runs (owner, kind, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX runs_by_parent ON runs (parent) WHERE parent IS NOT NULL;

-- Read-only links; who holds the token may read that run.
CREATE TABLE shares (
    token      TEXT PRIMARY KEY,
    run_id     TEXT NOT NULL UNIQUE REFERENCES runs (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE personas (
    owner      TEXT NOT NULL,
    name       TEXT NOT NULL,
    text       TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (owner, name)
) STRICT, WITHOUT ROWID;
