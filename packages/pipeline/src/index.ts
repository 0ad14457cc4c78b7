export { workHandlers, type WorkNeeds } from './handlers.ts';
export { ARRIVAL_LIMIT, receiveMessages, type Arrival } from './intake/receive-messages.ts';
export { runIntake } from './intake/run-intake.ts';
export { takeIn, tendIntake, type IntakeNeeds } from './intake/take-in.ts';
export { runRelay, type RelayNeeds } from './outbox/relay.ts';
export { runSweep, type SweepNeeds } from './sweep/sweep.ts';
export { auditRaw, type RawAudit } from './audit/audit-raw.ts';
export { repairRollups } from './rollups/repair-rollups.ts';
