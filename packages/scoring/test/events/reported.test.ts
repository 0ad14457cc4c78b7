import { judgeReported, reportedConditions, type ReportOfOtherKind } from '@dmarc-ledger/scoring';
import { describe, expect, it } from 'vitest';

const DAY = Date.UTC(2026, 0, 10) / 1_000;
const domains = { owners: new Map([['mail.example.com', 'example.com']]), today: '2026-01-12' };

const tls = (begin: number | null, failures: number): ReportOfOtherKind => ({
  kind: 'tlsrpt',
  report: { begin, end: begin, policies: [{ domain: 'mail.example.com', successes: 0, failures }] },
});
const failure = (reportedDomain: string | null): ReportOfOtherKind => ({ kind: 'ruf', report: { reportedDomain } });
const placement: ReportOfOtherKind = {
  kind: 'aprf',
  report: {
    source: 'provider.example',
    dkimDomain: '*.mail.example.com',
    dkimSelector: 's1',
    day: '2026-01-11',
    rows: [
      {
        classification: [
          { category: 'spam', value: 300 },
          { category: 'inbox', value: 700 },
        ],
      },
    ],
  },
};
const keysOf = (reports: ReportOfOtherKind[]) =>
  judgeReported(reportedConditions(reports), domains).map(({ key }) => key);

describe('events that follow from a report of another kind', () => {
  it.each([
    ['failed TLS sessions of late', tls(DAY, 50), ['tls_failures/example.com/mail.example.com']],
    ['a few failed TLS sessions', tls(DAY, 5), []],
    ['failed TLS sessions of long ago', tls(DAY - 5 * 86_400, 50), []],
    ['failed TLS sessions without a window', tls(null, 50), ['tls_failures/example.com/mail.example.com']],
    ['a failure report', failure('mail.example.com'), ['forensic_report_received/example.com/2026-01-12']],
    ['a failure report that names no domain', failure(null), []],
    ['a failure report on a domain that is not monitored', failure('elsewhere.example'), []],
    ['mail put in spam', placement, ['aprf_spam_placement/example.com/provider.example/s1']],
  ])('%s', (_, report, keys) => expect(keysOf([report])).toEqual(keys));

  it('says how much mail was put in spam, and by whom', () => {
    expect(judgeReported(reportedConditions([placement]), domains)[0]?.message).toBe(
      'provider.example placed 30% of mail signed by *.mail.example.com in spam.',
    );
  });
});
