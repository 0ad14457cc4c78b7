import { type OneAtATime, oneAtATime } from '../intake/one-at-a-time.ts';

/** The organizations whose tokens are requested now, with the number of those that wait. */
const turns = new Map<string, { run: OneAtATime; count: number }>();

/**
 * One after the other in an organization: a request holds a connection to the database until the endpoint answers, and
 * the organization chose the endpoint.
 */
export async function inTurn<Result>(orgId: string, work: () => Promise<Result>): Promise<Result> {
  const turn = turns.get(orgId) ?? { run: oneAtATime(), count: 0 };
  turns.set(orgId, turn);
  turn.count += 1;
  try {
    return await turn.run(work);
  } finally {
    turn.count -= 1;
    if (turn.count === 0) turns.delete(orgId);
  }
}
