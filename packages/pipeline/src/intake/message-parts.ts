import type { FinishedMessage, Kept, OtherCopy, ReportCopy, Stored } from '@dmarc-ledger/ledger';
import type { MessagePart, ReportKind } from '@dmarc-ledger/schema';
import { counted, idText, warningText, type Refusal, type Warning } from '@dmarc-ledger/vocabulary';
import { unknownDomain, type Choice } from './selection.ts';
import type { OpenedDelivery } from './open-delivery.ts';

/**
 * How a delivery ended, from the outcomes of its documents: one stored report makes it stored, one known report a
 * duplicate, one report assigned to others assigned.
 */
export function finishedMessage(delivery: OpenedDelivery, parts: MessagePart[]): FinishedMessage {
  const { message, mailReceivedAt, mailFacts, selection } = delivery;
  const outcomes = new Set(parts.map(({ outcome }) => outcome));
  const state = BEST_FIRST.find((outcome) => outcomes.has(outcome)) ?? 'refused';
  const refused = parts.find(({ outcome }) => outcome === 'refused')?.code;
  const code = refused ?? (parts.length === 0 ? 'unknown_domain' : null);
  const { id, mailboxId, source, isReleased, mailFacts: factsRead } = message;
  const { onlyDomains } = selection;
  const readWith = { mailboxId, onlyDomains, source, isReleased, factsRead };
  return { id, state, code, parts, mailReceivedAt, mailFacts, ...readWith };
}

const BEST_FIRST = ['stored', 'duplicate', 'assigned', 'refused'] as const;

/** Why a report is refused whose values the database rejects. */
export const UNSTORABLE = { code: 'value_unstorable', message: 'The report holds a value that cannot be stored.' };

export function refusedPart(path: string, sha256: string | null, { code, message }: Refusal): MessagePart {
  return { path, kind: null, sha256, outcome: 'refused', code, message, reports: [], warnings: [] };
}

export function duplicatePart(path: string, sha256: string, firstDelivery: string): MessagePart {
  const message = `The same content came with delivery ${idText(firstDelivery)}.`;
  return { path, kind: null, sha256, outcome: 'duplicate', code: null, message, reports: [], warnings: [] };
}

/** The entries of a report that is not taken: none where it concerns only other organizations. */
export function untakenParts(
  { path, sha256, kind }: Pick<ReportEntry, 'path' | 'sha256' | 'kind'>,
  choice: Choice,
  domains: readonly string[],
): MessagePart[] {
  switch (choice.kind) {
    case 'taken':
    case 'left':
      return [];
    case 'nobodys':
      return [{ ...refusedPart(path, sha256, unknownDomain(domains)), kind }];
    case 'assigned': {
      const message = `Assigned to ${choice.organizations === 1 ? 'one organization' : counted(choice.organizations, 'organization')}.`;
      return [{ path, kind, sha256, outcome: 'assigned', code: null, message, reports: [], warnings: [] }];
    }
  }
}

/** A report of a document, and its outcome. */
export interface ReportEntry {
  path: string;
  sha256: string;
  kind: ReportKind;
  outcome: Kept['outcome'];
  report: MessagePart['reports'][number];
  warnings: readonly Warning[];
}

/**
 * The ledger's entry of a report of a document. A different text under a known identity is kept beside it and not
 * counted.
 */
export function reportedPart({ path, sha256, kind, outcome, report, warnings }: ReportEntry): MessagePart {
  return {
    path,
    kind,
    sha256,
    outcome: outcome === 'stored' ? 'stored' : 'duplicate',
    code: outcome === 'conflict' ? 'duplicate_report_id_conflict' : null,
    message: null,
    reports: [report],
    warnings: warnings.map(warningText),
  };
}

/** The entry of an aggregate report, whose warnings include those of its mail. */
export function aggregatePart(
  path: string,
  sha256: string,
  { sums: { records, messages }, warnings, origin }: ReportCopy,
  stored: Stored,
): MessagePart {
  if (stored.outcome === 'refused') return refusedPart(path, sha256, stored);
  const { outcome, reportId } = stored;
  const report = { id: reportId, records, messages };
  const mail = origin.authenticated === false ? [{ code: 'report_mail_unauthenticated', detail: null }] : [];
  return reportedPart({ path, sha256, kind: 'rua', outcome, report, warnings: [...warnings, ...mail] });
}

/** The entry of a report of another kind, whose figures are in no sum. */
export function otherPart(
  path: string,
  sha256: string,
  { kind, warnings, origin }: OtherCopy,
  { outcome, reportId }: Kept,
): MessagePart {
  const report = { id: reportId, records: 0, messages: 0 };
  const part = reportedPart({ path, sha256, kind, outcome, report, warnings });
  return origin.authenticated === false ? { ...part, failed: true } : part;
}
