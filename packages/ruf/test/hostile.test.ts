import { complaintsAbout, hostileInputs, outcomesOf } from '@dmarc-ledger/testkit/hostile-inputs';
import { expect, it } from 'vitest';
import type { FailureReport } from '../src/index.ts';
import { read } from './read-delivery.ts';

const inputs = hostileInputs('ruf');

it('stands the hostile inputs of the corpus outside', { timeout: 120_000 }, async ({ skip }) => {
  if (!inputs) return skip('the corpus is not here');
  expect(inputs).not.toEqual([]);
  expect(await complaintsAbout(inputs, read, figuresOf)).toEqual({});
});

const mail = (fields: string) =>
  Buffer.from(
    [
      'From: a@reporter.example\r\nMIME-Version: 1.0',
      'Content-Type: multipart/report; report-type=feedback-report; boundary=b\r\n',
      `--b\r\nContent-Type: message/feedback-report\r\n\r\n${fields}\r\n--b--\r\n`,
    ].join('\r\n'),
  );
const fields = (more: string) => mail(`Feedback-Type: auth-failure\r\nSource-IP: 192.0.2.1\r\n${more}`);

it('reads no field of a hostile report otherwise than it stands', { timeout: 120_000 }, async () => {
  const read1 = { reports: 1, refusals: [] };
  const refused = { reports: 0, refusals: [expect.stringMatching(/^[a-z_]+$/)] };
  const inputs: { [name: string]: [Buffer, object] } = {
    'a field of eight megabytes': [fields(`User-Agent: ${'x'.repeat(8_000_000)}`), expect.anything()],
    '100,000 fields': [fields('Reported-Domain: a.example\r\n'.repeat(100_000)), read1],
    'a field folded 100,000 times': [fields(`Authentication-Results: a${'\r\n b'.repeat(100_000)}`), read1],
    'names that JavaScript knows': [fields('__proto__: x\r\nconstructor: y\r\ntoString: z'), read1],
    'comments in comments': [fields(`Source-IP: ${'('.repeat(100_000)}`), read1],
    nothing: [mail(''), refused],
    'no header': [Buffer.from('--b\r\n\r\n'), refused],
  };
  const made = Object.fromEntries(Object.entries(inputs).map(([name, [bytes]]) => [name, () => bytes]));
  const wanted = Object.fromEntries(Object.entries(inputs).map(([name, [, outcome]]) => [name, outcome]));
  expect(await outcomesOf(made, read)).toEqual(wanted);
});

function figuresOf({ sourceIp, reportedDomain }: FailureReport) {
  return { source_ip: sourceIp, reported_domain: reportedDomain };
}
