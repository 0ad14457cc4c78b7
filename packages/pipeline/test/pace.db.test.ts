import { reportXml } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { Pace } from '../src/index.ts';
import { openLedger, type BackendName, type Ledger } from './ledger.ts';

const PATIENCE = { timeout: 60_000, interval: 50 };

/** A pace on which all work is expensive, by a clock that moves with each question and by `later`. */
class SlowPace extends Pace {
  static #ticks = 0;
  asked = 0;

  constructor() {
    super({ freeMs: 0, burstMs: 0, share: 1e-9, longestMs: 1e9, now: () => (SlowPace.#ticks += 1) });
  }

  override isDue(subject: string): boolean {
    this.asked += 1;
    return super.isDue(subject);
  }

  later(): void {
    SlowPace.#ticks += 2e9;
  }
}

async function opened(backend: BackendName, pace: Pace): Promise<Ledger> {
  const ledger = await openLedger(backend, () => ({ pace }));
  const records = [{ ip: '10.0.0.1', count: 7, dkim: 'fail' as const, spf: 'fail' as const, selector: 's1' }];
  await ledger.handIn(Buffer.from(reportXml({ domain: 'example.com', records })));
  await ledger.settled();
  return ledger;
}

/** Something has changed about the selector of the report's mail; a job says so. */
async function mark({ database: { db }, orgId }: Ledger): Promise<void> {
  await sql`
    with marked as (
      insert into unjudged_signature (org_id, domain_id, signer, selector, from_day, to_day, since)
      select org_id, domain_id, 'example.com', 's1', day, day, now() - interval '1 minute' from report
      returning org_id, domain_id)
    insert into outbox (id, org_id, job, payload)
    select gen_random_uuid(), org_id, 'judgeSignatures', jsonb_build_object('orgId', org_id, 'domainId', domain_id)
    from marked where org_id = ${orgId}`.execute(db);
}

async function figure({ database }: Ledger, of: string): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>(`select (${of})::integer as n`);
  return rows[0]!.n;
}
const marks = (ledger: Ledger) => figure(ledger, 'select count(*) from unjudged_signature');
const versions = (ledger: Ledger) => figure(ledger, 'select sum(version) from report');

it.each<BackendName>(['Postgres', 'Redis'])(
  'mail of a large domain is judged again once for many changes, and the last one is not lost (%s)',
  async (backend) => {
    const pace = new SlowPace();
    await using ledger = await opened(backend, pace);
    await mark(ledger);
    await vi.waitFor(async () => expect(await marks(ledger)).toBe(0), PATIENCE);
    await ledger.settled();
    const before = await versions(ledger);
    const asked = pace.asked;
    for (let i = 0; i < 50; i += 1) await mark(ledger);
    await vi.waitFor(() => expect(pace.asked).toBeGreaterThan(asked + 2), PATIENCE);
    expect([await marks(ledger), await versions(ledger)]).toEqual([50, before]);
    pace.later();
    await ledger.settled();
    expect([await marks(ledger), await versions(ledger)]).toEqual([0, before + 1]);
    expect(ledger.faults).toEqual([]);
  },
  120_000,
);

describe('a pace', () => {
  const paced = (now: () => number) => new Pace({ now });

  it.each([
    ['work that takes less than a second does not count', 1_000, 999, 0, true],
    ['a minute of work is done without a pause', 20, 3_000, 0, true],
    ['what is beyond it is made up for ten times over', 21, 3_000, 29_999, false],
    ['and no longer', 21, 3_000, 30_000, true],
    ['and in 10 minutes at most', 1, 600_000, 600_000, true],
    ['but so long', 1, 600_000, 599_999, false],
  ])('%s', (_, repeated, took, after, expected) => {
    let now = 0;
    const pace = paced(() => now);
    for (let i = 0; i < repeated; i += 1) pace.ended('a', took);
    now = after;
    expect([pace.isDue('a'), pace.isDue('b')]).toEqual([expected, true]);
  });

  it('forgets the oldest subjects before it holds too many', () => {
    const pace = paced(() => 0);
    for (let i = 0; i < 20_000; i += 1) pace.ended(`${i}`, 90_000);
    expect([pace.isDue('0'), pace.isDue('19999')]).toEqual([true, false]);
  });
});
