import type { Refusal } from '@dmarc-ledger/vocabulary';
import type { ByteSource } from './byte-source.ts';
import type { Content } from './content.ts';
import type { Document, Place } from './document.ts';
import type { Envelope } from './mail/envelope.ts';
import type { Kind } from './sniff.ts';

/** A part of a delivery that could not be opened, and where it lies. */
export interface RefusedPart extends Refusal {
  readonly kind: 'refused';
  readonly path: string;
}

/** What is met on the way through a delivery, in its order. */
export type Steps<Result = void> = AsyncGenerator<Document | RefusedPart, Result, undefined>;

/** What a container tells of what it finds inside, and who opens that in turn. */
export interface Gatherer {
  mail: Envelope | null;
  /** Something was there, with nothing in it. */
  sawEmpty: boolean;
  /** The delivery has used up what it may: what is left of it is not opened. */
  readonly isOver: boolean;
  /** Runs a step; what it refuses is handed over and stops nothing else. */
  attempt<Result>(place: Place, step: () => Steps<Result>): Steps<Result | undefined>;
  addDocument(content: Content, kind: Document['kind'], place: Place): Steps;
  /** Opens a content of known kind; its source, when all of it is one. */
  content(content: Content, kind: Kind, place: Place, source?: ByteSource): Steps;
}
