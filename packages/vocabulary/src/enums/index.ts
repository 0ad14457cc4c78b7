import { alertTypes } from './alert-types.ts';
import type { EnumEntry } from './entry.ts';
import { actionItemSeverities, alertSeverities } from './severities.ts';
import { dmarcPolicies, grades, healthStates, reputationStatuses, verificationStates } from './states.ts';

export interface VocabularyEntry extends EnumEntry {
  deliverable?: boolean;
}

/** Every shared vocabulary by its category name, in display order. (rules, api/enums) */
export const vocabulary = {
  verification_state: verificationStates,
  alert_type: alertTypes.map(({ code, label, severity, deliverable }) => ({ code, label, severity, deliverable })),
  alert_severity: alertSeverities,
  action_item_severity: actionItemSeverities,
  reputation_status: reputationStatuses,
  dmarc_policy: dmarcPolicies,
  health_state: healthStates,
  grade: grades,
} satisfies { [category: string]: VocabularyEntry[] };
