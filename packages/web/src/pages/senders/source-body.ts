import type { BodyOf, getSource } from '@dmarc-ledger/api/answers';

/** What v1 answers about one address. */
export type SourceBody = BodyOf<typeof getSource>;
