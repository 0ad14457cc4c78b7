import { OURS, rsaKey, txt } from './published.ts';

/** The records at names of other owners. */
export const othersRecords: { [zone: string]: string[] } = {
  '.': [],
  com: ['dead NS dead.test.'],
  bank: [txt('_dmarc', `v=DMARC1; p=quarantine; psd=y; ${OURS}; ruf=mailto:rua@ledger.example`)],
  test: ['ns A 127.0.0.1', 'ns2 A 127.0.0.2', 'dead A 127.0.0.9', 'logo A 127.0.0.1', 'untrusted A 127.0.0.1'],
  'vendor.test': [
    txt('key', rsaKey(2048)),
    txt('_spf', 'v=spf1 ip4:192.0.2.0/24 ~all'),
    txt('loop', 'v=spf1 include:loop.vendor.test -all'),
    ...Array.from({ length: 11 }, (_, i) => txt(`i${i}`, 'v=spf1 ip4:192.0.2.1 -all')),
  ],
  'dmarc.vendor.test': [txt('alias', `v=DMARC1; p=reject; ${OURS}`)],
  '_dmarc.lent.com': [txt('@', `v=DMARC1; p=reject; ${OURS}`)],
  '_domainkey.lent.com': [txt('s1', rsaKey(4096)), txt('*._aprf', `v=APRFv1; ${OURS}`)],
};
