import type { SenderFacts } from '@dmarc-ledger/scoring';
import { serviceOf } from '@dmarc-ledger/sources';

const RELAYING_CATEGORIES: ReadonlySet<string> = new Set(['mailbox', 'security_gateway', 'relay']);

/** Whether a sender relays mail of others: a service by its slug, a network without one. */
export function relayingOf(slug: string | null): Pick<SenderFacts, 'isForwarder' | 'mayRelay'> {
  const service = slug === null ? undefined : serviceOf(slug);
  const { forwarder: isForwarder = false, category = 'relay' } = service ?? {};
  return { isForwarder, mayRelay: RELAYING_CATEGORIES.has(category) };
}
