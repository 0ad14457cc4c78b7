import {
  checks,
  judgeSpf,
  readKeys,
  readSpfTree,
  verifyDmarc,
  walkDmarc,
  type CheckContext,
} from '@dmarc-ledger/dns-records';
import type { Protocol } from '@dmarc-ledger/vocabulary';
import { describe, expect, it } from 'vitest';
import { askZone, type Zone } from './zone.ts';

const NAME = 'example.com';
const UNREACHABLE = ['unknown', 'DNS could not be read; the last attempt failed.'];
const context: CheckContext = {
  domain: NAME,
  organizationalDomain: NAME,
  ours: ['rua@ledger.example'],
  selectors: [],
  hasMail: true,
  now: new Date('2026-06-01T00:00:00Z'),
};

async function run(protocol: Protocol, zone: Zone, change: Partial<CheckContext> = {}) {
  const check = checks.find((each) => each.protocol === protocol)!;
  const { status, details } = await check.run(askZone(zone), { ...context, ...change });
  return [status, details];
}

describe('an included SPF record that one name server has in an older version', () => {
  const [older, newer] = ['v=spf1 ip4:192.0.2.0/24 -all', 'v=spf1 ip4:192.0.2.0/24 ip4:198.51.100.0/24 -all'];
  const at = (record: string, servers: string[][]): Zone => ({ [NAME]: { text: [record] }, 'crm.test': { servers } });
  const split = (record: string) => at(record, [[older], [newer, 'another text']]);
  const records = ['v=spf1 include:crm.test -all', 'v=spf1 redirect=crm.test'];

  it.each(records)('is no error, as each receiver sees one: %s', async (record) =>
    expect(await run('spf', split(record))).toEqual(UNREACHABLE),
  );

  it.each(records)('is an error where one server has both: %s', async (record) =>
    expect(await run('spf', at(record, [[older, newer], [newer]]))).toEqual([
      'error',
      expect.stringMatching(/several SPF records/),
    ]),
  );

  it('stays in the record that is offered: nothing is advised until the servers agree', async () => {
    const tree = await readSpfTree(askZone(split('v=spf1 include:crm.test ip4:203.0.113.0/24 -all')), NAME);
    expect(tree).toMatchObject({ isComplete: false, terms: [{ state: 'unanswered' }, {}, {}] });
    const senders = [
      { address: '203.0.113.1', messages: 1_000, compliant: 1_000, spfPass: 1_000, isOurs: true, isService: false },
    ];
    expect(judgeSpf(tree!, { senders, ownDays: 60, isCurrent: true }).advice).toMatchObject({
      record: null,
      removed: [],
    });
  });

  it('leaves the tree that was read before, where it is the domain’s own', async () =>
    expect(await readSpfTree(askZone({ [NAME]: { servers: [[older], [newer]] } }), NAME)).toBeUndefined());
});

describe('records that are being replaced, so that each name server has another one', () => {
  const at = (name: string, older: string, newer: string, more: Zone = {}): Zone => ({
    [name]: { servers: [[older], [newer]] },
    ...more,
  });
  const OURS = 'rua=mailto:rua@ledger.example';
  const above = at('_dmarc.example.com', `v=DMARC1; p=none; ${OURS}`, `v=DMARC1; p=reject; ${OURS}`);
  const below = { domain: 'mail.example.com' };
  const own = (record: string): Zone => ({ '_dmarc.mail.example.com': { text: [record] } });
  const bimi = (older: string, newer: string): Zone => at('default._bimi.example.com', older, newer);
  const logo: Zone = {
    'default._bimi.example.com': { text: ['v=BIMI1; l=https://logo.test/l.svg'] },
    'logo.test/l.svg': { page: { kind: 'text', body: '<svg xmlns="…"></svg>', mediaType: 'image/svg+xml' } },
  };
  const key = (p: string) => `v=DKIM1; k=ed25519; p=${Buffer.alloc(32, p).toString('base64')}`;
  const keys = at('s1._domainkey.example.com', key('a'), key('b'));
  const selectors = [{ selector: 's1', domain: NAME }];

  it.each<[string, Protocol, Zone, Partial<CheckContext>?]>([
    ['the DMARC record above a name without one', 'dmarc', above, below],
    ['the DMARC record above an own one with sp', 'dmarc', { ...above, ...own('v=DMARC1; p=reject; sp=none') }, below],
    ['a DKIM key', 'dkim', keys, { selectors }],
    ['the id of MTA-STS', 'mta_sts', at('_mta-sts.example.com', 'v=STSv1; id=1;', 'v=STSv1; id=2;')],
    ['TLS-RPT', 'tls_rpt', at('_smtp._tls.example.com', `v=TLSRPTv1; ${OURS}`, 'v=TLSRPTv1; rua=mailto:a@b.test')],
    ['BIMI', 'bimi', bimi('v=BIMI1; l=https://a.test/l.svg', 'v=BIMI1; l=https://b.test/l.svg')],
    ['the DMARC record that BIMI needs', 'bimi', { ...above, ...logo }],
  ])('are no fault of %s', async (_, protocol, zone, change) =>
    expect(await run(protocol, zone, change)).toEqual(UNREACHABLE),
  );

  it('are one APRF record to each receiver', async () => {
    const zone = at('_aprf._domainkey.example.com', `v=APRFv1; ${OURS}`, 'v=APRFv1; rua=mailto:a@b.test');
    expect(await run('aprf', zone)).toEqual(['ok', 'An APRF record is published.']);
  });

  it('leave the DKIM key that was read before', async () => {
    const ask = (zone: Zone) => askZone(zone);
    const first = ask({ 's1._domainkey.example.com': { text: [key('a')] } });
    const kept = await readKeys(first, selectors, [], new Date(0));
    expect(await readKeys(ask(keys), selectors, kept, new Date(1))).toEqual(kept);
  });

  it('say nothing of where reports of a name below go', async () => {
    const walk = await walkDmarc('mail.example.com', askZone(above).text);
    expect(verifyDmarc('mail.example.com', walk, 'rua', context.ours).state).toBe('unconfirmed');
  });
});
