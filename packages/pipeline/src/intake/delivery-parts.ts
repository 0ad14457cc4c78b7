import type { MessagePart } from '@dmarc-ledger/schema';
import { refusedPart } from './message-parts.ts';

/** Refusals of a delivery that are listed individually, so that a delivery full of refusals cannot fill the ledger. */
const REFUSALS_LISTED = 100;

/** The outcomes of a delivery's documents, in order. */
export class DeliveryParts {
  readonly #parts: MessagePart[] = [];
  /** What the listed held reports are about, with the codes that hold them. */
  readonly #held = new Set<string>();
  #refused = 0;
  #listed = 0;

  add(parts: Iterable<MessagePart>): void {
    for (const part of parts) {
      if (part.outcome === 'refused' && !this.#takes(part)) continue;
      this.#parts.push(part);
    }
  }

  /** All outcomes; most refusals beyond the first hundred are one part. */
  list(): MessagePart[] {
    const more = this.#refused - this.#listed;
    if (more <= 0) return [...this.#parts];
    const rest = { code: 'more_refusals', message: `${more} more parts of the delivery were refused.` };
    return [...this.#parts, refusedPart('', null, rest)];
  }

  /** Whether a refusal is listed: also the first held report of a domain, by which its delivery is released. */
  #takes({ code, held }: MessagePart): boolean {
    this.#refused += 1;
    const key = held && `${code} ${held.domain}`;
    const isFirstHeld = key !== undefined && !this.#held.has(key);
    if (this.#listed >= REFUSALS_LISTED && !isFirstHeld) return false;
    this.#listed += 1;
    if (isFirstHeld) this.#held.add(key);
    return true;
  }
}
