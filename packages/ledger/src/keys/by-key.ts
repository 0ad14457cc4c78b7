/**
 * SQL of the condition that the last column of a key has this value, for statements that end with `order by` that
 * column. The planner then prefers the key to an index that only begins with the same columns. While a table is small
 * both cost the same, and the plan that a connection makes then stays in use while the table grows
 * (docs/decisions/plans-without-statistics.md). With `=` there is nothing to sort; a range of one value has an order
 * for the planner, which the key delivers and the other index does not.
 */
export function isOnly(column: string, value: string): string {
  return `${column} between ${value} and ${value}`;
}

/** SQL of the report of the organization $1 that has this id, found by its key. */
export function reportWithId(columns: string, id: string): string {
  return `select ${columns} from report where org_id = $1 and ${isOnly('id', id)} order by id limit 1`;
}
