import type { SenderEntry } from './sender.ts';
import data from './senders.json' with { type: 'json' };

/** The services known to this release. A test holds the file to its rules; the compiler sees its categories as text. */
export const senderEntries = data as readonly SenderEntry[];
