import { type Address } from './address.ts';
import { answerOf, lists, nameOf, textOf, type TestList } from './lists.ts';

/** The expected answer of a list about an address, computed from what its zone contains. (rules, reputation/lists) */
export interface ExpectedResult {
  name: string;
  listed: boolean;
  status: 'listed' | 'clean' | 'error';
  reason?: string;
  category?: string;
  details?: string;
  tier?: number;
  delist_url?: string;
}

export function resultsOf(address: Address, scope: 'ingest' | 'full'): { list: TestList; result: ExpectedResult }[] {
  if (!address.isPublic) return [];
  return lists
    .filter(({ ingest, zoneV6 }) => (ingest || scope === 'full') && (address.family === 4 || zoneV6 !== undefined))
    .map((list) => ({ list, result: resultOf(list, address) }));
}

function resultOf(list: TestList, address: Address): ExpectedResult {
  const answer = answerOf(list, address);
  const base = { name: nameOf(list), listed: false };
  const failed = (reason: string) => ({ ...base, status: 'error' as const, reason });
  if (answer === undefined) return { ...base, status: 'clean' };
  if (answer === 'silence') return failed('timeout');
  if (answer.startsWith('127.255.255.')) return failed(`refused with ${answer}`);
  const given = answer.split(' ');
  const known = (list.codes ?? []).filter(({ code }) => given.includes(code));
  const unknown = given.filter((code) => !known.some((one) => one.code === code) && !list.cleanCodes?.includes(code));
  if (list.codes && known.length === 0)
    return unknown.length > 0 ? failed(`answered ${unknown.join(', ')}`) : { ...base, status: 'clean' };
  const tier = list.codes ? Math.max(...known.map((one) => one.tier)) : (list.tier ?? 0);
  const gravest = known.filter((one) => one.tier === tier);
  const meaning = gravest.flatMap((one) => one.meaning ?? []).join(', ');
  const details = textOf(list, address);
  const reason = meaning || details;
  return {
    name: nameOf(list),
    listed: true,
    status: 'listed',
    ...(reason && { reason }),
    ...(details && { details }),
    category: gravest[0]?.category ?? list.category,
    tier,
    ...(list.delistUrl && { delist_url: list.delistUrl }),
  };
}

const weights = [1, 5, 25, 60, 90];

/** (rules, reputation/blocklist-verdict) */
export function verdictOf(address: Address, scope: 'ingest' | 'full') {
  const results = resultsOf(address, scope);
  const of = (status: string) => results.filter(({ result }) => result.status === status);
  const listings = of('listed').toSorted((a, b) => b.result.tier! - a.result.tier! || a.list.rank - b.list.rank);
  const [listed, errored, total] = [listings.length, of('error').length, results.length];
  const checked = total - errored;
  const enforced = results.filter(({ list }) => list.tier === 3);
  const isThin =
    checked * 2 < total || (enforced.length > 0 && enforced.every(({ result }) => result.status === 'error'));
  const top = listings[0]?.result;
  const severity =
    total === 0 ? 'unchecked' : top ? severityOf(top.tier!) : isThin ? ('degraded' as const) : ('clean' as const);
  const [gravest = 0, ...others] = listings.map(({ result }) => weights[result.tier!]!);
  const sum = gravest + Math.floor(others.reduce((all, weight) => all + weight, 0) / 4);
  const cap = { critical: 100, warning: 59, advisory: 24 }[severity as string] ?? 0;
  const names = listings.map(({ result }) => result.name);
  const hasMalwareC2 = listings.some(({ result }) => result.category === 'malware_c2');
  const firstError = of('error').toSorted((a, b) => a.list.rank - b.list.rank)[0];
  return {
    severity,
    listed,
    clean: checked - listed,
    errored,
    checked,
    total,
    score: Math.min(cap, sum),
    ...(names.length > 0 && { names, top_list: names[0], top_tier: top!.tier }),
    ...(top?.reason && { top_reason: top.reason }),
    ...(firstError && { top_errored: firstError.result.name }),
    has_malware_c2: hasMalwareC2,
    urgency: {
      critical: 'now',
      warning: 'soon',
      advisory: 'monitor',
      degraded: 'monitor',
      clean: 'none',
      unchecked: 'none',
    }[severity],
    summary: summaryOf(severity, names, { checked, total, hasMalwareC2 }),
    ...(scope === 'ingest' && total > 0 && { scope }),
  };
}

function severityOf(tier: number): 'critical' | 'warning' | 'advisory' {
  return tier >= 3 ? 'critical' : tier === 2 ? 'warning' : 'advisory';
}

function summaryOf(
  severity: string,
  names: string[],
  { checked, total, hasMalwareC2 }: { checked: number; total: number; hasMalwareC2: boolean },
): string {
  const shown = names.slice(0, 3).join(', ') + (names.length > 3 ? ` and ${names.length - 3} more` : '');
  const others = names.length - 1;
  switch (severity) {
    case 'unchecked':
      return 'This address has not been checked against blocklists.';
    case 'clean':
      return `Not listed on any of ${checked} blocklists.`;
    case 'degraded':
      return `Not listed, but only ${checked} of ${total} blocklists answered.`;
    case 'advisory':
      return `Listed on ${shown}. These lists do not affect mail delivery.`;
    case 'warning':
      return `Listed on ${shown}. Some receivers may reject or filter this mail.`;
    default:
      return [
        `Listed on ${names[0]}, which many receivers enforce.`,
        ...(hasMalwareC2 ? ['It marks malware infrastructure.'] : []),
        ...(others > 0 ? [others === 1 ? '1 other list agrees.' : `${others} other lists agree.`] : []),
      ].join(' ');
  }
}

/** The tiers and the category of every listing. */
export function listingsOf(address: Address, scope: 'ingest' | 'full'): { tier: number; category: string }[] {
  return resultsOf(address, scope).flatMap(({ result: { listed, tier, category } }) =>
    listed ? [{ tier: tier!, category: category! }] : [],
  );
}
