import pg from 'pg';

const CONSTRAINT = 'org_total_message_limit';
const OUT_OF_RANGE = '22003';

/** The database refuses a sum: it would be more than an organization may hold. Trying again at once may find less. */
export function isOverTotalLimit(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.constraint === CONSTRAINT;
}

/** The same, or a number that its column cannot hold: what was to be stored is at fault, and no later try helps. */
export function isOutOfRange(error: unknown): boolean {
  return isOverTotalLimit(error) || (error instanceof pg.DatabaseError && error.code === OUT_OF_RANGE);
}
