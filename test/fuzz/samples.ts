import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { reportMail, reportXml } from '@dmarc-ledger/testkit';
import { zip } from '../../packages/unpack/test/containers.ts';

export type Samples = readonly [Buffer, ...Buffer[]];

const packages = new URL('../../packages/', import.meta.url);
const report = reportXml({ id: 'fuzz', records: [{ ip: '192.0.2.1', count: 3 }] });
const name = 'reporter.example!example.com!1767225600!1767311999.xml';

/** The fixtures of a reader whose file names end like this. */
export function fixtures(name: string, ending: string): Samples {
  const folder = new URL(`${name}/test/fixtures/`, packages);
  const files = readdirSync(folder).filter((file) => file.endsWith(ending));
  return some(files.map((file) => readFileSync(new URL(file, folder))));
}

export function texts(...lines: string[]): Samples {
  return some(lines.map((line) => Buffer.from(line)));
}

export const gzips: Samples = [gzipSync(report), gzipSync(gzipSync(report)), Buffer.concat([gzipSync(report), report])];

export const zips: Samples = [
  zip([{ name, data: report }]),
  zip([
    { name, data: report },
    { name: 'folder/', data: Buffer.alloc(0) },
    { name: 'other.xml.gz', data: gzipSync(report) },
  ]),
  zip([{ name: 'inner.zip', data: zip([{ name, data: report }]) }]),
  Buffer.concat([zip([{ name, data: report }]), Buffer.from('\r\n--\r\nA mailing list')]),
];

export const tars: Samples = [
  tar(name, report),
  gzipSync(tar(name, report)),
  Buffer.concat([tar('a.xml', report), tar('b.xml', report)]),
];

export const mails: Samples = [
  reportMail({ xml: report, authenticationResults: 'mx.example; dmarc=pass header.from=reporter.example' }),
  reportMail({ xml: report, encoding: 'zip' }),
  reportMail({ attachment: { name: 'reports.zip', type: 'application/zip', bytes: zip([{ name, data: report }]) } }),
  reportMail({ attachment: { name: 'a.zip', type: 'multipart/alternative', bytes: zip([{ name, data: report }]) } }),
  Buffer.from(
    reportMail({ xml: report })
      .toString('latin1')
      .replaceAll(/^(--.*)\r$/gm, '$1 \t\r'),
    'latin1',
  ),
  reportMail({ attachment: { name: 'mail.eml', type: 'message/rfc822', bytes: reportMail({ xml: report }) } }),
  Buffer.from(
    'From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=feedback-report; boundary="b"\r\n\r\n' +
      '--b\r\nContent-Type: text/plain\r\n\r\nA report.\r\n--b\r\nContent-Type: message/feedback-report\r\n\r\n' +
      'Feedback-Type: auth-failure\r\nUser-Agent: x/1\r\nVersion: 1\r\nAuth-Failure: dmarc\r\n\r\n--b--\r\n',
  ),
];

function some(samples: Buffer[]): Samples {
  const [first, ...others] = samples;
  if (!first) throw new Error('There are no samples.');
  return [first, ...others];
}

/** One member, in the format of POSIX (ustar). */
function tar(member: string, content: Buffer): Buffer {
  const head = Buffer.alloc(512);
  head.write(member, 0);
  head.write('0000644', 100);
  head.write(content.length.toString(8).padStart(11, '0'), 124);
  head.write('0'.repeat(11), 136);
  head.write('        0', 148); // blanks for the sum, and a plain file
  head.write('ustar', 257);
  head.write('00', 263);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([head, content, Buffer.alloc((512 - (content.length % 512)) % 512), Buffer.alloc(1_024)]);
}
