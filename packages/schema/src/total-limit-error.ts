import pg from 'pg';
import { isDataError } from './storage-failure.ts';

const CONSTRAINT = 'org_total_message_limit';

/** True if the database refused a sum beyond an organization's limit. The sum may be smaller at the next attempt. */
export function isOverTotalLimit(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.constraint === CONSTRAINT;
}

/** The same, or a value that no column, index or sum can store: the data is at fault, and no later attempt helps. */
export function isUnstorable(error: unknown): boolean {
  return isOverTotalLimit(error) || isDataError(error);
}
