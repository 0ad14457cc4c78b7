import { fieldsOf } from '@dmarc-ledger/vocabulary';
import type { ImapFlow } from 'imapflow';

/** The most messages that one line may name; at most some hundred are moved or searched for at once. */
const MOST_NAMED = 10_000;
/** The most bytes of lines, without the bodies of mails, in answer to one command; at most 1,000 mails are listed. */
const MOST_BYTES = 4 * 1024 ** 2;
/** Lines whose sets of numbers the client writes out. */
const WRITTEN_OUT = /VANISHED|ESEARCH|COPYUID/i;
const RANGE = /([^\s,:()[\]]+):([^\s,:()[\]]+)/g;

type Handle = (line: unknown) => Promise<boolean>;

/**
 * Ends the session when its server names more messages in one line than any answer needs, or does not end its answer.
 * The client collects answers, and writes sets out number by number: forty bytes (`COPYUID 8 1:16000000 1:16000000`)
 * would take gigabytes, and stop the process for seconds.
 */
export function limitLines(client: ImapFlow): void {
  const handle = Reflect.get(client, 'handleResponse') as Handle;
  let command: unknown;
  let bytes = 0;
  Reflect.set(client, 'handleResponse', async (line: unknown) => {
    const { payload, literals } = fieldsOf(line);
    if (!Buffer.isBuffer(payload)) return await handle.call(client, line);
    const current: unknown = Reflect.get(client, 'currentRequest');
    bytes = current === command ? bytes + payload.length : payload.length;
    command = current;
    if (bytes > MOST_BYTES) throw new Error('The server does not end its answer.');
    if (namedIn(payload, literals) > MOST_NAMED) throw new Error('The server names too many messages in one line.');
    return await handle.call(client, line);
  });
}

/** How many messages the ranges of a line name, which may also stand in strings of it. */
function namedIn(payload: Buffer, literals: unknown): number {
  if (!WRITTEN_OUT.test(payload.toString('latin1'))) return 0;
  const strings: unknown[] = [payload, ...(Array.isArray(literals) ? literals : [])];
  const text = strings.map((bytes) => (Buffer.isBuffer(bytes) ? bytes.toString('latin1') : '')).join(' ');
  const widths = text
    .replace(/["\\]/g, '')
    .matchAll(RANGE)
    .map(([, from, to]) => Math.abs(Number(to) - Number(from)));
  return widths.filter((width) => width > 0).reduce((sum, width) => sum + width, 0);
}
