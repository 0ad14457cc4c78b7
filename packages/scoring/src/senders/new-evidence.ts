import { counted, groupedDigits, type SenderDecision } from '@dmarc-ledger/vocabulary';

/** The mail of a sender for one domain on the days since the decision, 30 at most. */
export interface MailSince {
  messages: number;
  compliant: number;
  spfPass: number;
  dkimPass: number;
  suspicious: number;
}

export interface EvidenceFacts {
  decision: SenderDecision;
  since: MailSince;
  /** Addresses of the sender with the reputation `malicious`. */
  maliciousAddresses: number;
}

export const evidenceCodes = ['stopped_passing', 'forged', 'malicious', 'passes_spf', 'passes_dkim'] as const;

/** One fact that speaks against a decision. */
export interface NewEvidence {
  code: (typeof evidenceCodes)[number];
  message: string;
}

/** Fewer messages than these do not show that a sender has stopped passing. */
const FEWEST = 20;

/** Returns what speaks against a decision since it was made. (rules, sender-inventory/new-evidence) */
export function evidenceAgainst({ decision, since, maliciousAddresses }: EvidenceFacts): NewEvidence[] {
  if (decision === 'ours') return [...againstOurs(since), ...againstReputation(maliciousAddresses)];
  if (decision === 'forwarder') return since.spfPass > 0 ? [passes('passes_spf', since.spfPass)] : [];
  return [
    ...(since.spfPass > 0 ? [passes('passes_spf', since.spfPass)] : []),
    ...(since.dkimPass > 0 ? [passes('passes_dkim', since.dkimPass)] : []),
  ];
}

function againstOurs({ messages, compliant, suspicious }: MailSince): NewEvidence[] {
  const failing = messages - compliant;
  const hasStopped = messages >= FEWEST && compliant * 2 < messages;
  return [
    ...(hasStopped
      ? [
          {
            code: 'stopped_passing' as const,
            message: `${counted(failing, 'message')} of ${groupedDigits(messages)} fail DMARC.`,
          },
        ]
      : []),
    ...(suspicious > 0
      ? [{ code: 'forged' as const, message: `${counted(suspicious, 'message')} with signs of forgery.` }]
      : []),
  ];
}

function againstReputation(addresses: number): NewEvidence[] {
  if (addresses === 0) return [];
  const which = addresses === 1 ? '1 address has' : `${groupedDigits(addresses)} addresses have`;
  return [{ code: 'malicious', message: `${which} a bad reputation.` }];
}

function passes(code: 'passes_spf' | 'passes_dkim', messages: number): NewEvidence {
  const by = code === 'passes_spf' ? 'SPF' : 'DKIM';
  return { code, message: `${counted(messages, 'message')} with an aligned ${by} pass.` };
}
