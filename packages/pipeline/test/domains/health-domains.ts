import { domainsOfStates } from './states.ts';
import { bimi, NO, OURS, rsaKey, spfOk, txt, UNREAD, type Published } from './published.ts';

const verified: Published['states'] = ['verified', 'not_published', 'not_published', 'not_published'];
const dmarc = (more = '') => txt('_dmarc', `v=DMARC1; p=reject; ${OURS}${more}`);
const REJECT = 'ok: The DMARC policy is reject.';
const KEY = 'ok: 1 DKIM selector has a valid key.';

const isHere = ({ domain }: Published) => domain !== 'giant.bank' && domain !== 'shop.elsewhere.com';
const WITHOUT = 'warning: The BIMI logo has no certificate, so few providers show it.';

/** The host's clock is in March: a certificate made by this run is not valid yet. */
function withoutCertificate(published: Published): Published {
  const found = published.found.map((text) =>
    text.replace('ok: The BIMI logo and certificate are published.', WITHOUT),
  ) as Published['found']; // of the same length
  return { ...published, found };
}

/** What is checked and shown as a whole: twelve domains, each at another stage of its life. */
export const healthDomains: Published[] = [
  ...domainsOfStates.filter(isHere).map(withoutCertificate),
  {
    domain: 'quiet.com', // all is well, and no report has come yet
    records: [dmarc(), txt('@', 'v=spf1 -all')],
    states: verified,
    found: [REJECT, spfOk(0), NO.dkim, NO.sts, NO.tls, NO.bimi, NO.mx, NO.aprf],
  },
  {
    domain: 'unsure.com',
    records: [dmarc(), txt('@', 'v=spf1 include:dead.com -all'), txt('s1._domainkey', rsaKey(2048)), bimi('logo.svg')],
    states: verified,
    found: [REJECT, UNREAD, KEY, NO.sts, NO.tls, WITHOUT, NO.mx, NO.aprf],
  },
  {
    domain: 'low.com', // half of its mail fails
    records: [dmarc(), txt('@', 'v=spf1 -all'), txt('s1._domainkey', rsaKey(2048))],
    states: verified,
    found: [REJECT, spfOk(0), KEY, NO.sts, NO.tls, NO.bimi, NO.mx, NO.aprf],
  },
  {
    domain: 'late.com', // its last report is weeks old
    records: [
      txt('_dmarc', `v=DMARC1; p=none; ${OURS}`),
      txt('@', 'v=spf1 ~all'),
      txt('s1._domainkey', rsaKey(2048)),
      '@ MX 10 mx',
    ],
    states: verified,
    found: [
      'warning: The DMARC policy is none, so failing mail is still delivered.',
      spfOk(0),
      KEY,
      NO.sts,
      NO.tls,
      NO.bimi,
      NO.dane,
      NO.aprf,
    ],
  },
];
