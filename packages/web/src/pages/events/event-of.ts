import type { EventRow } from '@dmarc-ledger/queries';
import { idText, instantText } from '@dmarc-ledger/vocabulary';

/** An event as lists show it. */
export interface ShownEvent {
  id: string;
  type: string;
  severity: string;
  title: string;
  message: string;
  /** Its type and the parts that identify it. */
  key: string;
  link: string | undefined;
  createdAt: string;
  resolvedAt: string | undefined;
  /** Who has dealt with it, and when. */
  acknowledged: { by: string | undefined; at: string } | undefined;
}

/** A stored event as lists show it. */
export function eventOf(row: EventRow): ShownEvent {
  const { id, type, severity, title, message, key, link, created_at, resolved_at, acknowledged_at } = row;
  return {
    id: idText(id),
    type,
    severity,
    title,
    message,
    key,
    link: link === '' ? undefined : link,
    createdAt: instantText(created_at),
    resolvedAt: resolved_at ? instantText(resolved_at) : undefined,
    acknowledged: acknowledged_at
      ? { by: row.acknowledged_by ?? undefined, at: instantText(acknowledged_at) }
      : undefined,
  };
}
