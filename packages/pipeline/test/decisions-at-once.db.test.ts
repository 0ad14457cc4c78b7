import { createOrganization, decideSender } from '@dmarc-ledger/ledger';
import { findDecisionChanges } from '@dmarc-ledger/queries';
import { cloneDatabase, givenReports } from '@dmarc-ledger/testkit';
import { expect, it } from 'vitest';

const SENDER = { domain: 'a.example', sender: '192.0.2.0/24' };

it('of people who decide at once, the newest change in the history is the decision that holds', async () => {
  await using database = await cloneDatabase();
  const { db } = database;
  const { id: orgId } = await createOrganization(db, { name: 'Harbor' });
  await givenReports(db, orgId, [{ domain: SENDER.domain, records: [{ ip: '192.0.2.1', count: 60 }] }]);
  for (let round = 0; round < 30; round += 1) {
    const people = Array.from({ length: 6 }, (_, i) => `${round} ${i}`);
    await Promise.all(
      people.map((by) => decideSender(db, orgId, SENDER, { decision: 'ours', owner: '', note: by, by })),
    );
    const holds = await db.selectFrom('sender_decision').select('note').executeTakeFirstOrThrow();
    const { rows } = await findDecisionChanges(db, orgId, { limit: 1, offset: 0 });
    expect(rows[0]?.note).toBe(holds.note);
  }
});
