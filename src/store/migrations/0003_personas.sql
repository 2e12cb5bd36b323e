-- Each room has personas of its own. Those from before there were two were saved for the simulator.
ALTER TABLE personas RENAME TO saved;
CREATE TABLE personas (
    owner      TEXT NOT NULL,
    room       TEXT NOT NULL,
    name       TEXT NOT NULL,
    text       TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (owner, room, name)
) STRICT, WITHOUT ROWID;
INSERT INTO personas SELECT owner, 'simulate', name, text, updated_at FROM saved;
DROP TABLE saved;
