import { entries } from './entry.ts';

/** The state of a reporting protocol's DNS record. */
export const verificationStates = entries([
  ['pending', 'Pending', 'neutral'],
  ['verified', 'Verified', 'success'],
  ['verified_inherited', 'Verified by parent domain', 'success'],
  ['not_published', 'Not published', 'warning'],
  ['published_not_ours', 'Reports elsewhere', 'warning'],
  ['multiple_records', 'Several records', 'critical'],
  ['unconfirmed', 'Could not be confirmed', 'neutral'],
]);

export const reputationStatuses = entries([
  ['clean', 'Clean', 'success'],
  ['suspicious', 'Suspicious', 'warning'],
  ['malicious', 'Malicious', 'critical'],
  ['unknown', 'Not scored', 'neutral'],
]);

export const dmarcPolicies = entries([
  ['none', 'None', 'warning'],
  ['quarantine', 'Quarantine', 'info'],
  ['reject', 'Reject', 'success'],
]);

export const healthStates = entries([
  ['nodata', 'No data yet', 'neutral'],
  ['secure', 'Secure', 'success'],
  ['warning', 'Needs attention', 'warning'],
  ['critical', 'At risk', 'critical'],
]);

export const grades = entries([
  ['A+', 'A+', 'success'],
  ['A', 'A', 'success'],
  ['A-', 'A-', 'success'],
  ['B+', 'B+', 'info'],
  ['B', 'B', 'info'],
  ['B-', 'B-', 'info'],
  ['C+', 'C+', 'warning'],
  ['C', 'C', 'warning'],
  ['C-', 'C-', 'warning'],
  ['D', 'D', 'critical'],
  ['F', 'F', 'critical'],
  ['N/A', 'Not available', 'neutral'],
]);
