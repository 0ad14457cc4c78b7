import { errorCode } from '@dmarc-ledger/vocabulary';
import type { MailboxKeeper } from './mailbox.ts';
import { MailboxFault } from './mailbox-fault.ts';

/** The same keeper, whose faults are told apart from those of the mail server. */
export function tellingKeeper(keeper: MailboxKeeper): MailboxKeeper {
  return {
    credentials: telling(keeper.credentials),
    open: telling(keeper.open),
    hold: telling(keeper.hold),
    hasRoom: telling(keeper.hasRoom),
    unknown: telling(keeper.unknown),
    receive: telling(keeper.receive),
    stand: telling(keeper.stand),
    finished: telling(keeper.finished),
    hasUnfinished: telling(keeper.hasUnfinished),
    acted: telling(keeper.acted),
  };
}

function telling<Asked extends unknown[], T>(ask: (...asked: Asked) => Promise<T>): (...asked: Asked) => Promise<T> {
  return async (...asked) => {
    try {
      return await ask(...asked);
    } catch (error) {
      if (error instanceof MailboxFault) throw error;
      const reason = error instanceof Error ? error.message.slice(0, 120) : String(error);
      if (errorCode(error) === 'secret_key_unknown')
        throw new MailboxFault('secret_key_unknown', reason, { cause: error });
      throw new MailboxFault('keeper_failed', `The ledger cannot be used now: ${reason}`, { cause: error });
    }
  };
}
