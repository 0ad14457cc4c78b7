import { bimi, cannotParse, ed25519Key, NO, OURS, policyOf, rsaKey, sts, txt, type Published } from './published.ts';

const usual: Published['states'] = ['verified', 'not_published', 'not_published', 'not_published'];
const missingKeys = (n: number) =>
  `error: No published key was found for ${n === 1 ? '1 DKIM selector' : `${n} DKIM selectors`} seen in reports.`;

/** Domains whose records are broken or incomplete. */
export const brokenDomains: Published[] = [
  {
    domain: 'malformed.com',
    records: [
      txt('_dmarc', 'v=DMARC1; p=rejcet'),
      txt('@', 'v=spf1 ipv4:192.0.2.1 -all'),
      txt('s1._domainkey', rsaKey(512)),
      ...sts('id=;'),
      txt('_smtp._tls', 'v=TLSRPTv1; rua=ledger.example'),
      txt('default._bimi', 'v=BIMI1; a='),
      txt('_aprf._domainkey', `v=ARPFv1; ${OURS}`),
    ],
    selectors: [['s1', 'malformed.com']],
    states: ['published_not_ours', 'not_published', 'published_not_ours', 'not_published'],
    found: [
      cannotParse('DMARC', 'p=rejcet is not a policy'),
      cannotParse('SPF', 'ipv4:192.0.2.1 is not a mechanism'),
      'error: The DKIM key for selector s1 has 512 bits and is ignored by receivers.',
      'error: The MTA-STS record is not valid.',
      'error: The TLS-RPT record is not valid.',
      'error: The BIMI record is not usable: l is missing.',
      NO.mx,
      NO.aprf,
    ],
  },
  {
    domain: 'watching.com',
    records: [
      txt('_dmarc', `v=DMARC1; p=none; ${OURS}`),
      txt('@', 'v=spf1 include:loop.vendor.test -all'),
      txt('s1._domainkey', 'v=DKIM1; p='),
      txt('s2._domainkey', ed25519Key),
      ...sts(),
      bimi('logo.svg'),
    ],
    selectors: [
      ['s1', 'watching.com'],
      ['s2', 'watching.com'],
    ],
    pages: policyOf('watching.com', { status: 302, location: 'https://127.0.0.1/' }),
    states: usual,
    found: [
      'warning: The DMARC policy is none, so failing mail is still delivered.',
      cannotParse('SPF', 'include of loop.vendor.test leads back to itself'),
      'warning: 1 of 2 DKIM selectors has no usable key.',
      'error: The MTA-STS policy cannot be used: it redirects.',
      NO.tls,
      'warning: A BIMI record exists, but DMARC is not enforced.',
      NO.mx,
      NO.aprf,
    ],
  },
  {
    domain: 'trying.com',
    records: [
      txt('_dmarc', `v=DMARC1; p=reject; t=y; ${OURS}`),
      txt('@', 'v=spf1 include:nothing.vendor.test -all'),
      txt('s1._domainkey', rsaKey(2048, 't=y; ')),
      ...sts(),
      bimi('none.svg'),
    ],
    selectors: [['s1', 'trying.com']],
    states: usual,
    found: [
      'warning: The DMARC policy is reject but is not fully applied.',
      cannotParse('SPF', 'include of nothing.vendor.test, which has no SPF record'),
      'warning: The DKIM key for selector s1 is in testing mode.',
      'error: The MTA-STS policy cannot be used: it does not exist.',
      NO.tls,
      'error: The BIMI record is not usable: the logo cannot be fetched (it does not exist).',
      NO.mx,
      NO.aprf,
    ],
  },
  {
    domain: 'sampled.com',
    records: [
      txt('_dmarc', `v=DMARC1; p=quarantine; pct=50; ${OURS}`),
      txt('@', 'v=spf1 redirect=nothing.vendor.test'),
      ...sts(),
      bimi('silent.svg'),
    ],
    selectors: [['s1', 'sampled.com']],
    pages: { ...policyOf('sampled.com', 'version: STSv1\nmode: enforce\n'), 'logo.test/silent.svg': 'reset' },
    states: usual,
    found: [
      'warning: The DMARC policy is quarantine but is not fully applied.',
      cannotParse('SPF', 'redirect of nothing.vendor.test, which has no SPF record'),
      missingKeys(1),
      'error: The MTA-STS policy cannot be used: its max_age is not valid.',
      NO.tls,
      'unknown: logo.test did not answer; the last attempt failed.',
      NO.mx,
      NO.aprf,
    ],
  },
];
