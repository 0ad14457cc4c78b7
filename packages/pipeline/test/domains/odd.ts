import { ed25519Key, NO, OURS, spfOk, txt, type Published } from './published.ts';

const usual: Published['states'] = ['verified', 'not_published', 'not_published', 'not_published'];

/** Domains whose records are in unusual places. */
export const oddDomains: Published[] = [
  {
    domain: `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(57)}.good.com`, // no name fits below it
    within: 'good.com',
    selectors: [['s1', `${'d'.repeat(64)}.good.com`]],
    states: ['verified_inherited', 'verified_inherited', 'not_published', 'not_published'],
    found: [
      'ok: The DMARC policy is reject. (from good.com)',
      NO.spfNeeded,
      'error: No published key was found for 1 DKIM selector seen in reports.',
      NO.sts,
      NO.tls,
      'ok: The BIMI logo and certificate are published. (from good.com)',
      NO.mx,
      NO.aprf,
    ],
  },
  {
    domain: 'star.com', // an asterisk answers for every name that is not there
    records: [txt('*', 'v=spf1 -all'), txt('@', 'v=spf1 -all')],
    selectors: [['s1', 'star.com']],
    states: ['not_published', 'not_published', 'not_published', 'not_published'],
    found: [
      NO.dmarc,
      spfOk(0),
      'error: No published key was found for 1 DKIM selector seen in reports.',
      NO.sts,
      NO.tls,
      NO.bimi,
      NO.mx,
      NO.aprf,
    ],
  },
  {
    domain: 'alias.com', // names that stand for a vendor's, one of which is gone
    records: [
      '_dmarc CNAME alias.dmarc.vendor.test.',
      's1._domainkey CNAME s1.hop.alias.com.',
      's1.hop CNAME key.vendor.test.',
      's2._domainkey CNAME s2.hop.alias.com.', // in the same zone, so that one answer has all of it
      's2.hop CNAME s2.keys.alias.com.',
      txt('s2.keys', ed25519Key),
      '_mta-sts CNAME gone.vendor.test.',
      '_smtp._tls CNAME gone.alias.com.',
      'default._bimi CNAME default._bimi.alias.com.', // itself
      txt('@', 'v=spf1 -all'),
    ],
    selectors: [
      ['s1', 'alias.com'],
      ['s2', 'alias.com'],
    ],
    states: usual,
    found: [
      'ok: The DMARC policy is reject.',
      spfOk(0),
      'ok: 2 DKIM selectors have valid keys.',
      NO.sts,
      NO.tls,
      'unknown: DNS could not be read; the last attempt failed.',
      NO.mx,
      NO.aprf,
    ],
  },
  {
    domain: 'mail.alias.com', // inherits a record that stands behind an alias
    within: 'alias.com',
    states: ['verified_inherited', 'not_published', 'not_published', 'not_published'],
    found: [
      'ok: The DMARC policy is reject. (from alias.com)',
      NO.spfNeeded,
      NO.dkim,
      NO.sts,
      NO.tls,
      'unknown: DNS could not be read; the last attempt failed.',
      NO.mx,
      NO.aprf,
    ],
  },
  {
    domain: 'split.com', // strings that are one text; texts of others beside it
    records: [
      `_dmarc TXT "v=DMA" "RC1; p=rej" "ect; ${OURS}"`,
      txt('_dmarc', 'google-site-verification=abc'),
      txt('_dmarc', 'v=DMARC2; p=none'),
      '@ TXT "v=spf1 ip4:192.0.2.1" " -all"',
      txt('@', 'v=spf10 -all'),
    ],
    states: usual,
    found: ['ok: The DMARC policy is reject.', spfOk(0), NO.dkim, NO.sts, NO.tls, NO.bimi, NO.mx, NO.aprf],
  },
  {
    domain: 'lent.com', // parts of the tree are others' zones
    records: ['_dmarc NS ns.test.', '_dmarc NS ns2.test.', '_domainkey NS ns.test.', '_domainkey NS ns2.test.'],
    selectors: [['s1', 'lent.com']],
    states: ['verified', 'not_published', 'not_published', 'verified'],
    found: [
      'ok: The DMARC policy is reject.',
      NO.spf,
      'ok: 1 DKIM selector has a valid key.',
      NO.sts,
      NO.tls,
      NO.bimi,
      NO.mx,
      'ok: An APRF record is published.',
    ],
  },
];
