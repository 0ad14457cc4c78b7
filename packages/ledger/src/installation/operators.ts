import type { Db } from '@dmarc-ledger/schema';
import { comparableAddress } from '@dmarc-ledger/vocabulary';
import { ensurePerson } from '../people/people.ts';

/** Makes a person an operator of the installation. Doing so twice changes nothing. */
export async function addOperator(db: Db, email: string): Promise<void> {
  const { id } = await ensurePerson(db, email);
  await db
    .insertInto('operator')
    .values({ person_id: id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Makes an operator an ordinary person again. Returns false for somebody who is no operator. */
export async function removeOperator(db: Db, email: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('operator')
    .using('person')
    .whereRef('person.id', '=', 'operator.person_id')
    .where('person.email', '=', comparableAddress(email))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The addresses of the operators. */
export async function listOperators(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('operator as o')
    .innerJoin('person as p', 'p.id', 'o.person_id')
    .select('p.email')
    .orderBy('p.email')
    .execute();
  return rows.map(({ email }) => email);
}
