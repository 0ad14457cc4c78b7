import type { SenderOfAddress } from '@dmarc-ledger/enforcement';
import { sourceClassOf, type AddressSender, relayingOf } from '@dmarc-ledger/facts';
import { suggestDecision } from '@dmarc-ledger/scoring';
import { serviceOf } from '@dmarc-ledger/sources';
import type { SenderDecision } from '@dmarc-ledger/vocabulary';

const MAIL_SUMS = ['messages', 'compliant', 'spf_pass', 'forwarded', 'suspicious', 'needs_review'] as const;
const NO_MAIL = { messages: 0, compliant: 0, spf_pass: 0, forwarded: 0, suspicious: 0, needs_review: 0 };
type SenderMail = Pick<AddressSender, (typeof MAIL_SUMS)[number]>;

/** Returns the sums of the mail of each sender, by its key. */
export function mailOfSenders(addresses: readonly AddressSender[]): Map<string, SenderMail> {
  const sums = new Map<string, SenderMail>();
  for (const { sender, ...mail } of addresses) {
    const sum = sums.get(sender) ?? { ...NO_MAIL };
    for (const name of MAIL_SUMS) sum[name] += mail[name];
    sums.set(sender, sum);
  }
  return sums;
}

interface AboutSender extends Pick<SenderOfAddress, 'decision' | 'passingSince'> {
  mail: SenderMail | undefined;
}

/** Returns who sends from an address; `known` is undefined for one that no report is held about any more. */
export function senderOf(
  known: AddressSender | undefined,
  address: string,
  { mail, decision, passingSince }: AboutSender,
): SenderOfAddress {
  const key = known?.sender ?? address;
  const slug = known?.slug ?? null;
  const service = slug === null ? undefined : serviceOf(slug);
  return {
    key,
    slug,
    name: service?.name ?? key,
    decision,
    suggestion: mail ? suggestionOf(mail, slug) : null,
    passingSince,
    isForwarder: service?.forwarder ?? false,
    hasPassed: (known?.compliant ?? 0) > 0,
  };
}

function suggestionOf(mail: SenderMail, slug: string | null): SenderDecision | null {
  const { messages, spf_pass: spfPass } = mail;
  const suggestion = suggestDecision({ class: sourceClassOf(mail), messages, spfPass, ...relayingOf(slug) });
  return suggestion?.decision ?? null;
}
