import { HttpProblem } from '@dmarc-ledger/vocabulary';
import { request, type Dispatcher } from 'undici';

const TIMEOUT_MS = 60_000;

/**
 * Posts what a person wishes to the ingester, with a ticket that serves once, and reads its response.
 * @param error the sentence for a person when the ingester does not respond
 * @throws {HttpProblem} `ingester_away` with that sentence
 */
export async function postWish<Answer>(
  { url, token }: { url: string; token: string },
  wish: object,
  error: string,
  read: (response: Dispatcher.ResponseData) => Answer | Promise<Answer>,
): Promise<Answer> {
  try {
    const response = await request(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(wish),
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    return await read(response);
  } catch (cause) {
    throw new HttpProblem('ingester_away', { status: 503, error }, { cause });
  }
}
