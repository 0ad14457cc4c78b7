import { indexLongList, openClaimant, openDimensions, rebuildRollups } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { reportXml } from '@dmarc-ledger/testkit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { receiveMessages, takeIn } from '../src/index.ts';
import { holdStatement, untilBlocked } from './held-statement.ts';
import { openSteps, type Steps } from './steps.ts';
import { PATIENCE } from './taken-in.ts';

let steps: Steps;
beforeEach(async () => {
  steps = await openSteps();
});
afterEach(() => steps[Symbol.asyncDispose]());

const reportOf = (...ips: string[]) => ({ id: ips.join(' '), records: ips.map((ip) => ({ ip, count: 1 })) });

/** Whether the list of sources is read by indexes, and how many of its sources are in them. */
async function state() {
  const { rows } = await steps.database.pool.query<{ isLong: boolean; indexed: number; sources: number }>(
    `select bool_or(sources_indexed) as "isLong", count(*)::int as sources,
       count(*) filter (where t.indexed and d.indexed)::int as indexed
     from org_total join source_total t using (org_id) join source_domain d using (org_id, source_ip)`,
  );
  return rows[0];
}

/** Takes a report in on another connection. */
async function takeInOn(database: Database, ...ips: string[]): Promise<void> {
  const { blobs, orgId } = steps;
  await receiveMessages(steps, orgId, [{ content: reportXml(reportOf(...ips)), source: 'file', name: null }]);
  const claimant = openClaimant(database);
  await takeIn({ database, blobs, claimant, dimensions: openDimensions(database), onFault: () => undefined }, null);
  claimant.release();
}

it('the sources of a short list are in no index that lists are sorted by, until there are many', async () => {
  const { database, orgId } = steps;
  await steps.takeIn(reportOf('192.0.2.1', '192.0.2.2'));
  await indexLongList(database, orgId, 3);
  expect(await state()).toEqual({ isLong: false, indexed: 0, sources: 2 });
  await steps.takeIn(reportOf('192.0.2.2', '192.0.2.3'));
  await indexLongList(database, orgId, 3);
  expect(await state()).toEqual({ isLong: true, indexed: 3, sources: 3 });
  await steps.takeIn(reportOf('192.0.2.3', '192.0.2.4'));
  expect(await state()).toEqual({ isLong: true, indexed: 4, sources: 4 });
});

it('a list is not indexed while a transaction adds sources to it, but after it, with all of them', async () => {
  const { database, orgId } = steps;
  await steps.takeIn(reportOf('192.0.2.1', '192.0.2.2'));
  await using held = holdStatement(database.socketUrl, 'add-to-days-and-totals');
  const storing = takeInOn(held.database, '192.0.2.2', '192.0.2.3');
  await held.reached;
  await indexLongList(database, orgId, 2);
  expect(await state()).toEqual({ isLong: false, indexed: 0, sources: 2 });
  held.letGo();
  await storing;
  await indexLongList(database, orgId, 2);
  expect(await state()).toEqual({ isLong: true, indexed: 3, sources: 3 });
});

it('a transaction that adds sources while a list is indexed waits, and has its own indexed', async () => {
  const { database, orgId } = steps;
  await steps.takeIn(reportOf('192.0.2.1', '192.0.2.2'));
  await using held = holdStatement(database.socketUrl, 'commit');
  const indexing = indexLongList(held.database, orgId, 2);
  await held.reached;
  const storing = steps.takeIn(reportOf('192.0.2.2', '192.0.2.3'));
  await untilBlocked(database);
  held.letGo();
  await Promise.all([storing, indexing]);
  expect(await state()).toEqual({ isLong: true, indexed: 3, sources: 3 });
});

it('a report about known sources of a short list makes no entry in any index of their sums', async () => {
  const { database } = steps;
  const ips = Array.from({ length: 5 }, (_, i) => `192.0.2.${i}`);
  for (const id of ['a', 'b', 'c'])
    await steps.takeIn({ id, records: ips.map((ip) => ({ ip, count: 5, dkim: 'fail', spf: 'fail' })) });
  const updated = async () => {
    await database.pool.query('select pg_stat_force_next_flush()');
    const { rows } = await database.pool.query<{ table: string; updated: number; inPlace: number }>(
      `select relname as table, n_tup_upd::int as updated, n_tup_hot_upd::int as "inPlace" from pg_stat_user_tables
       where relname in ('source_domain', 'source_total') order by 1`,
    );
    return rows;
  };
  const sums = await vi.waitUntil(async () => {
    const rows = await updated();
    return rows.length === 2 && rows.every(({ updated }) => updated >= 10) && rows;
  }, PATIENCE);
  for (const { updated, inPlace } of sums) expect(inPlace).toBe(updated);
});

it.each(['source_total', 'source_domain'])('a source that a long list leaves out of %s is drift', async (table) => {
  const { database, orgId } = steps;
  await steps.takeIn(reportOf('192.0.2.1', '192.0.2.2'));
  await indexLongList(database, orgId, 2);
  expect(await steps.driftAtRest()).toBe(0);
  await database.pool.query(`update ${table} set indexed = false where source_ip = '192.0.2.1'`);
  expect(await steps.drift()).toBe(1);
  await rebuildRollups(database, orgId);
  await steps.repair();
  expect(await steps.drift()).toBe(0);
  expect(await state()).toEqual({ isLong: true, indexed: 2, sources: 2 });
});
