import type { KeptKey } from './keys/kept-keys.ts';
import type { AnswersByProtocol } from './servers/server-answers.ts';
import type { SpfTree } from './spf/spf-tree.ts';

/** What the newest checks of a domain found in detail; a subject that no check has found anything about is missing. */
export interface DomainEvidence {
  name_servers?: Kept<AnswersByProtocol>;
  spf_tree?: Kept<SpfTree>;
  dkim_keys?: Kept<KeptKey[]>;
}

interface Kept<Body> {
  body: Body;
  readAt: Date;
}

/** Reads stored evidence: each body was written from the type that its subject names, and by nothing else. */
export function readKeptEvidence(
  rows: readonly { subject: keyof DomainEvidence; body: unknown; readAt: Date }[],
): DomainEvidence {
  return Object.fromEntries(rows.map(({ subject, ...kept }) => [subject, kept]));
}
