import { alertTypes, type AlertCode } from '@dmarc-ledger/vocabulary';

/**
 * When the same key may be raised again: never; at each change; when so many days have gone by since it was raised,
 * which also end it, unless it comes once; or when it has been false for a day. One that is true again before is the
 * same event, open again.
 */
export type Rearm = 'never' | 'each' | 'after_a_day' | { days: number; isOnce?: boolean };

const never = 'never';
const each = 'each';
const days = (count: number) => ({ days: count });
/** The key names a day: only the end of it is told by days. */
const ofOneDay = (count: number) => ({ days: count, isOnce: true });

/**
 * Those that differ from the default. Keys that name an hour, a day or a stop come once.
 * (rules, events/conditions-and-events)
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

/** Their keys name an hour, a day, a stop or a key of the API: once these have gone by, they cannot hold again. */
const goneBy: ReadonlySet<AlertCode> = new Set([
  'reports_resumed',
  'forensic_report_received',
  'quota_near_limit',
  'api_key_expiring',
]);

/** Told once of what stays, such as a domain or a source: that it was told has to be remembered for ever. */
export const rememberedForEver: readonly AlertCode[] = alertTypes
  .map(({ code }) => code)
  .filter((code) => rearmOf[code] === never && !goneBy.has(code));
