import type { MessagePart } from '@dmarc-ledger/schema';
import { refusedPart } from './message-story.ts';

/** Refusals of a delivery that are listed individually, so that a delivery full of refusals cannot fill the ledger. */
const REFUSALS_LISTED = 100;

/** The outcomes of a delivery's documents, in order. */
export class DeliveryParts {
  readonly #parts: MessagePart[] = [];
  #refused = 0;

  add(parts: Iterable<MessagePart>): void {
    for (const part of parts) {
      if (part.outcome === 'refused') this.#refused += 1;
      if (part.outcome !== 'refused' || this.#refused <= REFUSALS_LISTED) this.#parts.push(part);
    }
  }

  /** All outcomes; the refusals beyond the first hundred are one part. */
  list(): MessagePart[] {
    const more = this.#refused - REFUSALS_LISTED;
    if (more <= 0) return [...this.#parts];
    const rest = { code: 'more_refusals', message: `${more} more parts of the delivery were refused.` };
    return [...this.#parts, refusedPart('', null, rest)];
  }
}
