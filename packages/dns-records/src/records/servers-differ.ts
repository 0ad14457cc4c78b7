import type { ServerAnswer } from '../ask.ts';

/**
 * True if several records were found only because the name servers have different ones: a receiver that asks one of
 * them sees no more than one. (rules, domain-checks/answers-of-name-servers)
 */
export function doServersDiffer(records: readonly string[], servers: readonly ServerAnswer[] = []): boolean {
  const found = servers.map((answer) => answer.records.filter((record) => records.includes(record)).length);
  return records.length > 1 && servers.length > 1 && found.every((count) => count <= 1);
}
