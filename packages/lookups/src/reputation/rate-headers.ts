import type { Dispatcher } from 'undici';
import type { CallBudget } from './daily-budget.ts';

type Headers = Dispatcher.ResponseData['headers'];

const PAUSE = { least: 1, default: 3_600, most: 86_400 };

/** Records the calls left today, as the service reports them; a reset that is further than a day away counts as one. */
export function saveBudget(budget: CallBudget, headers: Headers, now: Date): void {
  const remaining = wholeOf(headers['x-ratelimit-remaining']);
  const reset = wholeOf(headers['x-ratelimit-reset']);
  if (remaining === undefined) return;
  const latestMs = now.getTime() + PAUSE.most * 1_000;
  budget.record({
    remaining,
    ...(reset !== undefined && { resetAt: new Date(Math.min(reset * 1_000, latestMs)) }),
  });
}

/** The end of the pause that the service asks for: seconds, a date, or the reset of the limit. A day at most. */
export function retryAfter(headers: Headers, now: Date): Date {
  const text = String(headers['retry-after'] ?? '');
  const reset = wholeOf(headers['x-ratelimit-reset']);
  const byDate = (Date.parse(text) - now.getTime()) / 1_000;
  const byReset = reset === undefined ? PAUSE.default : reset - now.getTime() / 1_000;
  const seconds = wholeOf(text) ?? (Number.isFinite(byDate) ? byDate : byReset);
  return new Date(now.getTime() + Math.min(Math.max(seconds, PAUSE.least), PAUSE.most) * 1_000);
}

function wholeOf(value: string | string[] | undefined): number | undefined {
  return typeof value === 'string' && /^\d{1,12}$/.test(value.trim()) ? Number(value) : undefined;
}
