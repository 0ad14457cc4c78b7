import type { Statement } from '@dmarc-ledger/schema';

export const insertOutbox: Statement = {
  name: 'insert-outbox',
  text: `
    insert into outbox (id, org_id, job, payload)
    select id, $1, job, payload from json_to_recordset($2::json) as o (id uuid, job text, payload jsonb)`,
};
