import type { DnsFact } from './dns-fact.ts';
import { exchangeTcp } from './exchange-tcp.ts';
import { exchangeUdp } from './exchange-udp.ts';
import { interpretReply } from './interpret-reply.ts';
import { buildQuery, type Question } from './query.ts';
import { readReply } from './read-reply.ts';
import { serverText, type ServerAddress } from './server-address.ts';

export interface AskForm {
  /** For each exchange. */
  timeoutMs: number;
  mixCase: boolean;
}

/**
 * Sends one question to one server: over UDP, over TCP when the answer was truncated, without EDNS if the server does
 * not support it.
 */
export async function askServer(question: Question, server: ServerAddress, form: AskForm): Promise<DnsFact> {
  const fact = await askOnce(question, server, form, true);
  return fact.outcome === 'formerr' ? await askOnce(question, server, form, false) : fact;
}

async function askOnce(
  question: Question,
  server: ServerAddress,
  { timeoutMs, mixCase }: AskForm,
  edns: boolean,
): Promise<DnsFact> {
  const query = buildQuery(question, { edns, mixCase });
  let exchanged = await exchangeUdp(query, server, timeoutMs);
  if (!exchanged.failure && exchanged.survey?.isTruncated) exchanged = await exchangeTcp(query, server, timeoutMs);
  const from = serverText(server);
  if (exchanged.failure) return { outcome: exchanged.failure, detail: exchanged.detail, server: from };
  const reply = exchanged.survey && readReply(exchanged.bytes, exchanged.survey);
  if (!reply || exchanged.survey?.isTruncated)
    return { outcome: 'malformed', detail: 'the answer cannot be read', server: from };
  return interpretReply(reply, question.name, question.type, from);
}
