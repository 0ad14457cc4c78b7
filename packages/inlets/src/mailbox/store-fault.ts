import { errorCode } from '@dmarc-ledger/vocabulary';
import type { MailboxStore } from './mailbox.ts';
import { MailboxFault } from './mailbox-fault.ts';

/** The same store, whose faults are distinguishable from those of the mail server. */
export function withStoreFaults(store: MailboxStore): MailboxStore {
  return {
    credentials: withStoreFault(store.credentials),
    open: withStoreFault(store.open),
    hold: withStoreFault(store.hold),
    hasSpace: withStoreFault(store.hasSpace),
    unknown: withStoreFault(store.unknown),
    receive: withStoreFault(store.receive),
    saveProgress: withStoreFault(store.saveProgress),
    finished: withStoreFault(store.finished),
    hasUnfinished: withStoreFault(store.hasUnfinished),
    acted: withStoreFault(store.acted),
  };
}

function withStoreFault<Asked extends unknown[], T>(
  ask: (...asked: Asked) => Promise<T>,
): (...asked: Asked) => Promise<T> {
  return async (...asked) => {
    try {
      return await ask(...asked);
    } catch (error) {
      if (error instanceof MailboxFault) throw error;
      const reason = error instanceof Error ? error.message.slice(0, 120) : String(error);
      if (errorCode(error) === 'secret_key_unknown')
        throw new MailboxFault('secret_key_unknown', reason, { cause: error });
      throw new MailboxFault('ledger_failed', `The ledger cannot be used now: ${reason}`, { cause: error });
    }
  };
}
