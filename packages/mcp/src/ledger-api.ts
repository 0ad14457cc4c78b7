import { CodedError, printableText } from '@dmarc-ledger/vocabulary';

/** The API cannot be used: it does not answer, or the answer is not from this API. */
export class LedgerApiError extends CodedError<'api_url' | 'api_unreachable' | 'api_unknown'> {
  override readonly retryable = this.code === 'api_unreachable';
}

/** What the API answered, as text. */
export interface ApiAnswer {
  status: number;
  /** Its beginning, if it is longer than 2 MiB: a report may have a million records. */
  text: string;
  /** The address that was asked. */
  url: string;
}

/** A running API, asked over HTTP like any client. */
export interface LedgerApi {
  origin: string;
  /**
   * Asks with a key, which decides what may be seen. A redirect is not followed, so that the key goes nowhere else.
   *
   * @param path below the origin, with its query
   */
  get(path: string, key?: string): Promise<ApiAnswer>;
}

const WITHIN_MS = 60_000;
const MOST_BYTES = 2_097_152;

/** Opens the API at a URL such as `http://127.0.0.1:8080`. Nothing is asked yet. */
export function openLedgerApi(url: string): LedgerApi {
  const base = URL.parse(url);
  if (!base || !/^https?:$/.test(base.protocol))
    throw new LedgerApiError('api_url', 'Give the URL of the API, such as http://127.0.0.1:8080.');
  const { origin } = base;
  return {
    origin,
    async get(path, key) {
      const asked = new URL(path, origin).href;
      const headers = { accept: 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) };
      let answer: ApiAnswer & { leadsTo: string | null };
      try {
        const response = await fetch(asked, { headers, signal: AbortSignal.timeout(WITHIN_MS), redirect: 'manual' });
        const leadsTo = response.headers.get('location');
        answer = { status: response.status, text: await beginningOf(response), url: asked, leadsTo };
      } catch (error) {
        throw new LedgerApiError('api_unreachable', `The API at ${origin} does not answer.`, { cause: error });
      }
      const { leadsTo, ...rest } = answer;
      if (rest.status < 300 || rest.status > 399) return rest;
      const place = leadsTo === null ? 'elsewhere' : `to ${printableText(leadsTo)}`;
      throw new LedgerApiError('api_unknown', `${origin} redirects ${place}: give the URL of the API itself.`);
    },
  };
}

/** Reads no more of an answer than can be used. */
async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    size += chunk.length;
    if (size >= MOST_BYTES) break; // the rest is cancelled
  }
  return text;
}
