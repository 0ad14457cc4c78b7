/** An address whose mail of the window is from the domain's own senders, or may be. */
export interface SpfSender {
  address: string;
  messages: number;
  /** Those that passed DMARC. */
  compliant: number;
  spfPass: number;
  /** True if a person decided that its sender is theirs. */
  isOurs: boolean;
  /** The network or service of the address; a service has an `include` of its own. */
  isService: boolean;
  /** Undefined where mail has the domain itself as envelope sender, or where that is not known. */
  returnPath?: ReturnPath | undefined;
}

/**
 * The envelope sender of an address, where nearly all of its mail has one at another name than the domain: receivers
 * evaluate the record of exactly that name, and no term of the domain's. (RFC 7208, 2.4)
 */
export interface ReturnPath {
  name: string;
  /** True for a name of the same organizational domain, which is aligned unless `aspf=s` asks for the very name. */
  isRelated: boolean;
  /** True where its mail mostly passes SPF for that name. */
  passes: boolean;
}

export interface SpfMail<Sender extends SpfSender = SpfSender> {
  senders: readonly Sender[];
  /** Days of the window on which own mail was seen. */
  ownDays: number;
  /** True if a report is about one of the last days. (`SPF_STALE_DAYS`) */
  isCurrent: boolean;
  /** Absent where no other domain of the organization uses the record. */
  shared?: SharedUse | undefined;
}

/** Other domains whose SPF records refer to this one, by `include` or `redirect`: their mail needs its terms too. */
export interface SharedUse {
  domains: readonly string[];
  /** Those of them with too little mail, or none of late, to call a term unused. */
  unseen: readonly string[];
  /** The addresses that send as one of them. */
  addresses: readonly string[];
}

/** The mail that a term is needed for. */
export interface TermUse {
  addresses: number;
  messages: number;
  /** `no`: no mail of the window needed it; `unknown`: that cannot be seen. */
  needed: 'yes' | 'no' | 'unknown';
}

/** The least own mail, and the fewest days with it, that show that a term is not needed. */
export const LEAST_SPF_MAIL = { messages: 100, days: 14 };
/** Without a report about so many days, mail that needs a term may just not be seen. */
export const SPF_STALE_DAYS = 30;

/** The messages of an address that are surely the domain's own: others may be forged. (rules, spf/needed-terms) */
export function ownMessagesOf({ isOurs, messages, compliant }: SpfSender): number {
  return isOurs ? messages : compliant;
}

/**
 * True for an address whose mail mostly passes SPF though it is in no term: another name's record authorises it, or the
 * `+all` of this one.
 */
export function mostlyPasses({ messages, spfPass }: SpfSender): boolean {
  return messages > 0 && 2 * spfPass >= messages;
}

/** True for an address whose mail mostly passes DMARC, and does not by SPF. */
export function mostlyPassesByDkim(sender: SpfSender): boolean {
  return sender.compliant > 0 && 2 * sender.compliant >= sender.messages && !mostlyPasses(sender);
}
