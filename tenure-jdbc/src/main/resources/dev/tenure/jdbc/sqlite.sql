-- One row a role. Rows are never deleted: "highest" and "released" outlive every grant.
-- Times are microseconds since the epoch, by the host's wall clock, in steps of 1000.
CREATE TABLE IF NOT EXISTS {table} (
    lease_key   TEXT    PRIMARY KEY NOT NULL,
    v           INTEGER NOT NULL, -- version of this format: a row of another version counts as held
    name        TEXT    NOT NULL, -- of the holder, for people
    incarnation TEXT    NOT NULL, -- of the holder's term; empty if free
    metadata    TEXT    NOT NULL, -- of the holder, as key=value&key=value, URL-encoded in UTF-8
    token       INTEGER NOT NULL, -- of the present or last grant
    highest     INTEGER NOT NULL, -- the highest token granted
    accepted    INTEGER NOT NULL, -- what an operator accepted last; 0 if nothing
    acquired_at INTEGER NOT NULL,
    ends_at     INTEGER NOT NULL, -- the grant is over from this moment on; 0 if free
    released    TEXT    NOT NULL  -- incarnations released last, each between blanks
) STRICT, WITHOUT ROWID
