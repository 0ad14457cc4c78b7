import type { MessagePart } from '@dmarc-ledger/schema';
import { refusedPart } from './message-story.ts';

/** Refusals of a delivery that are told one by one: what is made of refusals must not fill the ledger. */
const REFUSALS_TOLD = 100;

/** What became of a delivery's documents, in order. */
export class DeliveryParts {
  readonly #parts: MessagePart[] = [];
  #refused = 0;

  add(parts: Iterable<MessagePart>): void {
    for (const part of parts) {
      if (part.outcome === 'refused') this.#refused += 1;
      if (part.outcome !== 'refused' || this.#refused <= REFUSALS_TOLD) this.#parts.push(part);
    }
  }

  /** All that is told of them; the refusals beyond the first hundred as one. */
  list(): MessagePart[] {
    const more = this.#refused - REFUSALS_TOLD;
    if (more <= 0) return [...this.#parts];
    const rest = { code: 'more_refusals', message: `${more} more parts of the delivery were refused.` };
    return [...this.#parts, refusedPart('', null, rest)];
  }
}
