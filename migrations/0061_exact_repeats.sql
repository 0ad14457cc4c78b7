-- The contents that a delivery repeats, with their organization, as an array: its index answers by itself, while one
-- over JSON reads the parts of each delivery that it finds. An archive has up to 10,000 parts, and each is looked for
-- by itself. No other index answers to this expression, whatever the statistics say. Entries do not wait in a list,
-- which every look-up would read.
create function repeated_contents(org_id uuid, parts jsonb) returns text[]
language sql immutable parallel safe cost 1000 as $$
  select array(select org_id::text || ' ' || content from jsonb_array_elements_text(
    jsonb_path_query_array(parts, '$[*] ? (@.outcome == "duplicate" && @.sha256 != null).sha256')) as content)
$$;

drop index raw_message_repeating;
create index raw_message_repeating on raw_message using gin (repeated_contents(org_id, parts))
  with (fastupdate = off)
  where parts @? '$[*] ? (@.outcome == "duplicate")';
