import { checks, judgeSpf, readSpfTree, type CheckContext } from '@dmarc-ledger/dns-records';
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
