-- Several instances start at once, and "if not exists" alone fails for those that come second.
select pg_advisory_lock(7310);
create table if not exists entry (
    id bigint generated always as identity primary key,
    number bigint not null, -- not unique: that each is there once is what the fence is for
    token bigint not null,
    instance text not null,
    written timestamptz not null default clock_timestamp()
);
select pg_advisory_unlock(7310);
