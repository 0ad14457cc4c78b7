import { ownServers, relay } from '../hosts.ts';
import type { SampleStory } from '../sample-domain.ts';
import { ownMail, range, type Stream, weekly } from '../streams.ts';
import { revokedDkimKey, shortDkimKey } from '../zone.ts';

const NAME = 'northwind-parts.example';
/** The key of the shop's system was revoked on this day, while the system still signed with it. */
const REVOKED = 52;
const own = ['192.0.2.140'];
const shop = range('192.0.2.', 150, 2);
const forgotten = ['192.0.2.160'];

const shopSystem: Stream['judge'] = ({ day }) => {
  const dkim = day < REVOKED ? 'pass' : 'fail';
  return {
    dkim,
    spf: 'fail',
    dkimResults: [{ domain: NAME, selector: 'shop', result: dkim === 'pass' ? 'pass' : 'permerror' }],
    spfResult: { domain: 'bounce.shopsystem.example', result: 'pass' },
  };
};

/** A server that was forgotten: it sends as the domain, without a signature, from an address that no record names. */
const forgottenServer: Stream['judge'] = () => ({
  dkim: 'fail',
  spf: 'fail',
  dkimResults: [],
  spfResult: { domain: NAME, result: 'softfail' },
});

/** A trader with things to mend: a short key, a revoked key that is in use, a forgotten server. */
export const northwindParts: SampleStory = {
  name: NAME,
  policyOn: () => ({ policy: 'quarantine', subdomainPolicy: 'none', failureOptions: '0' }),
  reporters: 3,
  streams: [
    { volume: weekly(300, 40), sources: own, spread: 1, judge: ownMail(NAME, 'mail') },
    { volume: weekly(220, 160), sources: shop, spread: 1, judge: shopSystem },
    { volume: weekly(30, 30), sources: forgotten, spread: 1, judge: forgottenServer },
  ],
  zone: {
    txt: {
      [`_dmarc.${NAME}`]: [`v=DMARC1; p=quarantine; sp=none; rua=mailto:dmarc@${NAME}`],
      [NAME]: ['v=spf1 mx ptr ?all'],
      [`mail._domainkey.${NAME}`]: [shortDkimKey],
      [`shop._domainkey.${NAME}`]: [revokedDkimKey],
    },
    mx: { [NAME]: [`mail.${NAME}`] },
    addresses: { [`mail.${NAME}`]: own },
  },
  hosts: [
    ownServers(own, `mail.${NAME}`),
    relay(shop, 'out-#.shopsystem.example'),
    ownServers(forgotten, `erp-old.${NAME}`),
  ],
};
