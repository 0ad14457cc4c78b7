import { findKeyUsage, findPlan, findUsage, type KeyUsage, type UsageSums } from '@dmarc-ledger/queries';
import type { Window } from '@dmarc-ledger/limits';
import { inSnapshot } from '@dmarc-ledger/schema';
import { counted, dayOf, groupedDigits, hourBegin, idText, instantText, present, rate } from '@dmarc-ledger/vocabulary';
import { defineRoute } from '../define-route.ts';
import { unavailable } from '../http/problem.ts';
import { remainingOf, resetOf } from '../metering/rate-headers.ts';
import { strictDays } from '../parameters/strict.ts';
import { usageExample } from './usage-example.ts';
import { UsageAnswer } from './usage-schema.ts';

const HOURS_A_DAY = 24;
/** Windows up to this length are returned by the hour. (rules, api/usage) */
const HOURLY_DAYS = 2;
const NEAR_PERCENT = 80;

export const getUsage = defineRoute({
  path: '/api-keys/usage',
  operationId: 'getUsage',
  permission: 'integration:read',
  tag: 'API keys',
  summary: "Requests of the organization's keys: the current hour, the quota, and a history.",
  description: 'The request itself is counted.',
  query: { days: strictDays({ max: 90, standard: 30 }) },
  answer: UsageAnswer,
  errors: {
    400: '`days` is no whole number from 1 to 90.',
    503: "The organization's plan could not be resolved, or storage could not be read for the moment.",
  },
  example: usageExample,
  async handle({ db, caller: { orgId }, meter }, { days }) {
    await meter.write();
    const plan = await findPlan(db, orgId);
    if (!plan) throw unavailable();
    const window = { ...meter.window, limit: plan.hourly_quota };
    const granularity = days <= HOURLY_DAYS ? ('hour' as const) : ('day' as const);
    const step = granularity === 'hour' ? 1 : HOURS_A_DAY;
    const starts = startsOf(window.hour, step, granularity === 'hour' ? days * HOURS_A_DAY : days);
    const range = { from: present(starts[0]), to: window.hour };
    const { sums, keys } = await inSnapshot(db, async (snapshot) => ({
      sums: await findUsage(snapshot, orgId, range, granularity),
      keys: await findKeyUsage(snapshot, orgId, range),
    }));
    const history = toHistory(starts, sums);
    const requests = sumOf(history, 'requests');
    return {
      days,
      plan: plan.code,
      window: toWindow(window),
      ...toVerdict(window),
      granularity,
      history,
      total_requests: requests,
      total_rejected: sumOf(history, 'rejected'),
      keys: keys.map((key) => toKeyShare(key, requests)),
    };
  },
});

/** The hours at which the points begin, oldest first; the last point contains the given hour. */
function startsOf(hour: number, step: number, points: number): number[] {
  const last = hour - (hour % step);
  return Array.from({ length: points }, (_, i) => last - (points - 1 - i) * step);
}

function toHistory(starts: readonly number[], sums: readonly UsageSums[]) {
  const held = new Map(sums.map((sum) => [sum.start.getTime(), sum]));
  return starts.map((hour) => {
    const start = hourBegin(hour);
    const { requests = 0, rejected = 0, errors = 0 } = held.get(start.getTime()) ?? {};
    return { start: instantText(start), date: dayOf(start.getTime() / 1000), requests, rejected, errors };
  });
}

function sumOf(history: ReturnType<typeof toHistory>, what: 'requests' | 'rejected'): number {
  return history.reduce((sum, point) => sum + point[what], 0);
}

function toWindow(window: Window) {
  const { limit, used, hour } = window;
  return {
    limit,
    used,
    remaining: remainingOf(window),
    percent_used: limit === null ? null : rate(Math.min(used, limit), limit),
    starts_at: instantText(hourBegin(hour)),
    resets_at: instantText(hourBegin(hour + 1)),
    reset: resetOf(window),
  };
}

function toVerdict({ limit, used }: Window) {
  if (limit === null) return { status: 'unlimited' as const, message: 'This plan has no hourly quota.' };
  const message = `${groupedDigits(used)} of ${counted(limit, 'request')} used this hour.`;
  if (used >= limit) return { status: 'exceeded' as const, message };
  return { status: used * 100 >= limit * NEAR_PERCENT ? ('near_limit' as const) : ('ok' as const), message };
}

function toKeyShare({ id, name, prefix, scope, requests, lastUsedAt, revoked }: KeyUsage, all: number) {
  return {
    id: idText(id),
    name,
    prefix,
    scope,
    requests,
    share: rate(requests, all),
    last_used_at: lastUsedAt && instantText(lastUsedAt),
    revoked,
  };
}
