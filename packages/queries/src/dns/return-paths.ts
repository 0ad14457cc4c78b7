import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import type { ReturnPath } from '@dmarc-ledger/dns-records';
import { isOfDomain } from '@dmarc-ledger/facts';
import type { Db } from '@dmarc-ledger/schema';
import { addDays, type Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { SPF_DAYS } from './spf-mail.ts';

/** Of so many addresses, so many of their newest days, and so many records of each day, show the envelope sender. */
const READ = { addresses: 200, days: 3, records: 10 };
/** Nearly all mail: this share has an envelope sender at another name. */
const NEARLY_ALL = 0.95;
const NAME = /^(?=.{1,253}$)[a-z0-9_-]+(\.[a-z0-9_-]+)+$/;

const organizationalDomain = publicSuffixDomains();

interface SeenMail {
  address: string;
  /** The domains for which receivers evaluated SPF. */
  names: string[];
  /** True if one of these results is a pass. */
  passes: boolean;
  messages: number;
}

/**
 * Returns the envelope sender that the mail of an address has, where receivers evaluate SPF for that name and nearly
 * never for the domain itself: a record says nothing of names below or above it, nor do they of it. Mail without an SPF
 * result says nothing. (rules, spf/envelope-sender-at-another-name; RFC 7208, 2.4 and 4.3)
 */
export async function findReturnPaths(
  db: Db,
  { orgId, domainId, domain, today }: { orgId: string; domainId: string; domain: string; today: Day },
  addresses: readonly string[],
): Promise<Map<string, ReturnPath>> {
  if (addresses.length === 0) return new Map();
  const { rows } = await sql<SeenMail>`
    select host(a.ip) as address, n.names, n.passes, sum(r.messages)::bigint as messages
    from unnest(${addresses.slice(0, READ.addresses)}::inet[]) as a (ip)
      cross join lateral (
        select distinct x.day from source_domain_day x where x.org_id = ${orgId} and x.source_ip = a.ip
          and ${isOfDomain(sql`x.domain_id`, domainId)} and x.messages > 0
          and x.day between ${addDays(today, 1 - SPF_DAYS)}::date and ${today}::date
        order by x.day desc limit ${READ.days}) d
      cross join lateral (
        select c.messages, c.envelope_from, c.spf_results from report_record c
        where c.org_id = ${orgId} and c.source_ip = a.ip and c.day = d.day and c.domain_id = ${domainId}
        limit ${READ.records}) r
      cross join lateral (
        select array_agg(distinct lower(e.value ->> 'domain') order by lower(e.value ->> 'domain')) as names,
          bool_or(e.value ->> 'result' = 'pass') as passes
        from jsonb_array_elements(case jsonb_typeof(r.spf_results) when 'array' then r.spf_results else '[]' end)
          as e (value)
        where e.value ->> 'domain' <> ''
          and (e.value ->> 'scope' is distinct from 'helo' or r.envelope_from = '')) n
    where n.names is not null
    group by 1, 2, 3`.execute(db);
  return new Map(
    [...Map.groupBy(rows, ({ address }) => address)].flatMap(([address, mail]) => {
      const found = returnPathOf(mail, domain);
      return found === undefined ? [] : [[address, found]];
    }),
  );
}

function returnPathOf(mail: readonly SeenMail[], domain: string): ReturnPath | undefined {
  const isOther = (name: string) => NAME.test(name) && name !== domain;
  const others = mail.filter(({ names }) => names.every(isOther));
  const all = sumOf(mail);
  if (all === 0 || sumOf(others) < NEARLY_ALL * all) return undefined;
  const byName = [...Map.groupBy(others, ({ names }) => names[0]!)].map(([name, of]) => ({ name, of, sum: sumOf(of) }));
  const [most] = byName.toSorted((a, b) => b.sum - a.sum);
  if (!most) return undefined;
  const passes = 2 * sumOf(most.of.filter((each) => each.passes)) >= most.sum;
  return { name: most.name, isRelated: organizationOf(most.name) === organizationOf(domain), passes };
}

function organizationOf(name: string): string {
  return organizationalDomain(name) ?? name;
}

function sumOf(mail: readonly SeenMail[]): number {
  return mail.reduce((sum, { messages }) => sum + messages, 0);
}
