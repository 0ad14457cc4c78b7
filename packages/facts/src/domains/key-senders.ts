import type { Db } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { relayingOf } from '../senders/relaying-of.ts';
import { isNetwork, senderKey } from '../senders/sender-key.ts';

/** A pair of signing domain and selector. */
export interface KeyName {
  domain: string;
  selector: string;
}

/** Of the newest reports of a key, so many, and so many records of each, show who uses it. */
const READ = { reports: 3, records: 500 };
const SENDERS = 5;

/** A sender that reports show with a key. */
export interface KeySender {
  /** See `senderKey`. */
  sender: string;
  /**
   * False where it may only have forwarded signed mail: it relays mail of others, and none of what it sent with the key
   * passed SPF as the domain.
   */
  mayHoldKey: boolean;
}

/**
 * Returns the senders that the newest reports show with each key, in the order of the keys. (rules, dkim-keys/findings)
 */
export async function findKeySenders(
  db: Db,
  { orgId, domainId, today }: { orgId: string; domainId: string; today: Day },
  keys: readonly KeyName[],
): Promise<KeySender[][]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<{ place: number; senders: { sender: string; passes: boolean }[] }>`
    select s.place, json_agg(json_build_object('sender', s.sender, 'passes', s.passes) order by s.sender) as senders
    from (select k.place, x.sender, bool_or(x.spf_pass) as passes
    from rows from (json_to_recordset(${JSON.stringify(keys)}::json) as (domain text, selector text)) with ordinality
        as k (domain, selector, place)
      cross join lateral (
        select p.report_id, p.day from dkim_pass p where p.org_id = ${orgId} and p.domain_id = ${domainId}
          and p.signer = k.domain and p.selector = k.selector and p.day <= ${today}::date
        order by p.day desc limit ${READ.reports}) r
      cross join lateral (
        select ${senderKey(sql`t.service_slug`, sql`c.source_ip`)} as sender, c.spf_pass
        from report_record c left join source_total t on t.org_id = ${orgId} and t.source_ip = c.source_ip
        where c.org_id = ${orgId} and c.report_id = r.report_id and c.position <= ${READ.records} and c.dkim_pass
          and jsonb_typeof(c.dkim_results) = 'array' and exists (
            select from jsonb_array_elements(c.dkim_results) e (value) where e.value ->> 'result' = 'pass'
              and e.value ->> 'domain' = k.domain and lower(btrim(e.value ->> 'selector')) = k.selector)) x
    group by k.place, x.sender) s
    group by s.place`.execute(db);
  const found = new Map(rows.map(({ place, senders }) => [place, foremost(senders.map(keySender))]));
  return keys.map((_, i) => found.get(i + 1) ?? []);
}

/** Some of them, first those that may hold the key, and services: a key may have many forwarders. */
function foremost(senders: readonly KeySender[]): KeySender[] {
  const rank = ({ sender, mayHoldKey }: KeySender) => (mayHoldKey ? 0 : 2) + (isNetwork(sender) ? 1 : 0);
  const chosen = new Set(senders.toSorted((a, b) => rank(a) - rank(b)).slice(0, SENDERS));
  return senders.filter((sender) => chosen.has(sender));
}

function keySender({ sender, passes }: { sender: string; passes: boolean }): KeySender {
  const { isForwarder, mayRelay } = relayingOf(isNetwork(sender) ? null : sender);
  return { sender, mayHoldKey: passes || isNetwork(sender) || !(isForwarder || mayRelay) };
}
