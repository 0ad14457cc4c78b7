import pg from 'pg';

const CONSTRAINT = 'org_total_message_limit';
const OUT_OF_RANGE = '22003';

/** True if the database refused a sum beyond an organization's limit. The sum may be smaller at the next attempt. */
export function isOverTotalLimit(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.constraint === CONSTRAINT;
}

/** The same, or a number that its column cannot store: the data is at fault, and no later attempt helps. */
export function isOutOfRange(error: unknown): boolean {
  return isOverTotalLimit(error) || (error instanceof pg.DatabaseError && error.code === OUT_OF_RANGE);
}
