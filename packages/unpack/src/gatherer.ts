import type { ByteSource } from './byte-source.ts';
import type { Content } from './content.ts';
import type { Document, Place } from './document.ts';
import type { UnpackError } from './errors.ts';
import type { Envelope } from './mail/envelope.ts';
import type { Kind } from './sniff.ts';

/** What a container tells of what it finds inside, and who opens that in turn. */
export interface Gatherer {
  mail: Envelope | null;
  /** Something was there, with nothing in it. */
  sawEmpty: boolean;
  /** Runs a step; what it refuses is written down and stops nothing else. */
  attempt(place: Place, step: () => Promise<void>): Promise<void>;
  refuse(error: UnpackError, path: string): void;
  addDocument(content: Content, kind: Document['kind'], place: Place): void;
  /** Opens a content of known kind; its source, when all of it is one. */
  content(content: Content, kind: Kind, place: Place, source?: ByteSource): Promise<void>;
}
