import type { Refusal } from '@dmarc-ledger/vocabulary';
import type { ByteSource } from './byte-source.ts';
import type { Content } from './content.ts';
import type { Document, Place } from './document.ts';
import type { Envelope } from './envelope.ts';
import type { Kind } from './sniff.ts';

/** A part of a delivery that could not be opened, and its place. */
export interface RefusedPart extends Refusal {
  readonly kind: 'refused';
  readonly path: string;
}

/** Receives what is met in a delivery, in order. */
export type Steps<Result = void> = AsyncGenerator<Document | RefusedPart, Result, undefined>;

/** Receives the content of a container, and opens it in turn. */
export interface Gatherer {
  mail: Envelope | null;
  /** An empty content was found. */
  sawEmpty: boolean;
  /** The delivery has exceeded its budget: the rest of it is not opened. */
  readonly isOver: boolean;
  /** Runs a step; a refusal in it is recorded and stops nothing else. */
  attempt<Result>(place: Place, step: () => Steps<Result>): Steps<Result | undefined>;
  addDocument(content: Content, kind: Document['kind'], place: Place): Steps;
  /** Opens a content of known kind; its source, when all of it is one. */
  content(content: Content, kind: Kind, place: Place, source?: ByteSource): Steps;
}
