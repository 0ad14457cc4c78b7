import { entries } from './entry.ts';

export const alertSeverities = entries([
  ['info', 'Info', 'info'],
  ['warning', 'Warning', 'warning'],
  ['critical', 'Critical', 'critical'],
]);

/** The same three levels as those of alerts, in the other order: high is critical, low is info. */
export const actionItemSeverities = entries([
  ['high', 'High', 'critical'],
  ['medium', 'Medium', 'warning'],
  ['low', 'Low', 'info'],
]);

/** How much of a problem the blocklists make of a source, best to worst. */
export const blocklistSeverities = ['unchecked', 'clean', 'degraded', 'advisory', 'warning', 'critical'] as const;

/** What a failing or passing source, or record, is taken for. */
export const sourceClasses = ['authenticated', 'likely_forwarded', 'suspicious', 'needs_review'] as const;
