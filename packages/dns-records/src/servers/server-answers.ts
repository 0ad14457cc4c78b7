import { cutText, type Protocol } from '@dmarc-ledger/vocabulary';
import type { Ask, ServerAnswer } from '../ask.ts';
import { checks } from '../checks/all-checks.ts';
import type { NamedIn } from '../checks/check.ts';

/** What each name server answered for one name. */
export interface NameAnswers {
  name: string;
  /** Empty where the servers were not reached one by one. */
  servers: ServerAnswer[];
}

export type AnswersByProtocol = { [protocol in Protocol]?: NameAnswers[] };

/** What is kept of the answers, whatever others publish. */
const ANSWER_LIMITS = { servers: 4, records: 5, record: 600, selectors: 20 } as const;

/**
 * Returns what each name server answered for the names of a domain's own records, and of the DMARC record that it
 * inherits. The questions are those of the checks, so a client that asks each once asks nothing more. (rules,
 * domain-checks/answers-of-each-server)
 */
export async function readServerAnswers(
  ask: Ask,
  domain: string,
  { selectors, inheritedFrom }: NamedIn,
): Promise<AnswersByProtocol> {
  const answers: AnswersByProtocol = {};
  const named = { selectors: selectors.slice(0, ANSWER_LIMITS.selectors), inheritedFrom };
  for (const { protocol, names } of checks) {
    const own = names?.(domain, named) ?? [];
    const read = await Promise.all(own.map((name) => answersFor(ask, name)));
    const known = read.filter(({ servers }) => servers.length > 0);
    if (known.length > 0) answers[protocol] = known;
  }
  return answers;
}

async function answersFor(ask: Ask, name: string): Promise<NameAnswers> {
  const { servers = [] } = await ask.text(name);
  return { name, servers: servers.slice(0, ANSWER_LIMITS.servers).map(cutAnswer) };
}

function cutAnswer({ server, outcome, records, alias, reason }: ServerAnswer): ServerAnswer {
  const kept = records.slice(0, ANSWER_LIMITS.records).map((record) => cutText(record, ANSWER_LIMITS.record));
  return {
    server,
    outcome,
    records: kept,
    ...(alias !== undefined && { alias }),
    ...(reason !== undefined && { reason }),
  };
}
