import { fileSource } from '@dmarc-ledger/unpack';
import { takeDelivery } from '@dmarc-ledger/testkit/hostile-inputs';
import { outsideReports } from '@dmarc-ledger/testkit/outside-corpus';
import { expect, it } from 'vitest';
import { read } from './read-delivery.ts';

interface Expected {
  verdict: 'accept' | 'recover' | 'either';
  source_ip: string;
  reported_domain: string[];
  auth_failure: string | null;
  original_mail_from: string | null;
  original_rcpt_to: string[];
  arrival_date: string | null;
}

const reports = outsideReports<{ reports: Expected[] }>('ruf');
const domainOf = (address: string) => address.replace(/^.*@|>$/g, '').toLowerCase();

it('reads the real reports of the corpus outside as its oracle does', async ({ skip }) => {
  if (!reports) return skip('the corpus is not here');
  for (const [file, { path, expected }] of Object.entries(reports)) {
    const taken = await takeDelivery(await fileSource(path), file, read);
    expect({ file, ...taken }).toMatchObject({ file, ...wantedOf(expected.reports[0]!) });
    expect(JSON.stringify(taken.reports)).not.toMatch(/[\w.+-]@/);
  }
});

/** Complaints of people are distinguished from failures. */
function wantedOf(wanted: Expected): object {
  if (wanted.verdict === 'either') return { reports: [], refusals: ['feedback_type_unsupported'] };
  const report = {
    sourceIp: wanted.source_ip,
    reportedDomain: wanted.reported_domain[0],
    authFailure: wanted.auth_failure,
    mailFromDomain: wanted.original_mail_from ? domainOf(wanted.original_mail_from) : null,
    rcptToDomains: wanted.original_rcpt_to.map(domainOf),
    arrivedAt: wanted.arrival_date ? Date.parse(wanted.arrival_date) / 1000 : null,
  };
  return { reports: [report], refusals: [] };
}
