import type { Found, ServerAnswer } from '../ask.ts';

/**
 * True if several records were found only because the name servers have different ones: a receiver that asks one of
 * them sees no more than one. (rules, domain-checks/answers-of-name-servers)
 */
export function doServersDiffer(records: readonly string[], servers: readonly ServerAnswer[] = []): boolean {
  const found = servers.map((answer) => answer.records.filter((record) => records.includes(record)).length);
  return records.length > 1 && servers.length > 1 && found.every((count) => count <= 1);
}

/**
 * Returns the records of one kind at a name. Unconfirmed where several were found only because the name servers have
 * different ones, as while one of them lags behind: each receiver sees one, and which one is not known. (rules,
 * domain-checks/answers-of-name-servers)
 * @param candidatesOf chooses the texts that are records of this kind
 */
export function recordsAt(answer: Found<string>, candidatesOf: (texts: readonly string[]) => string[]): Found<string> {
  if (answer.kind !== 'found') return answer;
  const values = candidatesOf(answer.values);
  const { servers } = answer;
  if (!doServersDiffer(values, servers)) return { ...answer, values };
  return { kind: 'unconfirmed', reason: 'the name servers have different records', ...(servers && { servers }) };
}
