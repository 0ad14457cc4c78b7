import type { Statement } from '@dmarc-ledger/schema';

/** Whether the delivery `m` is what it was when it was read. */
const IS_SAME = `(m.mailbox_id, m.only_domains, m.source, m.released_at is not null, m.mail_facts)
        is not distinct from (f.mailbox_id, f.only_domains, f.source, f.is_released, f.facts_read)`;

/** Closes deliveries, and records the contents that they brought first, or are the first to prove. */
export const finishMessages: Statement = {
  name: 'finish-messages',
  text: `
    with contents as (
      insert into payload (org_id, sha256, message_id, outcome, code, failed)
      select $1, sha256, message_id, outcome, code, failed
      from json_to_recordset($3::json) as p (sha256 bytea, message_id uuid, outcome text, code text, failed boolean)
      order by sha256
      on conflict (org_id, sha256) do update set message_id = excluded.message_id, outcome = excluded.outcome,
        code = excluded.code, failed = excluded.failed
      where payload.message_id = excluded.message_id
        or excluded.outcome <> 'refused' and (payload.outcome = 'refused' or payload.failed and not excluded.failed)
    )
    update raw_message m set code = f.code, parts = f.parts, mail_received_at = f.mail_received_at,
      mail_facts = case when ${IS_SAME} then f.mail_facts else m.mail_facts end,
      state = case when ${IS_SAME} then f.state else 'received' end,
      finished_at = now(), claimed_by = null
    from json_to_recordset($2::json) as f (id uuid, state text, code text, parts jsonb, mail_received_at timestamptz,
      mail_facts jsonb, mailbox_id uuid, only_domains text[], source text, is_released boolean, facts_read jsonb)
    where m.org_id = $1 and m.id = any($4::uuid[]) and m.id = f.id`,
};
