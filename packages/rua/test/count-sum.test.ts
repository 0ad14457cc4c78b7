import { expect, it } from 'vitest';
import { readReports, ReportError } from '../src/index.ts';

const record = (count: number | string) => `
  <record><row><source_ip>192.0.2.1</source_ip><count>${count}</count>
    <policy_evaluated><disposition>none</disposition><dkim>pass</dkim><spf>fail</spf></policy_evaluated></row>
    <identifiers><header_from>example.com</header_from></identifiers><auth_results/></record>`;

const report = (counts: readonly (number | string)[]) => `<feedback><report_metadata><org_name>R</org_name>
    <email>a@r.example</email><report_id>1</report_id>
    <date_range><begin>1767225600</begin><end>1767311999</end></date_range></report_metadata>
    <policy_published><domain>example.com</domain><p>none</p></policy_published>
    ${counts.map(record).join('')}</feedback>`;

const read = (xml: string) =>
  readReports(Buffer.from(xml), { receivedAt: 1_767_400_000 }).map((outcome) =>
    outcome instanceof ReportError ? outcome.code : outcome.records.map(({ count }) => count),
  );

it.each<[string, (number | string)[]]>([
  ['a record of more than a thousand million messages', [1, 1_000_000_001]],
  ['a record of more than a number holds', [1, '9'.repeat(400)]],
  ['records of more than ten thousand million messages together', [...Array<number>(10).fill(1_000_000_000), 1]],
])('refuses a report with %s', (_, counts) => {
  expect(read(report(counts))).toEqual(['count_implausible']);
});

it('takes a report of as many messages as may be, without a warning', () => {
  const counts = Array<number>(10).fill(1_000_000_000);
  expect(read(report(counts))).toEqual([counts]);
});

it('refuses a forged report and takes the honest one beside it in the same document', () => {
  expect(read(report([Number.MAX_SAFE_INTEGER]) + report([5]))).toEqual(['count_implausible', [5]]);
});
