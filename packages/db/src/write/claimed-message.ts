import type { Selectable } from 'kysely';
import type { MessageSource, RawMessageTable } from '../tables/index.ts';

/** A delivery that somebody reads: now, or again. */
export interface ClaimedMessage {
  id: string;
  sha256: Buffer;
  size: number;
  source: MessageSource;
  name: string | null;
  receivedAt: Date;
  attemptsStarted: number;
}

export const claimedColumns = ['id', 'sha256', 'size', 'source', 'name', 'received_at', 'attempts_started'] as const;

type ClaimedRow = Pick<Selectable<RawMessageTable>, (typeof claimedColumns)[number]>;

export function toClaimed({
  id,
  sha256,
  size,
  source,
  name,
  received_at,
  attempts_started,
}: ClaimedRow): ClaimedMessage {
  return { id, sha256, size, source, name, receivedAt: received_at, attemptsStarted: attempts_started };
}
