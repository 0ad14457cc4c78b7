import { entries } from './entry.ts';

export const alertSeverities = entries([
  ['info', 'Info', 'info'],
  ['warning', 'Warning', 'warning'],
  ['critical', 'Critical', 'critical'],
]);

/** The three levels of alerts in the other order: high is critical, low is info. */
export const actionItemSeverities = entries([
  ['high', 'High', 'critical'],
  ['medium', 'Medium', 'warning'],
  ['low', 'Low', 'info'],
]);

/** How serious the blocklists' results for a source are, best to worst. */
export const blocklistSeverities = ['unchecked', 'clean', 'degraded', 'advisory', 'warning', 'critical'] as const;

/** The class of a source or a record. */
export const sourceClasses = ['authenticated', 'likely_forwarded', 'suspicious', 'needs_review'] as const;
