import { createTicket } from '@dmarc-ledger/ledger/for-web';
import { HttpProblem } from '@dmarc-ledger/vocabulary';
import { request } from 'undici';
import { z } from 'zod';
import type { SettingsAnswer } from '../page/define-page.ts';
import type { WebNeeds } from './web-needs.ts';

const PATH = '/ingest/v1/settings';
const TIMEOUT_MS = 60_000;
const Answer = z.record(z.string(), z.unknown());

/**
 * Has the ingester change a setting whose secret only it may seal, and returns its answer.
 * @throws {HttpProblem} with the sentence of the ingester when it refuses.
 */
export async function askIngester(
  { ingestUrl, reads }: WebNeeds,
  orgId: string,
  wish: { [name: string]: unknown },
): Promise<SettingsAnswer> {
  if (ingestUrl === undefined) throw notSetUp('INGEST_URL');
  const token = await createTicket(reads.of(orgId), orgId, 'settings');
  const { status, body } = await post(`${ingestUrl}${PATH}`, token, wish);
  const answer = read(body);
  if (status === 200) return answer;
  if (status === 404 && answer['error'] === 'Not Found') throw notSetUp('SECRET_KEY');
  const error = typeof answer['error'] === 'string' ? answer['error'] : 'The change was refused';
  throw new HttpProblem('settings_refused', { status: status >= 500 ? 503 : status, error });
}

async function post(url: string, token: string, wish: object): Promise<{ status: number; body: string }> {
  try {
    const { statusCode, body } = await request(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(wish),
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    return { status: statusCode, body: await body.text() };
  } catch (cause) {
    const error = 'The change could not be passed on. Try again';
    throw new HttpProblem('ingester_away', { status: 503, error }, { cause });
  }
}

function read(body: string): SettingsAnswer {
  try {
    return Answer.parse(JSON.parse(body));
  } catch {
    return {};
  }
}

function notSetUp(missing: string): HttpProblem {
  const error = `Settings cannot be changed here: the operator of this server has to set ${missing}`;
  return new HttpProblem('settings_off', { status: 404, error });
}
