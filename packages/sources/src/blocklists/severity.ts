import type { blocklistSeverities } from '@dmarc-ledger/vocabulary';

export type BlocklistSeverity = (typeof blocklistSeverities)[number];
