import { createTicket } from '@dmarc-ledger/ledger/for-web';
import { HttpProblem } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import type { OpenedRaw, RawRequest } from '../page/define-page.ts';
import { postToIngester } from './post-to-ingester.ts';
import type { WebNeeds } from './web-needs.ts';

const PATH = '/ingest/v1/raw';
const AWAY = 'The raw bytes could not be fetched. Try again';
const Refusal = z.object({ error: z.string().max(300) });

/**
 * Has the ingester open raw bytes, and passes them on as they come.
 * @throws {HttpProblem} with the sentence of the ingester when it refuses.
 */
export async function openRaw({ ingestUrl, reads }: WebNeeds, orgId: string, request: RawRequest): Promise<OpenedRaw> {
  if (ingestUrl === undefined) throw notSetUp();
  const token = await createTicket(reads.of(orgId), orgId, 'raw');
  const at = { url: `${ingestUrl}${PATH}`, token };
  const { statusCode, headers, body } = await postToIngester(at, request, AWAY, (response) => response);
  if (statusCode !== 200) throw refusal(statusCode, await body.text());
  const length = Number(headers['content-length'] ?? Number.NaN);
  return { kind: String(headers['x-raw-kind'] ?? ''), size: Number.isNaN(length) ? null : length, content: body };
}

function refusal(status: number, text: string): HttpProblem {
  const { data } = Refusal.safeParse(parsed(text));
  if (status === 404 && data?.error === 'Not Found') return notSetUp();
  const error = status >= 500 || !data ? 'The raw bytes cannot be read now. Try again' : data.error;
  return new HttpProblem('raw_refused', { status: status >= 500 ? 503 : status, error });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function notSetUp(): HttpProblem {
  const error = 'Raw bytes cannot be shown here: the operator of this server has to set INGEST_URL';
  return new HttpProblem('raw_off', { status: 422, error });
}
