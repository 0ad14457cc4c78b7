import type { ImapFlow } from 'imapflow';

/** IDLE lasts by its nature; the bodies of mails have a limit of their own, by their bytes. */
const UNLIMITED = new Set<unknown>(['IDLE', 'UID FETCH']);

type Execute = (command: string, ...more: unknown[]) => Promise<unknown>;

/**
 * Ends the session when its server has not completed a command by then. A server that sends a line now and then is
 * never silent: it would hold the session for ever, and memory that other mailboxes wait for.
 */
export function limitCommands(client: ImapFlow, mostMs: number): void {
  const execute = Reflect.get(client, 'exec') as Execute;
  Reflect.set(client, 'exec', (command: string, ...more: unknown[]) => {
    const running = execute.call(client, command, ...more);
    if (UNLIMITED.has(command)) return running;
    const timer = setTimeout(() => client.close(), mostMs);
    const end = () => clearTimeout(timer);
    running.then(end, end);
    return running; // itself, as the client has taken care that its failure is never unhandled
  });
}
