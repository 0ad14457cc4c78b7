import type { SenderDecision } from '@dmarc-ledger/vocabulary';

/** What is known of the mail of a sender for one domain. */
export interface SenderFacts {
  /** Of all its mail, as the class of a source is found. */
  class: 'authenticated' | 'likely_forwarded' | 'suspicious' | 'needs_review';
  messages: number;
  /** Messages with an aligned SPF pass. */
  spfPass: number;
  /** True for a service that relays mail of others: aliases, public lists, scanners. */
  isForwarder: boolean;
  /** True for networks, mailbox providers, gateways and relays: some of their hosts may pass on mail of others. */
  mayRelay: boolean;
}

/** A decision that follows from the mail, and why; null when the mail does not tell. */
export interface Suggestion {
  decision: SenderDecision;
  reason: string;
}

/**
 * Suggests what a sender is. Forwarded mail passes by signatures that survive it, so of what relays mail, or may, only
 * an aligned SPF pass shows that it sends itself. (rules, sender-inventory/suggestions)
 */
export function suggestDecision(facts: SenderFacts): Suggestion | null {
  if (facts.messages === 0) return null;
  if (facts.isForwarder && facts.spfPass === 0)
    return { decision: 'forwarder', reason: 'The service relays mail, and none of it passes SPF as the domain.' };
  if (facts.class === 'authenticated' && facts.mayRelay && facts.spfPass === 0) return null;
  if (facts.class === 'authenticated')
    return { decision: 'ours', reason: 'At least 9 of 10 messages pass DMARC: the sender holds a key or is in SPF.' };
  if (facts.class === 'likely_forwarded')
    return { decision: 'forwarder', reason: 'Most of the mail that fails shows signs of forwarding.' };
  if (facts.class === 'suspicious')
    return { decision: 'not_ours', reason: 'Most of the mail that fails shows signs of forgery.' };
  return null;
}
