import { amazonSes, botnet, googleWorkspace, ownServers, relay } from '../hosts.ts';
import type { SampleStory } from '../sample-domain.ts';
import { forwarded, ownMail, range, spoofed, type Stream, weekly } from '../streams.ts';
import { dkimKey } from '../zone.ts';

const NAME = 'aurora-books.example';
/** Its policy became reject on this day. */
const ENFORCED = 24;

const SPF = 'v=spf1 ip4:192.0.2.24/29 ip6:2001:db8:25::/64 include:_spf.google.com -all';
/** Without the servers that send over IPv6. */
const EARLIER_SPF = 'v=spf1 ip4:192.0.2.24/29 include:_spf.google.com ~all';
const ONE_LOOKUP = 'The SPF record is valid and uses 1 of 10 DNS lookups.';

/** Its own servers changed their key in these days, with both keys in use; the old one is still published. */
const ROTATION = { first: 18, last: 25 };

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" version="1.2" baseProfile="tiny-ps"><title>Aurora Books</title></svg>';

const own = ['192.0.2.25', '192.0.2.26', '2001:db8:25::25'];
const google = range('198.51.100.', 41, 6);
const ses = range('198.51.100.', 130, 12);
const forwarders = range('198.51.100.', 17, 4);
const strangers = range('203.0.113.', 3, 40);

const ownServersMail: Stream['judge'] = (moment, random) => ownMail(NAME, selectorOn(moment.day))(moment, random);

const forwardedMail: Stream['judge'] = (moment, random) =>
  forwarded(NAME, selectorOn(moment.day), 'srs.mailrelay.example')(moment, random);

function selectorOn(day: number): string {
  if (day < ROTATION.first) return 'mx2024';
  return day > ROTATION.last || day % 2 === 0 ? 'mx2025' : 'mx2024';
}

/** A shop that is protected: everything is published, and mail passes but for what others forward or forge. */
export const auroraBooks: SampleStory = {
  name: NAME,
  policyOn(day) {
    const policy = day < ENFORCED ? 'quarantine' : 'reject';
    return { policy, subdomainPolicy: policy, failureOptions: '1' };
  },
  streams: [
    { volume: weekly(900, 350), sources: own, spread: 2, judge: ownServersMail },
    { volume: weekly(1_400, 300), sources: google, spread: 2, judge: ownMail(NAME, 'google') },
    {
      volume: ({ weekday }) => (weekday === 2 || weekday === 4 ? 9_000 : 250),
      sources: ses,
      spread: 4,
      judge: ownMail(NAME, 'ses1', `mail.${NAME}`),
    },
    {
      volume: weekly(60, 25),
      sources: forwarders,
      spread: 1,
      judge: forwardedMail,
    },
    {
      volume: () => 25,
      sources: strangers,
      spread: 1,
      judge: spoofed(NAME, ['host.example.net', 'vps.example.org']),
    },
  ],
  zone: {
    txt: {
      [`_dmarc.${NAME}`]: [`v=DMARC1; p=reject; sp=reject; fo=1; rua=mailto:dmarc@${NAME}`],
      [NAME]: [SPF],
      '_spf.google.com': ['v=spf1 ip4:198.51.100.40/29 ~all'],
      [`mail.${NAME}`]: ['v=spf1 include:amazonses.com -all'],
      'amazonses.com': ['v=spf1 ip4:198.51.100.128/28 -all'],
      [`mx2024._domainkey.${NAME}`]: [dkimKey],
      [`mx2025._domainkey.${NAME}`]: [dkimKey],
      [`google._domainkey.${NAME}`]: [dkimKey],
      [`ses1._domainkey.${NAME}`]: [dkimKey],
      [`_mta-sts.${NAME}`]: ['v=STSv1; id=20260101'],
      [`_smtp._tls.${NAME}`]: [`v=TLSRPTv1; rua=mailto:dmarc@${NAME}`],
      [`default._bimi.${NAME}`]: [`v=BIMI1; l=https://${NAME}/logo.svg;`],
    },
    mx: { [NAME]: [`mx1.${NAME}`, `mx2.${NAME}`] },
    addresses: {
      [`mx1.${NAME}`]: ['192.0.2.25', '2001:db8:25::25'],
      [`mx2.${NAME}`]: ['192.0.2.26'],
      [`mta-sts.${NAME}`]: ['192.0.2.27'],
    },
    files: {
      [`mta-sts.${NAME}`]: {
        mediaType: 'text/plain',
        body: `version: STSv1\r\nmode: enforce\r\nmx: *.${NAME}\r\nmax_age: 604800\r\n`,
      },
      [NAME]: { mediaType: 'image/svg+xml', body: LOGO },
    },
  },
  history: [
    { daysAgo: 45, subject: 'spf', status: 'ok', details: ONE_LOOKUP, records: [EARLIER_SPF] },
    { daysAgo: 5, subject: 'spf', status: 'ok', details: ONE_LOOKUP, records: [SPF] },
  ],
  hosts: [
    ownServers(own, `mx#.${NAME}`),
    googleWorkspace(google),
    amazonSes(ses),
    relay(forwarders, 'srs-#.mailrelay.example'),
    ...botnet(strangers),
  ],
};
