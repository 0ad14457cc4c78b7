import { senderKey } from '@dmarc-ledger/facts';
import type { Db } from '@dmarc-ledger/schema';
import type { MailSince } from '@dmarc-ledger/scoring';
import { dayOf, type Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** A sender and the day of its decision. */
interface DecidedSender {
  domain_id: string;
  sender: string;
  decided_at: Date | null;
}

const WINDOW_DAYS = 30;
const NONE: MailSince = { messages: 0, compliant: 0, spfPass: 0, dkimPass: 0, suspicious: 0 };

/**
 * Returns the mail of decided senders on the day of their decision and later, the last 30 days at most, in the order of
 * the senders. The days of each domain are read once.
 */
export async function findMailSinceDecision(
  db: Db,
  orgId: string,
  senders: readonly DecidedSender[],
  today: Day,
): Promise<MailSince[]> {
  const asked = senders.flatMap(({ domain_id, sender, decided_at }) =>
    decided_at === null ? [] : [{ domain_id, sender, since: dayOf(Math.floor(decided_at.getTime() / 1_000)) }],
  );
  if (asked.length === 0) return senders.map(() => NONE);
  const { rows } = await sql<MailSince & { domain_id: string; sender: string }>`
    with asked as (
      select domain_id, sender, greatest(since, ${today}::date - ${WINDOW_DAYS - 1}::integer) as since
      from json_to_recordset(${JSON.stringify(asked)}::json) as a (domain_id uuid, sender text, since date)
    ), days as (
      select x.*, ${senderKey(sql`t.service_slug`, sql`x.source_ip`)} as sender
      from (select domain_id, min(since) as since from asked group by domain_id) a
        join source_domain_day x on x.org_id = ${orgId} and x.domain_id = a.domain_id and x.day >= a.since
          and x.day <= ${today}::date
        left join source_total t on t.org_id = ${orgId} and t.source_ip = x.source_ip
    )
    select domain_id, sender, sum(messages)::bigint as messages, sum(compliant)::bigint as compliant,
      sum(spf_pass)::bigint as "spfPass", sum(dkim_pass)::bigint as "dkimPass", sum(suspicious)::bigint as suspicious
    from asked a join days d using (domain_id, sender) where d.day >= a.since group by domain_id, sender`.execute(db);
  const found = new Map(rows.map(({ domain_id, sender, ...sums }) => [`${domain_id}/${sender}`, sums]));
  return senders.map(({ domain_id, sender }) => found.get(`${domain_id}/${sender}`) ?? NONE);
}
