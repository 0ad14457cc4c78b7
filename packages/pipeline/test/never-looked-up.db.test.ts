import { findSourceKnowledge } from '@dmarc-ledger/facts';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { startOfDay } from '@dmarc-ledger/vocabulary';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { auditJudgement } from '../src/index.ts';
import { openEventFixture, type EventFixture } from './event-fixture.ts';

const TODAY = '2026-06-10';

let fixture: EventFixture;
let number = 0;
beforeEach(async () => {
  fixture = await openEventFixture();
  fixture.itIs(TODAY, 5);
});
afterEach(() => fixture[Symbol.asyncDispose]());

async function arrive(ip: string, spfDomain: string, count = 5): Promise<void> {
  const records = [{ ip, count, spfDomain, spfResult: 'pass' }];
  await fixture.arrive({ id: `r-${(number += 1)}`, begin: startOfDay('2026-06-08'), records });
}

async function judged(ip: string) {
  const { database, orgId } = fixture;
  const { rows } = await database.pool.query<{ class: string; proved: boolean }>(
    'select distinct class, proved from report_record where source_ip = $1',
    [ip],
  );
  const known = (await findSourceKnowledge(database.db, orgId, [ip])).get(ip);
  return { ...rows[0], service: known?.service?.slug, isLookedUp: known?.facts !== undefined };
}

it.each(['10.0.0.5', '198.51.100.7', '2001:db8::7'])(
  'an address that is never looked up, %s, has the service that its mail shows',
  async (ip) => {
    await arrive(ip, 'improvmx.com');
    expect(await judged(ip)).toEqual({
      class: 'likely_forwarded',
      proved: true,
      service: 'improvmx',
      isLookedUp: false,
    });
    await arrive(ip, 'plain.example', 100);
    expect(await judged(ip)).toEqual({ class: 'needs_review', proved: false, service: undefined, isLookedUp: false });
    const { database, orgId } = fixture;
    expect((await auditJudgement({ database, organizationalDomain: publicSuffixDomains() }, orgId)).differing).toBe(0);
  },
);

it('a public address waits for its lookups', async () => {
  await arrive('45.0.0.5', 'improvmx.com');
  expect(await judged('45.0.0.5')).toMatchObject({ class: 'needs_review', service: undefined });
});
