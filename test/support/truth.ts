/** A report as its maker knows it. */
export interface TrueReport {
  reportId: string;
  domain: string;
  /** Epoch seconds. */
  begin: number;
  end: number;
  records: TrueRecord[];
}

export interface TrueRecord {
  ip: string;
  count: number;
  dkim: boolean;
  spf: boolean;
}

/** The totals that the API returns, of an organization or of one domain. */
export interface Totals {
  all: { reports: number; messages: number; compliant: number; sources: number; domains: number };
  /** Days that have reports. */
  days: { [day: string]: { reports: number; messages: number; compliant: number } };
  sources: { [ip: string]: SourceTotals };
  /** By domain, report id and window. */
  reports: { [key: string]: { messages: number; compliant: number } };
}

export interface SourceTotals {
  messages: number;
  pass: number;
  fail: number;
  spfFail: number;
  dkimFail: number;
  firstSeen: string;
  lastSeen: string;
  domains: string;
}

/** The expected totals of these reports, by plain sums. */
export function sumUp(reports: readonly TrueReport[]): Totals {
  const totals: Totals = {
    all: { reports: 0, messages: 0, compliant: 0, sources: 0, domains: 0 },
    days: {},
    sources: {},
    reports: {},
  };
  for (const report of reports) addReport(totals, report);
  totals.all.sources = Object.keys(totals.sources).length;
  totals.all.domains = new Set(reports.map(({ domain }) => domain)).size;
  return totals;
}

function addReport(
  { all, days, sources, reports }: Totals,
  { reportId, domain, begin, end, records }: TrueReport,
): void {
  const day = instant(Math.floor((begin + end) / 2)).slice(0, 10);
  const ofDay = (days[day] ??= { reports: 0, messages: 0, compliant: 0 });
  const own = (reports[`${domain} ${reportId} ${instant(begin)}`] = { messages: 0, compliant: 0 });
  all.reports += 1;
  ofDay.reports += 1;
  for (const { ip, count, dkim, spf } of records) {
    const source = (sources[ip] ??= newSource(begin, end));
    const compliant = dkim || spf ? count : 0;
    for (const sum of [all, ofDay, own]) {
      sum.messages += count;
      sum.compliant += compliant;
    }
    source.messages += count;
    source.pass += compliant;
    source.fail += count - compliant;
    source.spfFail += spf ? 0 : count;
    source.dkimFail += dkim ? 0 : count;
    if (instant(begin) < source.firstSeen) source.firstSeen = instant(begin);
    if (instant(end) > source.lastSeen) source.lastSeen = instant(end);
    source.domains = [...new Set([...source.domains.split(',').filter(Boolean), domain])].toSorted().join(',');
  }
}

function newSource(begin: number, end: number): SourceTotals {
  const none = { messages: 0, pass: 0, fail: 0, spfFail: 0, dkimFail: 0, domains: '' };
  return { ...none, firstSeen: instant(begin), lastSeen: instant(end) };
}

export function instant(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
