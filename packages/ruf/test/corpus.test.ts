import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fileSource } from '@dmarc-ledger/unpack';
import { takeDelivery } from '@dmarc-ledger/testkit/hostile-inputs';
import { describe, expect, it } from 'vitest';
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

const root = new URL('../../../../shared/corpus/', import.meta.url);
const list = new URL('expected.json', root);
const expected: { [file: string]: { reports: Expected[] } } = existsSync(list)
  ? JSON.parse(readFileSync(list, 'utf8'))
  : {};
const files = Object.keys(expected).filter((file) => file.startsWith('ruf/'));
const domainOf = (address: string) => address.replace(/^.*@|>$/g, '').toLowerCase();

describe.runIf(files.length > 0)('real reports', () => {
  it.each(files)('%s', async (file) => {
    const url = new URL(file.split('/').map(encodeURIComponent).join('/'), root);
    const taken = await takeDelivery(await fileSource(fileURLToPath(url)), file, read);
    expect(taken).toMatchObject(wantedOf(expected[file]!.reports[0]!));
    expect(JSON.stringify(taken.reports)).not.toMatch(/[\w.+-]@/);
  });
});

/** Complaints of people are told apart from failures. */
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
