import { removeReports } from '@dmarc-ledger/ledger';
import { transact } from '@dmarc-ledger/schema';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BEGIN, holdStatement, untilBlocked } from './held-statement.ts';
import { openSteps, type Steps } from './steps.ts';

/** An address that is never looked up: its mail says what it is. */
const source = { ip: '192.0.2.8', count: 5 };
const sent = { ...source, spf: 'pass', spfDomain: 'bounce.em.sendgrid.net' } as const;

let steps: Steps;
beforeEach(async () => {
  steps = await openSteps();
});
afterEach(() => steps[Symbol.asyncDispose]());

const services = () => steps.database.db.selectFrom('source_total').select('service_slug').execute();

it('says what a source is that comes back after its only report was purged while that was judged', async () => {
  const { database, orgId } = steps;
  await steps.takeIn({ records: [source] });
  await using held = holdStatement(database.socketUrl, BEGIN);
  const aligning = steps.align('r-1', held.database);
  await held.reached; // its source has been read, and is not noted yet
  await transact(database, (session) => removeReports(session, orgId, new Date(Date.now() + 60_000)));
  held.letGo();
  await aligning;
  await steps.judgeWaiting();
  await steps.takeIn({ id: 'r-2', records: [source] });
  await steps.align('r-2');
  await steps.judgeWaiting();
  const standings = await database.db.selectFrom('source_standing').select('source_ip').execute();
  expect(standings).toEqual([{ source_ip: source.ip }]);
});

it('names the service of a source whose mail first shows it while the source is judged', async () => {
  const { database } = steps;
  await steps.takeIn({ records: [source] });
  await steps.align('r-1');
  await using held = holdStatement(database.socketUrl, BEGIN);
  const judging = steps.judge(source.ip, held.database);
  await held.reached; // nothing is stored of the source yet
  await steps.takeIn({ id: 'r-2', records: [sent] });
  await steps.align('r-2');
  held.letGo();
  await judging;
  await steps.judgeWaiting();
  expect(await services()).toEqual([{ service_slug: 'sendgrid' }]);
});

it('names the service of a source that a better copy shows, which counts while the source is judged', async () => {
  const { database } = steps;
  await steps.takeIn({ records: [source] }, { records: [source, sent] });
  await steps.align('r-1');
  await using held = holdStatement(database.socketUrl, 'commit');
  const judging = steps.judge(source.ip, held.database);
  await held.reached; // by the first copy, and no other transaction sees it yet
  await steps.settle('r-1');
  const aligning = steps.align('r-1');
  await Promise.race([aligning, untilBlocked(database)]);
  held.letGo();
  await Promise.all([judging, aligning]);
  await steps.judgeWaiting();
  expect(await services()).toEqual([{ service_slug: 'sendgrid' }]);
});

it('has an address that begins to fail looked up at once, also while another transaction holds it', async () => {
  const { database } = steps;
  const good = { ip: '45.0.0.9', count: 5, dkim: 'pass' } as const;
  await steps.takeIn({ records: [good] });
  await steps.align('r-1');
  await database.pool.query(`update ip_enrichment set list_scope = 'ingest', lists_due_at = now() + interval '3 days'`);
  await steps.takeIn({ id: 'r-2', records: [{ ...good, dkim: 'fail' }] });
  const other = await database.pool.connect();
  await other.query('begin');
  await other.query('select from ip_enrichment for share');
  const aligning = steps.align('r-2');
  await Promise.race([aligning, untilBlocked(database)]);
  await other.query('commit');
  other.release();
  await aligning;
  const { rows } = await database.pool.query(
    'select is_failing as "isFailing", lists_due_at <= now() as "isDue" from ip_enrichment',
  );
  expect(rows).toEqual([{ isFailing: true, isDue: true }]);
});
