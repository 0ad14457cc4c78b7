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
  /** The ledger is busy or full. */
  held: {
    title: ({ name }: Mailbox) => `Mail waits in a mailbox: ${name}`,
    message: ({ name, since }: Mailbox) =>
      `Mail in the mailbox ${name} has had to wait since ${since}, because the queue or the disk is full. Free ` +
      `space, or wait until the queue is shorter.`,
  },
  /** It is read, and nothing arrives. */
  silent: {
    title: ({ name }: Mailbox) => `Mailbox receives no mail: ${name}`,
    message: ({ name, since }: Mailbox) =>
      `Nothing has arrived in the mailbox ${name} since ${since}. Check that the rua address still delivers to it.`,
  },
} as const;

function said(...sentences: string[]): string {
  return sentences.filter((sentence) => sentence !== '').join(' ');
}
