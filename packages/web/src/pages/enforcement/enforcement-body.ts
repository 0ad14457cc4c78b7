import type { BodyOf, getEnforcement } from '@dmarc-ledger/api/answers';

/** What the API answers about a stricter policy. */
export type EnforcementBody = BodyOf<typeof getEnforcement>;
