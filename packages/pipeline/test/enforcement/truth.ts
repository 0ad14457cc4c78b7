import { Random } from '@dmarc-ledger/testkit/random';

/** The day on which the windows end; later reports are not in them. */
export const TODAY = '2026-03-10';
export const DAYS = [30, 60, 90] as const;
/** By network, for every domain. */
export const DECISIONS: { [network: string]: 'ours' | 'forwarder' | 'not_ours' } = {
  '192.0.2.0/24': 'ours',
  '198.51.100.0/24': 'forwarder',
  '203.0.113.0/24': 'not_ours',
};
export const ABSENT = ['gone.alpha.example', 'gone.beta.example'];

interface TrueRecord {
  ip: string;
  count: number;
  disposition: string;
  evaluated: { dkim: string; spf: string };
  from: string;
  envelopeFrom: string | null;
  dkim: { domain: string; result: string }[];
  spf: { domain: string; result: string; scope: string | null }[];
}

/** A report as its maker knows it; a partial copy of it, with its first record alone, may come before. */
export interface TrueReport {
  id: string;
  domain: string;
  begin: number;
  end: number;
  policy: string;
  records: TrueRecord[];
  partial: boolean;
  arrives: 'first' | 'later';
}

const DAY = 86_400;
const LAST = Date.UTC(2026, 2, 12) / 1000;
const DOMAINS = ['alpha.example', 'alpha.example', 'beta.example', 'mail.alpha.example'] as const;
const RESULTS = ['pass', 'pass', 'fail', 'neutral', 'temperror'] as const;

/** Three years of reports, more of them in the last months; some days have none, and some are of days to come. */
export function generateYears(seed: number): TrueReport[] {
  const random = new Random(seed);
  return Array.from({ length: 900 }, (_, i) => {
    const day = random.below(3) === 0 ? random.below(1_095) : random.below(100);
    const begin = LAST - day * DAY + (random.below(5) === 0 ? random.below(24) * 3_600 : 0);
    const domain = random.pick(DOMAINS);
    const records = Array.from({ length: 1 + random.below(5) }, () => recordOf(random, domain));
    return {
      id: `r${seed}-${i}`,
      domain,
      begin,
      end: begin + (random.below(2) === 0 ? DAY : DAY - 1) * (random.below(20) === 0 ? 7 : 1),
      policy: random.pick(['none', 'quarantine', 'reject']),
      records,
      partial: records.length > 1 && random.below(6) === 0,
      arrives: random.below(5) === 0 ? 'later' : 'first',
    };
  });
}

function recordOf(random: Random, domain: string): TrueRecord {
  const from = random.pick([domain, domain, domain, `news.${domain}`, `gone.${domain}`, domain.toUpperCase()]);
  const identity = () =>
    random.pick([from.toLowerCase(), `em.${domain}`, 'service.example', domain, 'not.evaluated', `NEWS.${domain}.`]);
  return {
    ip: `${random.pick(['192.0.2', '198.51.100', '203.0.113', '100.64.3', '100.64.9'])}.${random.below(4)}`,
    count: random.below(30) === 0 ? 0 : 1 + random.below(300),
    disposition: random.pick(['none', 'none', 'quarantine', 'reject', 'pass']),
    evaluated: { dkim: random.pick(['pass', 'fail']), spf: random.pick(['pass', 'fail', 'fail']) },
    from,
    envelopeFrom: random.pick([null, '', `bounce.${domain}`]),
    dkim: Array.from({ length: random.below(4) }, () => ({ domain: identity(), result: random.pick(RESULTS) })),
    spf: Array.from({ length: random.below(3) }, () => ({
      domain: identity(),
      result: random.pick(RESULTS),
      scope: random.pick(['mfrom', 'helo', null]),
    })),
  };
}

/** The report on the wire. */
export function xmlOf({ id, domain, begin, end, policy, records }: TrueReport, isPartial = false): Buffer {
  const rows = (isPartial ? records.slice(0, 1) : records).map(
    (record) => `<record><row><source_ip>${record.ip}</source_ip><count>${record.count}</count>
<policy_evaluated><disposition>${record.disposition}</disposition><dkim>${record.evaluated.dkim}</dkim><spf>${record.evaluated.spf}</spf></policy_evaluated></row>
<identifiers><header_from>${record.from}</header_from>${record.envelopeFrom === null ? '' : `<envelope_from>${record.envelopeFrom}</envelope_from>`}</identifiers>
<auth_results>${record.dkim.map((one) => `<dkim><domain>${one.domain}</domain><selector>s</selector><result>${one.result}</result></dkim>`).join('')}
${record.spf.map((one) => `<spf><domain>${one.domain}</domain>${one.scope === null ? '' : `<scope>${one.scope}</scope>`}<result>${one.result}</result></spf>`).join('')}
</auth_results></record>`,
  );
  return Buffer.from(`<?xml version="1.0"?><feedback><version>1.0</version><report_metadata><org_name>Maker</org_name>
<email>reports@maker.example</email><report_id>${id}</report_id><date_range><begin>${begin}</begin><end>${end}</end></date_range></report_metadata>
<policy_published><domain>${domain}</domain><adkim>r</adkim><aspf>r</aspf><p>${policy}</p></policy_published>${rows.join('\n')}</feedback>`);
}

const STEPS: { [step: string]: { place: string[]; weaker: string[] } } = {
  quarantine: { place: ['own'], weaker: ['none'] },
  reject: { place: ['own'], weaker: ['none', 'quarantine'] },
  sp_reject: { place: ['below'], weaker: ['none', 'quarantine'] },
  np_reject: { place: ['absent'], weaker: ['none', 'quarantine'] },
  strict: { place: ['own', 'below', 'absent'], weaker: [] },
};

/** The number of days with reports of the domain, in the longest window. */
export function daysOf(reports: readonly TrueReport[], domain: string): number {
  return new Set(reportsOf(reports, domain, Math.max(...DAYS)).map(dayOf)).size;
}

function reportsOf(reports: readonly TrueReport[], domain: string, days: number): TrueReport[] {
  const last = Date.parse(TODAY) / 1000 / DAY;
  return reports.filter((report) => report.domain === domain && dayOf(report) <= last && dayOf(report) > last - days);
}

/** Of the middle of the report's window. */
function dayOf({ begin, end }: TrueReport): number {
  return Math.floor((begin + end) / 2 / DAY);
}

/** What every step would have done, record by record. */
export function effectsOf(reports: readonly TrueReport[], domain: string, days: number) {
  const counted = reportsOf(reports, domain, days).flatMap(({ records }) => records);
  return Object.entries(STEPS).map(([step, { place, weaker }]) => {
    const applied = counted.filter((record) => place.includes(placeOf(record, domain)));
    const affected = applied.filter((record) =>
      step === 'strict'
        ? passes(record) && !passesStrictly(record)
        : !passes(record) && weaker.includes(dispositionOf(record)),
    );
    const of = (decision: string | null) =>
      sum(affected.filter(({ ip }) => (DECISIONS[networkOf(ip)] ?? null) === decision));
    const networks = [...new Set(affected.filter(({ count }) => count > 0).map(({ ip }) => networkOf(ip)))];
    return {
      step,
      messages: sum(applied),
      failing: sum(applied.filter((record) => !passes(record))),
      newlyAffected: sum(affected),
      byDecision: { ours: of('ours'), forwarded: of('forwarder'), not_ours: of('not_ours'), undecided: of(null) },
      senders: networks
        .map((name) => {
          const own = affected.filter(({ ip, count }) => networkOf(ip) === name && count > 0);
          const addresses = new Set(own.map(({ ip }) => ip)).size;
          return { name, addresses, messages: sum(own), decision: DECISIONS[name] ?? null };
        })
        .sort((a, b) => b.messages - a.messages || (a.name < b.name ? -1 : 1)),
    };
  });
}

function placeOf({ from }: TrueRecord, domain: string): string {
  const name = from.toLowerCase();
  if (name === domain) return 'own';
  return ABSENT.includes(name) ? 'absent' : 'below';
}

function passes({ evaluated }: TrueRecord): boolean {
  return evaluated.dkim === 'pass' || evaluated.spf === 'pass';
}

function passesStrictly({ from, envelopeFrom, dkim, spf }: TrueRecord): boolean {
  const isExact = (domain: string) => domain.toLowerCase().replace(/\.$/, '') === from.toLowerCase();
  return (
    dkim.some(({ domain, result }) => result === 'pass' && isExact(domain)) ||
    spf.some(
      ({ domain, result, scope }) => result === 'pass' && isExact(domain) && (scope !== 'helo' || envelopeFrom === ''),
    )
  );
}

function dispositionOf({ disposition }: TrueRecord): string {
  return disposition === 'pass' ? 'none' : disposition;
}

function networkOf(ip: string): string {
  return `${ip.split('.').slice(0, 3).join('.')}.0/24`;
}

function sum(records: readonly TrueRecord[]): number {
  return records.reduce((total, { count }) => total + count, 0);
}
