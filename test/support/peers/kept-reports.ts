import { reportXml } from '@dmarc-ledger/testkit';

const DAY_ONE = 1_767_225_600; // 2026-01-01T00:00:00Z

/** One of many reports that a tool has kept: two records, of number + 1 messages and of one. */
export interface PeerReport {
  number: number;
  id: string;
  begin: number;
  end: number;
}

export function peerReport(number: number): PeerReport {
  const begin = DAY_ONE + (number % 20) * 86_400;
  return { number, id: `r-${number}`, begin, end: begin + 86_399 };
}

/** The messages of the first so many reports. */
export function messagesOf(reports: number): number {
  return (reports * (reports + 1)) / 2 + reports;
}

/** What the reporter sent. */
export function sentXml({ id, begin, end, number }: PeerReport): Buffer {
  const records = [
    { ip: '192.0.2.1', count: number + 1, dkim: 'pass' as const },
    { ip: '2001:db8::1', count: 1 },
  ];
  return reportXml({ id, begin, end, records });
}

export function utc(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ');
}

/** Statements that insert these rows, some hundred at a time. */
export function* inserts(table: string, reports: number, rowsOf: (report: PeerReport) => string[]): Generator<string> {
  for (let from = 0; from < reports; from += 500) {
    const rows = [];
    for (let number = from; number < Math.min(from + 500, reports); number += 1)
      rows.push(...rowsOf(peerReport(number)));
    if (rows.length > 0) yield `insert into ${table} values ${rows.join(', ')}`;
  }
}
