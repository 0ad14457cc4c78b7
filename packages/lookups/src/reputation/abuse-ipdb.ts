import { canonicalIp, errorCode } from '@dmarc-ledger/vocabulary';
import type { Agent, Dispatcher } from 'undici';
import { isPublicAddress } from '../address/public-address.ts';
import { dailyBudget, type CallBudget } from './daily-budget.ts';
import { readCheck } from './read-check.ts';
import type { ReputationFact, ReputationProvider } from './reputation-provider.ts';
import { retryAfter, saveBudget } from './rate-headers.ts';

export interface AbuseIpdbOptions {
  key: string;
  /** Default `https://api.abuseipdb.com/api/v2`. */
  url?: string;
  /** Calls in a day: 1,000 are free. */
  budget?: CallBudget;
  /** From the first byte sent to the last received. Default 10,000. */
  timeoutMs?: number;
  /** Which addresses may be queried for. Default: public ones. */
  isAllowed?: (ip: string) => boolean;
  now?: () => Date;
}

const URL_OF_V2 = 'https://api.abuseipdb.com/api/v2';
const CALLS_PER_DAY = 1_000;
const MAX_AGE_DAYS = 90;
const MAX_BODY = 4_000_000;
const TOO_LARGE = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
const CONNECTIONS = 4;

/**
 * AbuseIPDB, version 2. It receives the address and the key. An address with more reports than can be read is asked
 * about once more without them, so that it has a score, and no categories. `close` ends its connections.
 */
export function abuseIpdb(options: AbuseIpdbOptions): ReputationProvider & { close(): Promise<void> } {
  const { key, url = URL_OF_V2, timeoutMs = 10_000, isAllowed = isPublicAddress, now = () => new Date() } = options;
  const budget = options.budget ?? dailyBudget(CALLS_PER_DAY, now);
  let agent: Agent | undefined;
  const check = async (address: string, isVerbose: boolean): Promise<ReputationFact> => {
    const until = await budget.take();
    if (until) return { outcome: 'refused', until, reason: 'the budget is spent' };
    try {
      const undici = await import('undici');
      agent ??= new undici.Agent({
        connections: CONNECTIONS,
        maxResponseSize: MAX_BODY,
        connect: { timeout: timeoutMs },
      });
      const response = await undici.request(checkUrl(url, address, isVerbose), {
        dispatcher: agent,
        headers: { key, accept: 'application/json', 'user-agent': 'dmarc-ledger' },
        signal: AbortSignal.timeout(timeoutMs),
      });
      return await readResponse(response, budget, now());
    } catch (error) {
      if (isVerbose && errorCode(error) === TOO_LARGE) return await check(address, false);
      return { outcome: 'failed', failure: failureOf(error) };
    }
  };
  return {
    name: 'AbuseIPDB',
    async lookUp(ip) {
      const address = canonicalIp(ip);
      if (address === undefined || !isAllowed(address))
        return { outcome: 'not_available', reason: 'not a public address' };
      return await check(address, true);
    },
    close: async () => agent?.destroy(),
  };
}

/** `verbose` asks for every report, from which the categories are read. */
function checkUrl(base: string, ip: string, isVerbose: boolean): URL {
  const url = new URL(`${base.replace(/\/$/, '')}/check`);
  const parameters = new URLSearchParams({ ipAddress: ip, maxAgeInDays: String(MAX_AGE_DAYS) }).toString();
  url.search = isVerbose ? `${parameters}&verbose` : parameters;
  return url;
}

async function readResponse(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  budget: CallBudget,
  now: Date,
): Promise<ReputationFact> {
  saveBudget(budget, headers, now);
  if (statusCode === 429) {
    await body.dump();
    const until = retryAfter(headers, now);
    budget.closeUntil(until);
    return { outcome: 'refused', until, reason: 'the service asks for a pause' };
  }
  if (statusCode !== 200) {
    await body.dump();
    return refusedOrFailed(statusCode, budget, now);
  }
  const facts = readCheck(JSON.parse(await body.text()));
  return facts ? { outcome: 'found', facts } : { outcome: 'failed', failure: 'the answer has no score' };
}

const KEY_PAUSE_MS = 3_600_000;

/** A rejected key stays rejected for other addresses. 422: the service does not rate this address. */
function refusedOrFailed(status: number, budget: CallBudget, now: Date): ReputationFact {
  if (status === 422) return { outcome: 'not_available', reason: 'the service does not rate this address' };
  if (status !== 401 && status !== 403 && status !== 402) return { outcome: 'failed', failure: `status ${status}` };
  const until = new Date(now.getTime() + KEY_PAUSE_MS);
  budget.closeUntil(until);
  return { outcome: 'refused', until, reason: 'the key is not accepted' };
}

function failureOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'the answer is not JSON';
  if (!(error instanceof Error)) return 'unknown';
  return error.name === 'TimeoutError' ? 'timeout' : (errorCode(error) ?? error.name);
}
