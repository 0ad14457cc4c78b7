import { keyScopes } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { count, day, identifier, instant, percentage, text } from '../bodies/fields.ts';

/** Scopes that allow reading; the one for uploads does not. */
const readingScopes = keyScopes.filter((scope) => scope !== 'ingest');

const UsageWindow = z
  .object({
    limit: count('Requests that the plan allows in an hour; null without a quota.').nullable(),
    used: count('Requests so far, this one included.'),
    remaining: count('Requests that are left; null without a quota.').nullable(),
    percent_used: percentage('Part of the limit; null without a quota.').nullable(),
    starts_at: instant('Begin of the clock hour.'),
    resets_at: instant('Its end.'),
    reset: count('Its end in epoch seconds, as in `X-RateLimit-Reset`.'),
  })
  .meta({ id: 'UsageWindow', description: 'The current clock hour in UTC.' });

const UsagePoint = z
  .object({
    start: instant('Begin of the hour or day.'),
    date: day('The day that it is on.'),
    requests: count('Requests that counted against the quota, or would have.'),
    rejected: count('Requests answered with 429.'),
    errors: count('Requests answered with 500 or above.'),
  })
  .meta({ id: 'UsagePoint' });

const KeyShare = z
  .object({
    id: identifier('Id of the key.'),
    name: text('As it was given when the key was made.'),
    prefix: text('The eight characters after `dml_`.'),
    scope: z.enum(readingScopes).describe('What the key may do, as far as the role of its owner allows it.'),
    requests: count('Requests within the window.'),
    share: percentage('Part of all requests within the window.'),
    last_used_at: instant('When it was last used; null when never.').nullable(),
    revoked: z.boolean().describe('Whether it was revoked.'),
  })
  .meta({ id: 'KeyShare' });

export const UsageAnswer = z.object({
  days: z.int().min(1).max(90).describe('Window applied.'),
  plan: text('Code of the plan.'),
  window: UsageWindow,
  status: z
    .enum(['unlimited', 'ok', 'near_limit', 'exceeded'])
    .describe('`unlimited` without a quota; `near_limit` from 80 %, `exceeded` at 100 %.'),
  message: text('The same in a sentence.'),
  granularity: z.enum(['hour', 'day']).describe('`hour` for a window of two days or less.'),
  history: z.array(UsagePoint).describe('Oldest first, without gaps; the current hour or today last.'),
  total_requests: count('Sum over the history.'),
  total_rejected: count('Sum over the history.'),
  keys: z.array(KeyShare).describe('Most requests first. A revoked key is there while it has requests in the window.'),
});
