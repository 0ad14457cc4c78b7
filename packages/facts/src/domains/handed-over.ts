import { haveOneStem, successorsByMail, type SelectorUse } from '@dmarc-ledger/dns-records';
import type { Db } from '@dmarc-ledger/schema';
import { addDays, type Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { findKeySenders, type KeyName } from './key-senders.ts';
import { isOwnSource } from './passing-pairs.ts';

/** A selector that mail carries; `goneSince` is the first day on which a check saw that its key is gone. */
export interface CarriedSelector extends KeyName {
  goneSince?: Day | undefined;
}

/** The mail of a domain up to a day, without that of these reports. */
export interface MailUpTo {
  orgId: string;
  domainId: string;
  today: Day;
  doubted?: readonly string[];
}

const DAYS = 7;
/** The most selectors whose senders are looked up: each takes some reports. */
const WITH_SENDERS = 20;

/**
 * Returns those of the selectors, by `pairName`, that another one took over from before their key was removed: nothing
 * is wrong with them though mail of the last days carries them. (rules, dkim-keys/correct-rotation)
 */
export async function findHandedOver(
  db: Db,
  mail: MailUpTo,
  selectors: readonly CarriedSelector[],
): Promise<Set<string>> {
  if (selectors.length < 2 || selectors.every(({ goneSince }) => goneSince === undefined)) return new Set();
  const uses = await findUses(db, mail, selectors);
  const followed = selectors.flatMap(({ goneSince, ...pair }) => {
    const old = uses.get(pairName(pair));
    if (goneSince === undefined || !old) return [];
    return [{ old, next: successorsByMail(old, [...uses.values()], goneSince) }];
  });
  const byName = followed.filter(({ old, next }) => next.some((each) => haveOneStem(each.selector, old.selector)));
  const others = followed.filter((each) => !byName.includes(each) && each.next.length > 0);
  const senders = await sendersOf(
    db,
    mail,
    others.flatMap(({ old, next }) => [old, ...next]),
  );
  const isShared = (a: KeyName, b: KeyName) => {
    const ofA = senders.get(pairName(a));
    return senders.get(pairName(b))?.some((sender) => ofA?.includes(sender)) ?? false;
  };
  const bySender = others.filter(({ old, next }) => next.some((each) => isShared(old, each)));
  return new Set([...byName, ...bySender].map(({ old }) => pairName(old)));
}

/** Names a pair of signer and selector. */
export function pairName({ domain, selector }: KeyName): string {
  return `${domain}/${selector}`;
}

async function sendersOf(db: Db, mail: MailUpTo, pairs: readonly KeyName[]): Promise<Map<string, string[]>> {
  const asked = [...new Map(pairs.map((pair) => [pairName(pair), pair])).values()].slice(0, WITH_SENDERS);
  const senders = await findKeySenders(db, mail, asked);
  const holders = (i: number) => (senders[i] ?? []).filter(({ mayHoldKey }) => mayHoldKey);
  return new Map(asked.map((pair, i) => [pairName(pair), holders(i).map(({ sender }) => sender)]));
}

/** The mail of the last 7 days that carries each selector, by day. */
async function findUses(
  db: Db,
  { orgId, domainId, today, doubted = [] }: MailUpTo,
  selectors: readonly KeyName[],
): Promise<Map<string, SelectorUse>> {
  const names = selectors.map(({ domain, selector }) => ({ signer: domain, selector }));
  const within = sql`org_id = ${orgId} and domain_id = ${domainId} and day > ${addDays(today, -DAYS)}::date
          and day <= ${today}::date`;
  const trusted = doubted.length === 0 ? sql`` : sql`and report_id <> all(${doubted}::uuid[])`;
  const { rows } = await sql<KeyName & { hasPassed: boolean; days: SelectorUse['days'] }>`
    with asked as (
      select k.*, exists (
        select from dkim_pass p where p.org_id = ${orgId} and p.domain_id = ${domainId} and p.signer = k.signer
          and p.selector = k.selector) as has_passed
      from json_to_recordset(${JSON.stringify(names)}::json) as k (signer text, selector text)),
    carried as (
      select k.signer, k.selector, s.day, s.messages as passed, 0 as failed
      from asked k cross join lateral (
        select day, sum(messages) as messages from dkim_pass p
        where ${within} and p.signer = k.signer and p.selector = k.selector ${trusted} group by day) s
      union all
      select signer, selector, day, 0, messages from (
        select signer, selector, day, source_ip, sum(messages) as messages from dkim_failure
        where ${within} and (signer, selector) in (select signer, selector from asked) ${trusted}
        group by signer, selector, day, source_ip) f
      where ${isOwnSource(orgId, domainId, sql`f.source_ip`, today)})
    select signer as domain, selector, has_passed as "hasPassed", coalesce((
      select json_agg(d) from (
        select day, sum(passed) as passed, sum(failed) as failed from carried c
        where c.signer = k.signer and c.selector = k.selector group by day) d), '[]') as days
    from asked k`.execute(db);
  return new Map(rows.map((use) => [pairName(use), use]));
}
