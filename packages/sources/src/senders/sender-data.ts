import type { SenderEntry } from './sender.ts';
import data from './senders.json' with { type: 'json' };

/** The services known to this release. A test validates the file; to the compiler its categories are plain strings. */
export const senderEntries = data as readonly SenderEntry[];
