import type { WaitReason } from './pressure.ts';

interface Mailbox {
  name: string;
  /** When it began, as an instant. */
  since: string;
  /** What the server or the sign-in said last; empty if nothing is known. */
  fault: string;
}

/** The title and message of each state of a mailbox that needs attention. (rules, events/events-of-an-organization) */
export const mailboxTexts = {
  /** Sign-in or access was refused, so that trying again would not help. */
  stopped: {
    title: ({ name }: Mailbox) => `Mailbox cannot be read: ${name}`,
    message: ({ name, fault }: Mailbox) =>
      said(
        `The mailbox ${name} is no longer read.`,
        fault,
        'Correct its settings: it is tried again when they change.',
      ),
  },
  /** Every attempt has failed for a while. */
  failing: {
    title: ({ name }: Mailbox) => `Mailbox cannot be read: ${name}`,
    message: ({ name, since, fault }: Mailbox) =>
      said(`The mailbox ${name} cannot be read since ${since}.`, fault, 'It is tried again until it works.'),
  },
  /** No process has read it for a while. */
  unserved: {
    title: ({ name }: Mailbox) => `Mailbox is not served: ${name}`,
    message: ({ name, since }: Mailbox) =>
      `No process has read the mailbox ${name} since ${since}. Check that an ingester is running.`,
  },
  /** The ledger is busy or full, or a limit of a day or an hour is reached: the fault is one of `waitTexts`. */
  held: {
    title: ({ name }: Mailbox) => `Mail waits in a mailbox: ${name}`,
    message: ({ name, since, fault }: Mailbox) =>
      said(`Mail in the mailbox ${name} has had to wait since ${since}.`, fault),
  },
  /** It is read, and nothing arrives. */
  silent: {
    title: ({ name }: Mailbox) => `Mailbox receives no mail: ${name}`,
    message: ({ name, since }: Mailbox) =>
      `Nothing has arrived in the mailbox ${name} since ${since}. Check that the rua address still delivers to it.`,
  },
} as const;

/** Why mail waits, and what to do. */
export const waitTexts: Record<WaitReason, string> = {
  ledger_full:
    'The queue or the disk is full, or the database is slow. Free space, or wait until the queue is shorter.',
  day_full:
    'The mailboxes of the organization have brought all mail that they may bring in a day. The rest is fetched ' +
    'tomorrow (UTC).',
  hour_full:
    'More mail has come within an hour than one mailbox may bring. The rest is fetched later, without further action.',
};

function said(...sentences: string[]): string {
  return sentences.filter((sentence) => sentence !== '').join(' ');
}
