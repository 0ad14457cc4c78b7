import { expect, it } from 'vitest';
import { readReports, ReportError } from '../src/index.ts';

const record = (count: number) => `
  <record><row><source_ip>192.0.2.1</source_ip><count>${count}</count>
    <policy_evaluated><disposition>none</disposition><dkim>pass</dkim><spf>fail</spf></policy_evaluated></row>
    <identifiers><header_from>example.com</header_from></identifiers><auth_results/></record>`;

it('counts no further than a number holds exactly, and says which records it dropped', () => {
  const largest = Number.MAX_SAFE_INTEGER;
  const xml = `<feedback><report_metadata><org_name>R</org_name><email>a@r.example</email><report_id>1</report_id>
    <date_range><begin>1767225600</begin><end>1767311999</end></date_range></report_metadata>
    <policy_published><domain>example.com</domain><p>none</p></policy_published>
    ${[largest - 5, largest, 5, 1].map(record).join('')}</feedback>`;
  const [reading] = readReports(Buffer.from(xml), { receivedAt: 1_767_400_000 });
  if (!reading || reading instanceof ReportError) throw new Error('The report is readable.');
  expect(reading.records.map(({ count }) => count)).toEqual([largest - 5, 5]);
  expect(reading.warnings.find(({ code }) => code === 'count_huge')?.detail).toBe('record 1, 2, 4');
});
