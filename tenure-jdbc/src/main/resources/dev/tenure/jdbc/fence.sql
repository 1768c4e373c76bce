-- One row a resource: the highest token that it has accepted. Tenure needs SELECT, INSERT and UPDATE.
CREATE TABLE IF NOT EXISTS {table} (
    resource VARCHAR(1024) NOT NULL PRIMARY KEY,
    token    BIGINT        NOT NULL
)
