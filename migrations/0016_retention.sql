-- What is kept for how long: bytes of deliveries, reports, and organizations that have left.
alter table organization
  add column removed_at   timestamptz,                 -- it has left: everything of it goes, itself last
  add column purge_due_at timestamptz not null default now() + random() * interval '1 day';
create index organization_purge_due on organization (purge_due_at);

-- What is done for all organizations together, and when next.
create table chore (
  name   text        primary key,
  due_at timestamptz not null default now()
);
insert into chore (name) values ('sweep_blobs');

alter table raw_message add column bytes_purged_at timestamptz; -- its bytes are gone by age; what it brought stays
create index raw_message_by_received on raw_message (org_id, received_at);
create index raw_message_with_bytes on raw_message (org_id, received_at) where bytes_purged_at is null;
create index payload_of_message on payload (org_id, message_id);
create index domain_check_change_by_age on domain_check_change (org_id, at);

-- A domain that reports alone had added, and of which no report is left: not monitored until one comes again.
alter table domain add column left_at timestamptz;

-- Organizations share bytes, so this one index is not led by the organization: who still keeps these?
create index raw_message_of_bytes on raw_message (sha256) where bytes_purged_at is null;

-- Bytes that a delivery has let go. With removed_at they are being deleted, or are: no delivery can be entered with them
-- before they have been stored anew and seen to be there.
create table removed_blob (
  sha256     bytea       primary key,
  since      timestamptz not null default now(),
  removed_at timestamptz,
  is_gone    boolean     not null default false        -- the store has said so
);
create function blob_lock(sha256 bytea) returns integer
  language sql immutable parallel safe
  return get_byte(sha256 || '\x00'::bytea, 0);
create index removed_blob_open on removed_blob (blob_lock(sha256)) where not is_gone;
create index removed_blob_by_age on removed_blob (removed_at) where is_gone;

-- A row without its blob is impossible: who enters one holds off the deletion of its bytes until he has committed, and is
-- turned away where they are being deleted.
create function hold_bytes() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7346002, blob_lock(new.sha256));
  if exists (select from removed_blob where sha256 = new.sha256 and removed_at is not null) then
    raise exception 'the bytes % were deleted', encode(new.sha256, 'hex') using errcode = 'DL001';
  end if;
  return new;
end $$;
create trigger raw_message_entered before insert on raw_message
  for each row execute function hold_bytes();
create trigger raw_message_bytes_back before update of bytes_purged_at on raw_message
  for each row when (old.bytes_purged_at is not null and new.bytes_purged_at is null) execute function hold_bytes();

create function let_bytes_go() returns trigger language plpgsql as $$
begin
  insert into removed_blob (sha256) values (old.sha256) on conflict do nothing;
  return null;
end $$;
create trigger raw_message_left after delete on raw_message
  for each row when (old.bytes_purged_at is null) execute function let_bytes_go();
create trigger raw_message_bytes_gone after update of bytes_purged_at on raw_message
  for each row when (old.bytes_purged_at is null and new.bytes_purged_at is not null) execute function let_bytes_go();

-- A domain whose last report went is none that reports are about.
update org_total t set domains = (select count(*) from domain_total d where d.org_id = t.org_id and d.reports > 0);
