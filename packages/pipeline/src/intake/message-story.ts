import type { FinishedMessage, MessagePart, Stored } from '@dmarc-ledger/db';
import { warningText, type Refusal, type Warning } from '@dmarc-ledger/vocabulary';
import type { OpenedDelivery } from './open-delivery.ts';

/** How a delivery ended, from what became of its documents: one stored report makes it stored, one known a duplicate. */
export function finishedMessage({ message, mailReceivedAt }: OpenedDelivery, parts: MessagePart[]): FinishedMessage {
  const outcomes = new Set(parts.map(({ outcome }) => outcome));
  const state = outcomes.has('stored') ? 'stored' : outcomes.has('duplicate') ? 'duplicate' : 'refused';
  const code = parts.find(({ outcome }) => outcome === 'refused')?.code ?? null;
  return { id: message.id, state, code, parts, mailReceivedAt };
}

export function refusedPart(path: string, sha256: string | null, { code, message }: Refusal): MessagePart {
  return { path, sha256, outcome: 'refused', code, message, reports: [], warnings: [] };
}

export function duplicatePart(path: string, sha256: string): MessagePart {
  return { path, sha256, outcome: 'duplicate', code: null, message: null, reports: [], warnings: [] };
}

/** A report of a document as the ledger tells it. Another text under a known identity is kept beside it, not counted. */
export function reportedPart(
  path: string, sha256: string, outcome: Stored['outcome'], report: MessagePart['reports'][number], warnings: readonly Warning[],
): MessagePart {
  return {
    path, sha256, outcome: outcome === 'stored' ? 'stored' : 'duplicate', code: outcome === 'conflict' ? 'duplicate_report_id_conflict' : null,
    message: null, reports: [report], warnings: warnings.map(warningText),
  };
}
