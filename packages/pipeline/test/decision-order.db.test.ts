import { createOrganization, decideSender, withdrawDecision } from '@dmarc-ledger/ledger';
import { findDecisionChanges } from '@dmarc-ledger/queries';
import { cloneDatabase, givenReports, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { senderDecisions } from '@dmarc-ledger/vocabulary';
import { afterAll, beforeAll, expect, it } from 'vitest';

const SENDER = { domain: 'example.com', sender: '192.0.2.0/24' };
let database: ClonedDatabase;
let orgId: string;

beforeAll(async () => {
  database = await cloneDatabase();
  ({ id: orgId } = await createOrganization(database.db, { name: 'Org' }));
  await givenReports(database.db, orgId, [{ domain: SENDER.domain, records: [{ ip: '192.0.2.1', count: 5 }] }]);
});
afterAll(() => database[Symbol.asyncDispose]());

async function decide(i: number): Promise<boolean> {
  const by = `person ${i}@example.com`;
  const decision = senderDecisions[i % 3]!;
  return await decideSender(database.db, orgId, SENDER, { decision, owner: '', note: `${i}`, by });
}

async function history() {
  const { rows } = await findDecisionChanges(database.db, orgId, { sender: SENDER.sender, limit: 1_000, offset: 0 });
  return rows.toReversed();
}

async function holding() {
  const { rows } = await database.pool.query<{ decision: string; note: string }>(
    'select decision, note from sender_decision',
  );
  return rows[0];
}

it('the history of decisions has their order, however many people decide and withdraw at once', async () => {
  const many = Array.from({ length: 120 }, (_, i) =>
    i % 3 === 2 ? withdrawDecision(database.db, orgId, SENDER, 'b@example.com') : decide(i),
  );
  await Promise.all(many);
  const changes = await history();
  // nothing is withdrawn that had not been decided
  const wrong = changes.filter(({ decision }, i) => decision === null && (changes[i - 1]?.decision ?? null) === null);
  expect(wrong).toEqual([]);
  const last = changes.at(-1)!;
  expect(await holding()).toEqual(last.decision === null ? undefined : { decision: last.decision, note: last.note });
});

it('the newest change stays the newest when the clock goes back', async () => {
  await decide(1_000);
  await database.pool.query(`update sender_decision_change set changed_at = changed_at + interval '1 hour'`);
  await withdrawDecision(database.db, orgId, SENDER, 'b@example.com');
  await decide(1_001);
  const changes = await history();
  expect(changes.slice(-3).map(({ note }) => note)).toEqual(['1000', '', '1001']);
  expect(changes.at(-1)?.decision).toBe((await holding())?.decision);
});
