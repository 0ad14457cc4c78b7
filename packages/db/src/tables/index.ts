export type * from './access.ts';
export type * from './enrichment.ts';
export type * from './event.ts';
export type * from './intake.ts';
export type * from './mailbox.ts';
export type * from './other.ts';
export type * from './report.ts';
export type * from './rollup.ts';
export type { Tables } from './tables.ts';
