-- One row a role. Rows are never deleted: "highest" and "released" outlive every grant.
-- Times are microseconds since the epoch, by the database's clock. Tenure needs SELECT, INSERT and UPDATE.
CREATE TABLE IF NOT EXISTS {table} (
    lease_key   text    COLLATE "C" PRIMARY KEY,
    v           integer NOT NULL, -- version of this format: a row of another version counts as held
    name        text    NOT NULL, -- of the holder, for people
    incarnation text    NOT NULL, -- of the holder's term; empty if free
    metadata    text    NOT NULL, -- of the holder, as key=value&key=value, URL-encoded in UTF-8
    token       bigint  NOT NULL, -- of the present or last grant
    highest     bigint  NOT NULL, -- the highest token granted
    accepted    bigint  NOT NULL, -- what an operator accepted last; 0 if nothing
    acquired_at bigint  NOT NULL,
    ends_at     bigint  NOT NULL, -- the grant is over from this moment on; 0 if free
    released    text    NOT NULL  -- incarnations released last, each between blanks
) WITH (fillfactor = 50)
