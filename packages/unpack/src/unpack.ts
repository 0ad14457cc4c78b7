import type { ByteSource } from './byte-source.ts';
import { sourceContent, readHead } from './content.ts';
import { DeliveryBudget, mailAllowance, type Allowance } from './delivery-budget.ts';
import { pathText, type Document, type Place } from './document.ts';
import { UnpackError } from './errors.ts';
import type { RefusedPart, Steps } from './gatherer.ts';
import { MAX_ARCHIVE, MAX_STREAMED } from './limits.ts';
import type { Envelope } from './envelope.ts';
import { sniff } from './sniff.ts';
import { Walk } from './walk.ts';

/** A delivery that is being opened: its documents and its refusals, one at a time; at least one. */
export interface Unpacking extends AsyncIterable<Document | RefusedPart> {
  /**
   * Set before the first of them, when the delivery is, or begins with, a message: the claims of the outermost header.
   */
  readonly mail: Envelope | null;
  /** The remaining budget of the delivery. */
  readonly budget: DeliveryBudget;
}

/**
 * Unpacks a delivery (a message, an archive, a bare document) into its documents, whose kinds follow from content
 * alone. A broken or too large part is refused and the others continue. A document must be read before the next is
 * requested. It may be iterated again; the budget continues. Writes and fetches nothing.
 */
export function unpack(source: ByteSource, options: { name?: string; allowance?: Allowance } = {}): Unpacking {
  const budget = new DeliveryBudget(source.size, options.allowance ?? mailAllowance);
  const walk = new Walk(budget);
  const name = options.name?.split(/[\\/]/).at(-1) ?? null;
  return {
    get mail() {
      return walk.mail;
    },
    budget,
    [Symbol.asyncIterator]: () => steps(walk, source, name),
  };
}

async function* steps(walk: Walk, source: ByteSource, name: string | null): Steps {
  const place: Place = { path: name === null ? [] : [name], name, warnings: [], layers: 0, messages: 0 };
  let isNothing = true;
  for await (const step of walk.attempt(place, () => openDelivery(walk, source, place))) {
    isNothing = false;
    yield step;
  }
  if (!isNothing) return;
  const { code, message } = walk.sawEmpty
    ? new UnpackError('empty_container', 'the delivery is empty')
    : new UnpackError('not_a_report', 'the delivery contains no report');
  yield { kind: 'refused', path: pathText(place), code, message };
}

async function* openDelivery(walk: Walk, source: ByteSource, place: Place): Steps {
  const content = await sourceContent(source);
  const kind = sniff(await readHead(content, () => undefined));
  const limit = kind === 'xml' || kind === 'json' ? MAX_STREAMED : MAX_ARCHIVE;
  if (source.size > limit && kind !== 'mail')
    throw new UnpackError('payload_too_large', `the delivery has ${source.size} bytes`);
  if (kind === 'mail') yield* walk.message(source, place);
  else yield* walk.content(content, kind, place, source);
}
