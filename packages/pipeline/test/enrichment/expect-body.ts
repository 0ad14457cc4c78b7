import { expect } from 'vitest';
import { blocks } from './address.ts';
import { resultsOf } from './expect-lists.ts';
import { sourceClassOf, sumsOf, type Expected } from './expect-source.ts';
import { DAYS, reportIdOf, windowOf, type Sent } from './mail.ts';
import { categoryNames } from './reputation.ts';
import { times } from './dice.ts';

const instant = (seconds: number) => new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z');

/** Two digits, half up, and never 100 or 0 by rounding. (rules, verdict/rates) */
function rateOf(part: number, whole: number): number {
  if (whole === 0) return 0;
  const rate = Math.floor((20_000 * part + whole) / (2 * whole)) / 100;
  return part < whole && rate === 100 ? 99.99 : part > 0 && rate === 0 ? 0.01 : rate;
}

function figuresOf(known: Expected) {
  const { total, pass, spf, dkim } = sumsOf(known);
  const windows = known.mail.map(({ day }) => windowOf(day));
  return {
    source_ip: known.address.ip,
    total_messages: total,
    pass_count: pass,
    fail_count: total - pass,
    spf_fail_count: total - spf,
    dkim_fail_count: total - dkim,
    compliance_rate: rateOf(pass, total),
    first_seen: instant(Math.min(...windows.map(({ begin }) => begin))),
    last_seen: instant(Math.max(...windows.map(({ end }) => end))),
  };
}

function serviceOf({ service }: Expected) {
  return service && { service_name: service.name, service_icon: service.icon, service_slug: service.slug };
}

const domainsOf = ({ mail }: Expected) => [...new Set(mail.map(({ domain }) => domain))].sort();
const hostNameOf = ({ host: { state, name } }: Expected) => (state === 'confirmed' ? { hostname: name } : {});

/** (rules, reputation/reputation-reason) */
function reasonOf(known: Expected): string | undefined {
  const { abuse, score, verdict, isTor, host, service } = known;
  if (verdict.has_malware_c2) return `Listed as malware infrastructure on ${verdict.top_list}.`;
  if (abuse === 'malicious' && score!.reports > 0)
    return `Reported for abuse ${score!.reports === 1 ? 'once' : '1,234 times'}; confidence ${score!.score}%.`;
  if (abuse === 'malicious' || abuse === 'suspicious') return `Abuse confidence ${score!.score}%.`;
  if ((verdict.top_tier ?? 0) >= 3) return `Listed on ${verdict.top_list}.`;
  if (isTor) return 'This address is a Tor exit.';
  const { total, pass } = sumsOf(known);
  if (total > pass && host.state === 'none') return 'Reverse DNS is missing.';
  if (total > pass && host.generic) return 'Reverse DNS looks like a consumer connection.';
  if (total > pass && host.state === 'unconfirmed') return 'Reverse DNS does not match the address.';
  return abuse === 'clean' && service ? `Known sending service: ${service.name}.` : undefined;
}

/** A row of `GET /sources`. A private address has no looked-up facts, but the service that its mail shows. */
export function rowOf(known: Expected) {
  const base = { ...figuresOf(known), domains: domainsOf(known).join(',') };
  const classification = sourceClassOf(known);
  if (!known.address.isPublic) return { ...base, ...serviceOf(known), blocklist_severity: 'unchecked', classification };
  const { abuse, score, verdict, isp, countryCode } = known;
  const reason = reasonOf(known);
  return {
    ...base,
    ...serviceOf(known),
    abuse_status: abuse,
    ...(score?.score !== 0 && { abuse_score: score?.score ?? -1 }),
    ...(reason && { reputation_reason: reason }),
    blocklist_severity: verdict.severity,
    ...(verdict.severity !== 'unchecked' && { blocklist_summary: verdict.summary }),
    ...(isp && { isp }),
    ...(countryCode && { country: countryCode }),
    ...hostNameOf(known),
    classification,
  };
}

export function topRowOf(known: Expected) {
  const { total, pass, spf, dkim } = sumsOf(known);
  const sums = { count: total, pass, fail: total - pass, spf_fail: total - spf, dkim_fail: total - dkim };
  return { source_ip: known.address.ip, ...sums, ...serviceOf(known) };
}

/** The body of `GET /sources/{ip}`, but for the two instants of the lookup itself. */
export function detailOf(known: Expected) {
  const classification = sourceClassOf(known);
  const why = descriptionOf(known, classification);
  return {
    ...figuresOf(known),
    domains: domainsOf(known),
    ...reportsOf(known),
    timeline: timelineOf(known),
    ...(known.address.isPublic
      ? { ...serviceOf(known), ...hostNameOf(known), ...geoOf(known), enrichment: enrichmentOf(known) }
      : serviceOf(known)),
    blocklist_verdict: known.verdict,
    ...(known.address.isPublic && { spam_signals: signalsOf(known) }),
    classification,
    ...(why && { classification_description: why }),
  };
}

/** One row for each day and domain; the record with most messages decides each. */
function reportsOf({ mail }: Expected) {
  const groups = [...Map.groupBy(mail, reportIdOf).values()];
  const records = groups.map((group) => {
    const [foremost] = group.toSorted((a, b) => b.count - a.count || Number(isPass(a)) - Number(isPass(b)));
    const { day, domain, pass } = foremost!;
    const word = (passes: boolean) => (passes ? 'pass' : 'fail');
    return {
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      report_id: reportIdOf({ day, domain }),
      domain,
      header_from: domain,
      org_name: 'reporter.test',
      count: group.reduce((sum, { count }) => sum + count, 0),
      disposition: 'none',
      dkim_result: word(pass.dkim),
      spf_result: word(pass.spf),
      date_begin: instant(windowOf(day).begin),
      date_end: instant(windowOf(day).end),
    };
  });
  return { records: inOrder(records), records_total: groups.length };
}

/** The newest end first; reports with the same end have no defined order. */
export function inOrder<Row extends { date_end: string; domain: string }>(records: Row[]): Row[] {
  return records.toSorted((a, b) =>
    a.date_end === b.date_end ? (a.domain < b.domain ? -1 : 1) : a.date_end < b.date_end ? 1 : -1,
  );
}

const isPass = ({ pass }: Sent) => pass.dkim || pass.spf;

function timelineOf({ mail }: Expected) {
  return times(DAYS, (day) => mail.filter((sent) => sent.day === day)).flatMap((sent) => {
    if (sent.length === 0) return [];
    const total = sent.reduce((sum, { count }) => sum + count, 0);
    const compliant = sent.filter(isPass).reduce((sum, { count }) => sum + count, 0);
    return [
      {
        date: instant(windowOf(sent[0]!.day).begin).slice(0, 10),
        reports: new Set(sent.map(reportIdOf)).size,
        total_messages: total,
        compliant_messages: compliant,
        failed_messages: total - compliant,
        compliance_rate: rateOf(compliant, total),
      },
    ];
  });
}

function geoOf({ address, country }: Expected) {
  if (!country) return {};
  const {
    city = null,
    latitude = null,
    longitude = null,
  } = (address.block === undefined ? undefined : blocks[address.block]?.place) ?? {};
  return { geo: { country, city, latitude, longitude } };
}

function enrichmentOf(known: Expected) {
  const { address, scope, score, abuse, service, verdict, isp, country, countryCode } = known;
  const { city, latitude, longitude } = (address.block === undefined ? undefined : blocks[address.block]?.place) ?? {};
  const kinds = score && [...new Set(score.categories)].map((number) => categoryNames[number]!).sort();
  const results = resultsOf(address, scope).map(({ result }) => result);
  return {
    ip: address.ip,
    ...(country && { country }),
    ...(city && { city, latitude, longitude }),
    ...(isp && { isp }),
    ...(score?.usage && { usage_type: score.usage }),
    ...(countryCode && { country_code: countryCode }),
    abuse_score: score?.score ?? -1,
    abuse_reports: score?.reports ?? 0,
    ...(kinds && { abuse_categories: kinds }),
    abuse_status: abuse,
    ...(service && { sender_name: service.name, sender_slug: service.slug, sender_icon: service.icon }),
    ...hostNameOf(known),
    blocklist_listed: verdict.listed,
    blocklist_total: verdict.total,
    ...(results.length > 0 && { blocklist_results: results }),
    ...(score?.lastReported && { abuse_last_reported: '2026-01-05T06:07:08Z' }),
    enriched_at: 'looked up',
    updated_at: 'looked up',
  };
}

/** The signals that apply, by score, then by name. (rules, reputation/spam-signals) */
function signalsOf(known: Expected) {
  const { abuse, score, isTor, verdict, host, service } = known;
  const tier = verdict.top_tier;
  const kinds = score?.categories ?? [];
  const rows: [string, number, boolean, string][] = [
    ['BLOCKLIST_TIER_4', 5, tier === 4, 'Listed as hijacked space or malware infrastructure'],
    ['BLOCKLIST_TIER_3', 3.3, tier === 3, 'Listed on a widely enforced blocklist'],
    ['ABUSE_HIGH', 3, abuse === 'malicious', 'High abuse confidence'],
    ['TOR_EXIT', 3, isTor, 'Tor exit node'],
    ['ABUSE_MEDIUM', 1.5, abuse === 'suspicious', 'Some abuse reports'],
    ['BLOCKLIST_TIER_2', 1.5, tier === 2, 'Listed on a mail blocklist'],
    ['RDNS_NONE', 1.3, host.state === 'none', 'No reverse DNS'],
    ['RDNS_DYNAMIC', 1, host.generic, 'Reverse DNS looks like a consumer connection'],
    ['VPN_OR_PROXY', 1, score?.usage === 'VPN Provider' || kinds.includes(9), 'VPN or proxy address'],
    ['FCRDNS_MISMATCH', 0.8, host.state === 'unconfirmed', 'Reverse DNS does not resolve back to the address'],
    [
      'HOSTING_RANGE',
      0.5,
      score?.usage?.startsWith('Data') === true && !service,
      'Address belongs to a hosting network',
    ],
    ['BLOCKLIST_TIER_1', 0.2, tier === 0 || tier === 1, 'Listed on an advisory blocklist'],
    ['FCRDNS_PASS', -0.5, host.state === 'confirmed' && !host.generic, 'Reverse DNS is consistent'],
    ['KNOWN_SENDER', -1, service?.isStrong === true, 'Recognised sending service'],
  ];
  return rows.flatMap(([name, points, holds, description]) => (holds ? [{ name, score: points, description }] : []));
}

/** (rules, classification/class-in-words) */
function descriptionOf(known: Expected, classification: string): string | undefined {
  const { service } = known;
  const total = sumsOf(known).total;
  switch (classification) {
    case 'authenticated':
      return undefined;
    case 'likely_forwarded':
      if (service)
        return `${service.name} is relaying mail that was first sent elsewhere, which breaks SPF and sometimes DKIM. This is usually harmless.`;
      return known.mail.some(({ reason }) => reason)
        ? 'Receivers marked this mail as forwarded or sent through a mailing list, so a failure was expected.'
        : 'The failures look like ordinary forwarding: another server passed the message on after it was sent.';
    case 'suspicious':
      if (known.abuse === 'malicious' || known.isTor)
        return 'Mail from this address fails DMARC and the address has a record of abuse. Treat it as impersonation unless you recognise it.';
      return known.tiers.some((tier) => tier >= 3)
        ? `Mail from this address fails DMARC and the address is on ${known.verdict.top_list}. Treat it as impersonation unless you recognise it.`
        : 'Mail from this address fails DMARC and its reputation raises doubts. Check whether you know this sender.';
    default:
      if (service)
        return `${service.name} sends mail as your domain without aligned SPF or DKIM. If you use this service, finish its domain authentication.`;
      return total === 0
        ? 'Reports mention this address without any messages.'
        : 'Mail from this address fails DMARC and nothing tells whether it is yours. Check whether you know this sender.';
  }
}
