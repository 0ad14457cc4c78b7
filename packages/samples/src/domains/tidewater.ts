import { botnet, microsoft365, relay, sendGrid } from '../hosts.ts';
import type { SampleStory } from '../sample-domain.ts';
import { forwarded, range, spoofed, type Stream, weekly } from '../streams.ts';
import { dkimKey } from '../zone.ts';

const NAME = 'tidewater.example';
/** The days of a wave of forged mail. */
const WAVE = { first: 38, last: 42 };

const hosted = range('192.0.2.', 60, 10);
const platform = range('192.0.2.', 108, 8);
const lists = ['198.51.100.70', '2001:db8:40::1'];
const forwarders = range('198.51.100.', 90, 3);
const strangers = range('203.0.113.', 60, 160);

/** Hosted mail that signs with the provider's name at first, and with the domain's own once that is enabled. */
const hostedMail: Stream['judge'] = ({ progress }, random) => {
  const isSigned = progress > 0.35;
  const signer = isSigned ? NAME : 'tidewaterstudio.onmicrosoft.com';
  return {
    dkim: isSigned ? 'pass' : 'fail',
    spf: random.chance(97) ? 'pass' : 'fail',
    dkimResults: [{ domain: signer, selector: isSigned ? 'selector1' : 'selector1-tidewater', result: 'pass' }],
    spfResult: { domain: NAME, result: 'pass' },
  };
};

/**
 * A platform that is not set up for the domain: all passes, in the platform's own name. It is fixed late in the period.
 */
const newsletterPlatform: Stream['judge'] = ({ progress }) => {
  const isMended = progress > 0.7;
  const own = { domain: NAME, selector: 's1', result: 'pass' };
  return {
    dkim: isMended ? 'pass' : 'fail',
    spf: 'fail',
    dkimResults: [...(isMended ? [own] : []), { domain: 'sendgrid.net', selector: 'smtpapi', result: 'pass' }],
    spfResult: { domain: 'bounces.sendgrid.net', result: 'pass' },
  };
};

const mailingList: Stream['judge'] = () => ({
  dkim: 'fail',
  spf: 'fail',
  reason: { type: 'mailing_list', comment: 'known list' },
  dkimResults: [
    { domain: NAME, selector: 'selector1', result: 'fail' },
    { domain: 'lists.example.org', selector: 'list', result: 'pass' },
  ],
  spfResult: { domain: 'lists.example.org', result: 'pass' },
});

/** A studio at the beginning: its policy is none, a service is set up late, and strangers forge its mail. */
export const tidewater: SampleStory = {
  name: NAME,
  policyOn: () => ({ policy: 'none', subdomainPolicy: 'none', failureOptions: '0' }),
  reporters: 6,
  streams: [
    { volume: weekly(1_100, 180), sources: hosted, spread: 3, judge: hostedMail },
    {
      volume: ({ weekday }) => (weekday === 3 ? 4_000 : 120),
      sources: platform,
      spread: 2,
      judge: newsletterPlatform,
    },
    { volume: weekly(90, 30), sources: lists, spread: 1, judge: mailingList },
    {
      volume: weekly(70, 30),
      sources: forwarders,
      spread: 1,
      judge: forwarded(NAME, 'selector1', 'alias.forwardbox.example'),
    },
    {
      volume: ({ day }) => (day >= WAVE.first && day <= WAVE.last ? 6_500 : 12),
      sources: strangers,
      spread: 9,
      judge: spoofed(NAME, ['example.net', 'mail.example.org', 'host-7.example.net']),
    },
    // one that is known for abuse sends every day, so that the samples show one whatever the day
    { volume: () => 30, sources: strangers.slice(0, 1), spread: 1, judge: spoofed(NAME, ['example.net']) },
  ],
  zone: {
    txt: {
      [`_dmarc.${NAME}`]: [`v=DMARC1; p=none; rua=mailto:dmarc@${NAME}`],
      [NAME]: ['v=spf1 include:spf.protection.outlook.com include:_spf.oldagency.example ~all'],
      // an agency that has not sent anything for long
      '_spf.oldagency.example': ['v=spf1 ip4:198.51.100.240/29 -all'],
      'spf.protection.outlook.com': ['v=spf1 ip4:192.0.2.56/29 ip4:192.0.2.64/29 -all'],
      [`selector1._domainkey.${NAME}`]: [dkimKey],
      [`s1._domainkey.${NAME}`]: [dkimKey],
    },
    mx: { [NAME]: ['tidewater-example.mail.protection.outlook.com'] },
  },
  hosts: [
    microsoft365(hosted),
    sendGrid(platform),
    relay(lists, 'lists-#.example.org'),
    relay(forwarders, 'alias-#.forwardbox.example'),
    ...botnet(strangers),
  ],
};
