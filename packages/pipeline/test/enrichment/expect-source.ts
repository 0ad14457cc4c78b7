import { blocks, type Address } from './address.ts';
import { listingsOf, verdictOf } from './expect-lists.ts';
import { hostOf, type Host } from './host.ts';
import type { Sent } from './mail.ts';
import { scoreOf, type Score } from './reputation.ts';

interface Service {
  slug: string;
  name: string;
  icon: string;
  /** Signal F7. (rules, classification/forwarding-evidence) */
  isIntermediary: boolean;
  isForwarder: boolean;
}

const services: { [slug: string]: Service } = {
  sendgrid: { slug: 'sendgrid', name: 'Twilio SendGrid', icon: 'sendgrid', isIntermediary: false, isForwarder: false },
  mailchimp: { slug: 'mailchimp', name: 'Mailchimp', icon: 'mailchimp', isIntermediary: false, isForwarder: false },
  improvmx: { slug: 'improvmx', name: 'ImprovMX', icon: 'improvmx', isIntermediary: false, isForwarder: true },
  'google-workspace': {
    slug: 'google-workspace',
    name: 'Google Workspace',
    icon: 'google',
    isIntermediary: true,
    isForwarder: false,
  },
};

/** Everything that is known of an address when its mail is judged, computed from the test world. */
export interface Expected {
  address: Address;
  scope: 'ingest' | 'full';
  mail: readonly Sent[];
  host: Host;
  score: Score | undefined;
  abuse: 'unknown' | 'clean' | 'suspicious' | 'malicious';
  isTor: boolean;
  tiers: number[];
  verdict: ReturnType<typeof verdictOf>;
  service: (Service & { isStrong: boolean }) | undefined;
  countryCode: string | undefined;
  country: string | undefined;
  isp: string | undefined;
}

export function expectSource(address: Address, mail: readonly Sent[], scope: 'ingest' | 'full'): Expected {
  const host = hostOf(address);
  const score = scoreOf(address);
  const listings = listingsOf(address, scope);
  const block = address.block === undefined ? undefined : blocks[address.block];
  const value = score?.score ?? -1;
  return {
    address,
    scope,
    mail,
    host,
    score,
    abuse: value < 0 ? 'unknown' : value < 25 ? 'clean' : value < 75 ? 'suspicious' : 'malicious',
    isTor: score?.isTor === true || score?.usage === 'Tor Exit Node' || listings.some((one) => one.category === 'tor'),
    tiers: listings.map(({ tier }) => tier),
    verdict: verdictOf(address, scope),
    service: serviceOf(host, mail),
    countryCode: block?.place?.country_code ?? score?.country?.code,
    country: block?.country ?? score?.country?.name,
    isp: block?.network?.autonomous_system_organization ?? score?.isp,
  };
}

/**
 * The operator of the host, else the one whose signature passes in half of the mail, else the one of the return path.
 * (rules, senders/evidence-for-a-service)
 */
function serviceOf(host: Host, mail: readonly Sent[]): Expected['service'] {
  if (host.service) return { ...services[host.service]!, isStrong: true };
  const total = mail.reduce((sum, { count }) => sum + count, 0);
  const vouchedFor = (passes: (sent: Sent) => boolean) => {
    const messages = mail.filter(passes).reduce((sum, { count }) => sum + count, 0);
    return messages > 0 && messages * 2 >= total ? messages : 0;
  };
  const signed = vouchedFor(({ kind }) => kind === 'signed by a service');
  if (signed > 0) return { ...services['mailchimp']!, isStrong: true };
  const returned = vouchedFor(({ kind }) => kind === 'returned to a service');
  return returned > 0 ? { ...services['sendgrid']!, isStrong: false } : undefined;
}

function softFlags({ abuse, tiers, host: { state, generic } }: Expected): number {
  return (
    (abuse === 'suspicious' ? 2 : 0) +
    (tiers.includes(2) ? 2 : 0) +
    (state === 'none' ? 1 : 0) +
    (generic ? 1 : 0) +
    (state === 'unconfirmed' ? 1 : 0)
  );
}

/** (rules, classification/class-of-a-record) */
export function classOf(sent: Sent, known: Expected): string {
  const { pass, reason, dkim, spf, domain } = sent;
  if (pass.dkim || pass.spf) return 'authenticated';
  if (reason) return 'likely_forwarded'; // every reason of this world says so
  const { abuse, isTor, tiers, service, host } = known;
  if (abuse === 'malicious' || isTor || tiers.includes(4)) return 'suspicious';
  if (tiers.includes(3) && !service?.isForwarder) return 'suspicious';
  const foreign = [...dkim, ...spf].some((one) => one.domain !== domain && one.result === 'pass');
  const relays = host.relays || spf.some((one) => one.domain.startsWith('lists.'));
  const intermediary = [service?.isForwarder, service?.isIntermediary, relays].some(Boolean);
  const points =
    (service?.isForwarder ? 3 : 0) +
    (dkim.some((one) => one.domain === domain && one.result !== 'pass') ? 2 : 0) +
    (foreign ? 1 : 0) +
    (service?.isIntermediary ? 1 : 0) +
    (relays ? 1 : 0) +
    (spf.some((one) => one.domain === domain && one.result !== 'pass') ? 1 : 0);
  const soft = softFlags(known);
  if (intermediary && points - soft >= 3) return 'likely_forwarded';
  return soft >= 2 ? 'suspicious' : 'needs_review';
}

/** The sums of a source over its mail. */
export function sumsOf(known: Expected) {
  const { mail } = known;
  const sum = (counts: (sent: Sent) => boolean) =>
    mail.filter(counts).reduce((messages, { count }) => messages + count, 0);
  const of = (name: string) => sum((sent) => classOf(sent, known) === name);
  return {
    total: sum(() => true),
    pass: sum(({ pass }) => pass.dkim || pass.spf),
    spf: sum(({ pass }) => pass.spf),
    dkim: sum(({ pass }) => pass.dkim),
    suspicious: of('suspicious'),
    needs_review: of('needs_review'),
    likely_forwarded: of('likely_forwarded'),
  };
}

/** (rules, classification/class-of-a-source) */
export function sourceClassOf(known: Expected): string {
  const sums = sumsOf(known);
  if (sums.total === 0) return 'needs_review';
  if (sums.pass * 10 >= sums.total * 9) return 'authenticated';
  const [worst] = (['suspicious', 'needs_review', 'likely_forwarded'] as const).toSorted((a, b) => sums[b] - sums[a]);
  return worst!;
}

export function hasFailures(known: Expected): boolean {
  const { total, spf, dkim } = sumsOf(known);
  return spf < total || dkim < total;
}
