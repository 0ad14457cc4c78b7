export type { Admission, Demand, Leave, Limiter, LimiterOptions, LimiterStatus, Window } from './limiter.ts';
export { localLimiter, openLimiter, type LimiterLog, type OpenLimiterOptions } from './open-limiter.ts';
export type { KeyUse, UsageBatch, UsageCount, UsageKey } from './tally.ts';
