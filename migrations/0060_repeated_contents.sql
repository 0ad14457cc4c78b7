-- The deliveries that repeat a content: what their mails prove of it is looked up when one that brought it is read
-- again and proves less than before. Few deliveries repeat one, and only those are in the index.
create index raw_message_repeating on raw_message
  using gin (org_id, jsonb_path_query_array(parts, '$[*] ? (@.outcome == "duplicate").sha256') jsonb_path_ops)
  where parts @? '$[*] ? (@.outcome == "duplicate")';
