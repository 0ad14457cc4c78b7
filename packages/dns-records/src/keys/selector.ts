import type { DkimKeyFact } from '@dmarc-ledger/vocabulary';

/** Names a DKIM key. */
export type Selector = Pick<DkimKeyFact, 'domain' | 'selector' | 'isRetired'>;
