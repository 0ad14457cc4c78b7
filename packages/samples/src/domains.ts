import type { SampleDomain, SampleRecord } from './facts.ts';
import type { Random } from './random.ts';

/** One of the forty days: its number, its position in the period (from 0 to 1), and its day of the week. */
export interface Moment {
  day: number;
  /** 0 is Sunday. */
  weekday: number;
  progress: number;
  isWorkday: boolean;
}

/** A stream of mail in a domain's name: its volume on a day, and a receiver's findings about one of its servers. */
export interface Stream {
  /** Messages on a day, of all receivers together. */
  volume: (moment: Moment) => number;
  sources: string[];
  /** How many of the sources one receiver sees on a day. */
  spread: number;
  judge: (moment: Moment, random: Random) => Judgement;
}

/** A receiver's findings: the identities, and the aligned outcomes. */
type Judgement = Pick<SampleRecord, 'dkim' | 'spf' | 'dkimResults' | 'spfResult'> & {
  headerFrom?: string;
  reason?: SampleRecord['reason'];
};

const SHOP: SampleDomain = {
  name: 'aurora-books.example',
  policy: 'reject',
  subdomainPolicy: 'reject',
  failureOptions: '1',
};
const STUDIO: SampleDomain = {
  name: 'tidewater.example',
  policy: 'none',
  subdomainPolicy: 'none',
  failureOptions: '0',
};

const range = (prefix: string, from: number, count: number) =>
  Array.from({ length: count }, (_, i) => `${prefix}${from + i}`);
const weekly =
  (workday: number, weekend: number) =>
  ({ isWorkday, progress }: Moment) =>
    (isWorkday ? workday : weekend) * (1 + progress / 5);

/** A server or service that signs and sends correctly for the domain. */
function ownMail(domain: string, selector: string, returnPath = domain): Stream['judge'] {
  return (_, random) => ({
    dkim: 'pass',
    spf: random.chance(99) ? 'pass' : 'fail',
    dkimResults: [{ domain, selector, result: 'pass' }],
    spfResult: { domain: returnPath, result: random.chance(99) ? 'pass' : 'softfail' },
  });
}

/** Mail that a recipient has forwarded: the path is the forwarder's, the signature mostly survives. */
function forwarded(domain: string, selector: string, forwarder: string): Stream['judge'] {
  return (_, random) => {
    const dkim = random.chance(60) ? 'pass' : 'fail';
    const reason = random.chance(50)
      ? { type: 'forwarded' }
      : { type: 'local_policy', comment: 'arc=pass as.1.forwarder' };
    return {
      dkim,
      spf: 'fail',
      dkimResults: [{ domain, selector, result: dkim }],
      spfResult: { domain: forwarder, result: 'pass' },
      ...(dkim === 'fail' && { reason }),
    };
  };
}

/** Mail of other senders under the domain's name. */
function spoofed(domain: string, returnPaths: string[]): Stream['judge'] {
  return (_, random) => ({
    dkim: 'fail',
    spf: 'fail',
    headerFrom: random.chance(20) ? `billing.${domain}` : domain,
    dkimResults: [],
    spfResult: { domain: random.pick(returnPaths), result: random.pick(['fail', 'softfail', 'none', 'none']) },
  });
}

/**
 * A platform that is not set up for the domain: all passes, in the platform's own name. It is fixed late in the period.
 */
const newsletterPlatform: Stream['judge'] = ({ progress }) => {
  const isMended = progress > 0.7;
  const own = { domain: STUDIO.name, selector: 's1', result: 'pass' };
  return {
    dkim: isMended ? 'pass' : 'fail',
    spf: 'fail',
    dkimResults: [...(isMended ? [own] : []), { domain: 'sendgrid.net', selector: 'smtpapi', result: 'pass' }],
    spfResult: { domain: 'bounces.sendgrid.net', result: 'pass' },
  };
};

/** Hosted mail that signs with the provider's name at first, and with the domain's own once that is enabled. */
const hostedMail: Stream['judge'] = ({ progress }, random) => {
  const isSigned = progress > 0.35;
  const signer = isSigned ? STUDIO.name : 'tidewaterstudio.onmicrosoft.com';
  return {
    dkim: isSigned ? 'pass' : 'fail',
    spf: random.chance(97) ? 'pass' : 'fail',
    dkimResults: [{ domain: signer, selector: isSigned ? 'selector1' : 'selector1-tidewater', result: 'pass' }],
    spfResult: { domain: STUDIO.name, result: 'pass' },
  };
};

const mailingList: Stream['judge'] = () => ({
  dkim: 'fail',
  spf: 'fail',
  reason: { type: 'mailing_list', comment: 'known list' },
  dkimResults: [
    { domain: STUDIO.name, selector: 'selector1', result: 'fail' },
    { domain: 'lists.example.org', selector: 'list', result: 'pass' },
  ],
  spfResult: { domain: 'lists.example.org', result: 'pass' },
});

const WAVE = { first: 18, last: 22 };

/** The two domains of the samples, and the mail sent in their names. */
export const domains: { domain: SampleDomain; streams: Stream[] }[] = [
  {
    domain: SHOP,
    streams: [
      {
        volume: weekly(900, 350),
        sources: ['192.0.2.25', '192.0.2.26', '2001:db8:25::25'],
        spread: 2,
        judge: ownMail(SHOP.name, 'mx2024'),
      },
      {
        volume: weekly(1_400, 300),
        sources: range('209.85.220.', 41, 6),
        spread: 2,
        judge: ownMail(SHOP.name, 'google'),
      },
      {
        volume: ({ weekday }) => (weekday === 2 || weekday === 4 ? 9_000 : 250),
        sources: range('54.240.8.', 30, 12),
        spread: 4,
        judge: ownMail(SHOP.name, 'ses1', `mail.${SHOP.name}`),
      },
      {
        volume: weekly(60, 25),
        sources: range('198.51.100.', 17, 4),
        spread: 1,
        judge: forwarded(SHOP.name, 'mx2024', 'srs.mailrelay.example.net'),
      },
      {
        volume: () => 25,
        sources: range('203.0.113.', 3, 40),
        spread: 1,
        judge: spoofed(SHOP.name, ['host.example.net', 'vps.example.org']),
      },
    ],
  },
  {
    domain: STUDIO,
    streams: [
      { volume: weekly(1_100, 180), sources: range('40.107.22.', 60, 10), spread: 3, judge: hostedMail },
      {
        volume: ({ weekday }) => (weekday === 3 ? 4_000 : 120),
        sources: range('167.89.101.', 8, 8),
        spread: 2,
        judge: newsletterPlatform,
      },
      { volume: weekly(90, 30), sources: ['198.51.100.40', '2001:db8:40::1'], spread: 1, judge: mailingList },
      {
        volume: weekly(70, 30),
        sources: range('198.51.100.', 90, 3),
        spread: 1,
        judge: forwarded(STUDIO.name, 'selector1', 'alias.forwardbox.example.net'),
      },
      {
        volume: ({ day }) => (day >= WAVE.first && day <= WAVE.last ? 6_500 : 12),
        sources: range('203.0.113.', 60, 160),
        spread: 9,
        judge: spoofed(STUDIO.name, ['example.net', 'mail.example.org', 'host-7.example.net']),
      },
    ],
  },
];
