import { HttpProblem } from '@dmarc-ledger/vocabulary';
import { request, type Dispatcher } from 'undici';

const TIMEOUT_MS = 60_000;

/**
 * Posts to the ingester what a person asks for, with a ticket that serves once, and reads its response.
 * @param error the sentence for a person when the ingester does not respond
 * @throws {HttpProblem} `ingester_away` with that sentence
 */
export async function postToIngester<Answer>(
  { url, token }: { url: string; token: string },
  body: object,
  error: string,
  read: (response: Dispatcher.ResponseData) => Answer | Promise<Answer>,
): Promise<Answer> {
  try {
    const response = await request(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    return await read(response);
  } catch (cause) {
    throw new HttpProblem('ingester_away', { status: 503, error }, { cause });
  }
}
