import type { DnsFact } from './dns-fact.ts';
import type { Exchanged } from './exchanged.ts';
import { exchangeTcp } from './exchange-tcp.ts';
import { exchangeUdp } from './exchange-udp.ts';
import { interpretReply } from './interpret-reply.ts';
import { buildQuery, type Query, type Question } from './query.ts';
import { readReply } from './read-reply.ts';
import { serverText, type ServerAddress } from './server-address.ts';
import { NOT_ASKED, type SilenceGuard } from './silence-guard.ts';

export interface AskForm {
  /** For each exchange. */
  timeoutMs: number;
  mixCase: boolean;
  silence: SilenceGuard;
}

/**
 * Sends one question to one server: over UDP, over TCP when the answer was truncated, without EDNS if the server does
 * not support it. Whether the server may be asked at all is the caller's to find out.
 */
export async function askServer(question: Question, server: ServerAddress, form: AskForm): Promise<DnsFact> {
  const fact = await askOnce(question, server, form, true);
  return fact.outcome === 'formerr' ? await askOnce(question, server, form, false) : fact;
}

async function askOnce(question: Question, server: ServerAddress, form: AskForm, edns: boolean): Promise<DnsFact> {
  const from = serverText(server);
  const query = buildQuery(question, { edns, mixCase: form.mixCase });
  let exchanged = await exchangeUdp(query, server, form.timeoutMs);
  form.silence.note(from, exchanged);
  if (!exchanged.failure && exchanged.survey?.isTruncated) exchanged = await askOverTcp(query, server, form);
  if (exchanged.failure) return { outcome: exchanged.failure, detail: exchanged.detail, server: from };
  const reply = exchanged.survey && readReply(exchanged.bytes, exchanged.survey);
  if (!reply || exchanged.survey?.isTruncated)
    return { outcome: 'malformed', detail: 'the answer cannot be read', server: from };
  return interpretReply(reply, question.name, question.type, from);
}

/** A server whose connections fail still answers over UDP, so its silence over TCP is noted apart. */
async function askOverTcp(query: Query, server: ServerAddress, { timeoutMs, silence }: AskForm): Promise<Exchanged> {
  const place = `${serverText(server)} over TCP`;
  if (!silence.mayAsk(place)) return { failure: 'timeout', detail: NOT_ASKED };
  const exchanged = await exchangeTcp(query, server, timeoutMs);
  silence.note(place, exchanged);
  return exchanged;
}
