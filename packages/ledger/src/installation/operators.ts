import type { Db } from '@dmarc-ledger/schema';
import { ensurePerson } from '../people/people.ts';

/** Makes a person an operator of the installation, or ends that. Doing so twice changes nothing. */
export async function setOperator(db: Db, email: string, isOperator: boolean): Promise<void> {
  const { id } = await ensurePerson(db, email);
  if (isOperator)
    await db
      .insertInto('operator')
      .values({ person_id: id })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  else await db.deleteFrom('operator').where('person_id', '=', id).execute();
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
