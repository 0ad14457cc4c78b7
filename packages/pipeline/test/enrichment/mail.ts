import type { Address } from './address.ts';
import { dice, pick, times } from './dice.ts';

interface Result {
  domain: string;
  result: string;
}

/** One record of a report about an address. */
export interface Sent {
  address: Address;
  day: number;
  domain: string;
  count: number;
  pass: { dkim: boolean; spf: boolean };
  dkim: Result[];
  spf: Result[];
  reason?: { type: string; comment?: string };
  kind: Kind;
}

const shares = [
  [3_000, 'passes'],
  [600, 'passes by DKIM alone'],
  [1_700, 'fails'],
  [1_300, 'broken on the way'],
  [400, 'own and broken'],
  [300, 'a mailing list says the receiver'],
  [200, 'ARC says the receiver'],
  [900, 'signed by a service'],
  [700, 'returned to a service'],
  [500, 'nothing at all'],
  [400, 'relayed under its own name'],
] as const;
type Kind = (typeof shares)[number][1];

export const DAYS = 5;
const DAY_ONE = Date.UTC(2026, 0, 1) / 1_000;
export const windowOf = (day: number) => ({ begin: DAY_ONE + day * 86_400, end: DAY_ONE + day * 86_400 + 86_399 });

/** One to three records of an address, on different days; all counts of an address differ. */
export function mailOf(address: Address): Sent[] {
  const { index } = address;
  const first = dice(index, 'day') % DAYS;
  return times(1 + (dice(index, 'records') % 3), (n) => {
    const domain = dice(index, `domain ${n}`) < 3_000 ? 'example.org' : 'example.com';
    const kind = pick(index, `mail ${n === 2 ? 1 : n}`, shares);
    const most = pick(index, `count ${n}`, [
      [7_000, 20],
      [2_500, 90],
      [500, 3_000],
    ] as const);
    const isEmpty = dice(index, `empty ${n}`) < 100;
    const count = isEmpty ? 0 : 1 + 4 * (dice(index, `how many ${n}`) % most) + n;
    return { address, day: (first + n) % DAYS, domain, count, kind, ...resultsOf(kind, domain) };
  });
}

function resultsOf(kind: Kind, own: string): Pick<Sent, 'pass' | 'dkim' | 'spf' | 'reason'> {
  const none = { pass: { dkim: false, spf: false }, dkim: [], spf: [] };
  const spfFails = [{ domain: own, result: 'fail' }];
  switch (kind) {
    case 'passes':
      return {
        pass: { dkim: true, spf: true },
        dkim: [{ domain: own, result: 'pass' }],
        spf: [{ domain: own, result: 'pass' }],
      };
    case 'passes by DKIM alone':
      return { pass: { dkim: true, spf: false }, dkim: [{ domain: own, result: 'pass' }], spf: spfFails };
    case 'fails':
      return { ...none, spf: spfFails };
    case 'broken on the way':
      return {
        ...none,
        dkim: [{ domain: own, result: 'fail' }],
        spf: [{ domain: 'bounce.other.test', result: 'pass' }],
      };
    case 'own and broken':
      return { ...none, dkim: [{ domain: own, result: 'fail' }], spf: spfFails };
    case 'a mailing list says the receiver':
      return { ...none, spf: spfFails, reason: { type: 'mailing_list' } };
    case 'ARC says the receiver':
      return { ...none, spf: spfFails, reason: { type: 'local_policy', comment: 'arc=pass as.1.relay.test=pass' } };
    case 'signed by a service':
      return {
        ...none,
        dkim: [{ domain: 'k1.mcsv.net', result: 'pass' }],
        spf: [{ domain: 'mail.mcsv.net', result: 'pass' }],
      };
    case 'returned to a service':
      return { ...none, spf: [{ domain: 'bounce.em.sendgrid.net', result: 'pass' }] };
    case 'nothing at all':
      return none;
    case 'relayed under its own name':
      return {
        ...none,
        dkim: [{ domain: own, result: 'temperror' }],
        spf: [{ domain: 'lists.other.test', result: 'pass' }],
      };
  }
}

/** A report for each day and domain, with all records of that day, in the shape of RFC 7489. */
export function reportsOf(sent: readonly Sent[]): Buffer[] {
  const groups = Map.groupBy(sent, ({ day, domain }) => `${day} ${domain}`);
  return [...groups.values()].map((records) => Buffer.from(xmlOf(records[0]!, records)));
}

export function reportIdOf({ day, domain }: Pick<Sent, 'day' | 'domain'>): string {
  return `${domain} day ${day}`;
}

function xmlOf(report: Sent, records: readonly Sent[]): string {
  const { begin, end } = windowOf(report.day);
  return `<?xml version="1.0"?><feedback><report_metadata><org_name>reporter.test</org_name><email>d@reporter.test</email>
<report_id>${reportIdOf(report)}</report_id><date_range><begin>${begin}</begin><end>${end}</end></date_range></report_metadata>
<policy_published><domain>${report.domain}</domain><adkim>r</adkim><aspf>r</aspf><p>none</p><pct>100</pct></policy_published>
${records.map(recordXml).join('\n')}</feedback>`;
}

function recordXml({ address, count, domain, pass, dkim, spf, reason }: Sent): string {
  const word = (passes: boolean) => (passes ? 'pass' : 'fail');
  const comment = reason?.comment ? `<comment>${reason.comment}</comment>` : '';
  const why = reason ? `<reason><type>${reason.type}</type>${comment}</reason>` : '';
  const results = [
    ...dkim.map((one) => `<dkim><domain>${one.domain}</domain><result>${one.result}</result></dkim>`),
    ...spf.map((one) => `<spf><domain>${one.domain}</domain><scope>mfrom</scope><result>${one.result}</result></spf>`),
  ].join('');
  return `<record><row><source_ip>${address.ip}</source_ip><count>${count}</count><policy_evaluated><disposition>none</disposition>
<dkim>${word(pass.dkim)}</dkim><spf>${word(pass.spf)}</spf>${why}</policy_evaluated></row>
<identifiers><header_from>${domain}</header_from></identifiers><auth_results>${results}</auth_results></record>`;
}
