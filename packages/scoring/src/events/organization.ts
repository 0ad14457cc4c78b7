import { dayOf } from '@dmarc-ledger/vocabulary';
import { eventTexts } from './event-texts.ts';
import { holding, type Holding } from './judgement.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const UNREAD = 3;
const NEAR = { part: 0.8, whole: 1 };
const NOTICE_DAYS = [3, 14] as const;

/** Judges the attachments of the last 24 hours that could not be read. (rules, events/events-of-an-organization) */
export function judgeUnread(attachments: number): Holding[] {
  if (attachments < UNREAD) return [];
  const message = eventTexts.unread({ attachments });
  return [holding('report_parse_failed', { domain: '', message })];
}

/** Judges the requests of the current clock hour. */
export function judgeQuota({ used, limit, now }: { used: number; limit: number; now: Date }): Holding[] {
  if (used < NEAR.part * limit) return [];
  const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS).toISOString();
  const about = { domain: '', parts: [`${hour.slice(0, 13)}Z`] };
  if (used < NEAR.whole * limit)
    return [
      holding('quota_near_limit', { ...about, severity: 'warning', message: eventTexts.quotaNear({ used, limit }) }),
    ];
  const message = eventTexts.quotaUsed({ limit });
  return [holding('quota_near_limit', { ...about, severity: 'critical', title: 'API quota used up', message })];
}

/** Judges a key that expires soon: raised once within 14 days, and once within 3. */
export function judgeKey({
  id,
  name,
  expiresAt,
  now,
}: {
  id: string;
  name: string;
  expiresAt: Date;
  now: Date;
}): Holding[] {
  const left = expiresAt.getTime() - now.getTime();
  const notice = NOTICE_DAYS.find((days) => left <= days * DAY_MS);
  if (left <= 0 || notice === undefined) return [];
  const day = dayOf(Math.floor(expiresAt.getTime() / 1_000));
  const message = eventTexts.keyExpires({ name, day });
  return [holding('api_key_expiring', { domain: '', parts: [id, String(notice)], message })];
}
