import { alertTypes, type AlertCode } from '@dmarc-ledger/vocabulary';

/**
 * When a key may be raised again: never; at each change; a number of days after it was raised, which also end it (where
 * it comes once, they only end it); or once it has been false for a day. A condition with days, or of the last kind,
 * that holds again earlier reopens the same event.
 */
export type Rearm = 'never' | 'each' | 'after_a_day' | { days: number; isOnce?: boolean };

const never = 'never';
const each = 'each';
const days = (count: number) => ({ days: count });
/** The key names a day, so the days only end the condition. */
const ofOneDay = (count: number) => ({ days: count, isOnce: true });

/**
 * The types that differ from the default. Keys that name an hour, a day or a stop are raised once. (rules,
 * events/conditions-and-events)
 */
const different: { readonly [code in AlertCode]?: Rearm } = {
  first_report_received: never,
  reports_resumed: never,
  report_parse_failed: days(7),
  domain_discovered: never,
  subdomain_discovered: never,
  verification_gained: each,
  dmarc_record_changed: each,
  dmarc_policy_strengthened: each,
  policy_upgrade_ready: days(90),
  spf_record_changed: each,
  dkim_selector_new: never,
  mx_changed: each,
  tls_failures: days(7),
  new_source: never,
  new_failing_source: days(30),
  suspicious_source: days(30),
  malicious_source: days(30),
  source_delisted: each,
  failure_spike: ofOneDay(3),
  spoofing_campaign: ofOneDay(3),
  volume_spike: ofOneDay(3),
  volume_drop: days(7),
  alignment_drop: ofOneDay(7),
  forensic_report_received: never,
  aprf_spam_placement: days(7),
  quota_near_limit: never,
  api_key_expiring: never,
};

export const rearmOf = Object.fromEntries(alertTypes.map(({ code }) => [code, different[code] ?? 'after_a_day'])) as {
  readonly [code in AlertCode]: Rearm;
};

/** Keys of these types name an hour, a day, a stop or an API key: once that has passed, they cannot hold again. */
const goneBy: ReadonlySet<AlertCode> = new Set([
  'reports_resumed',
  'forensic_report_received',
  'quota_near_limit',
  'api_key_expiring',
]);

/** Types raised once for something permanent, such as a domain or a source: their keys are kept for ever. */
export const rememberedForEver: readonly AlertCode[] = alertTypes
  .map(({ code }) => code)
  .filter((code) => rearmOf[code] === never && !goneBy.has(code));
