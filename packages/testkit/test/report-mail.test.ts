import { reportMail, reportXml, type DescribedMail } from '@dmarc-ledger/testkit';
import { bufferSource, unpack } from '@dmarc-ledger/unpack';
import { expect, it } from 'vitest';

const xml = reportXml({ domain: 'shop.example', id: 'r-7', begin: 86_400 });
const file = 'reporter.example!shop.example!86400!172799';

it.each<[DescribedMail, string]>([
  [{ xml }, `${file}.xml.gz`],
  [{ xml, encoding: 'zip' }, `${file}.zip`],
  [{ xml, encoding: 'xml' }, `${file}.xml`],
  [{ attachment: { name: 'a.xml', type: 'text/xml', bytes: xml } }, 'a.xml'],
])('carries its report (%#)', async (described, name) => {
  const mail = reportMail(described);
  expect(mail.toString()).toContain(`filename="${name}"`);
  const read: unknown[] = [];
  for await (const document of unpack(bufferSource(mail)))
    read.push(document.kind === 'refused' ? document : await document.readWhole(1_000_000));
  expect(read).toMatchObject([{ bytes: xml, warnings: [] }]);
});

it('has the subject of the standard, and the headers of its way before its own', () => {
  const head = reportMail({
    xml,
    to: 'rua@shop.example',
    deliveredTo: 'rua+a1@shop.example',
    receivedAt: new Date('2026-01-02T03:04:06Z'),
    authenticationResults: 'mx.example.com; dkim=pass header.d=reporter.example',
    headers: ['X-Spam-Flag: NO'],
  })
    .toString()
    .split('\r\nMIME-Version')[0]!;
  expect(head.split('\r\n')).toEqual([
    'Delivered-To: rua+a1@shop.example',
    'Received: from mail.reporter.example by mx.example.com with ESMTPS; Fri, 02 Jan 2026 03:04:06 +0000',
    'Authentication-Results: mx.example.com; dkim=pass header.d=reporter.example',
    'From: <dmarc@reporter.example>',
    'To: <rua@shop.example>',
    'Subject: Report Domain: shop.example Submitter: reporter.example Report-ID: <r-7>',
    'Date: Fri, 02 Jan 2026 03:04:05 +0000',
    expect.stringMatching(/^Message-ID: <[0-9a-f]{24}@reporter\.example>$/),
    'X-Spam-Flag: NO',
  ]);
});

it('is the same for the same description, and another for another', () => {
  expect(reportMail({ xml })).toEqual(reportMail({ xml }));
  expect(reportMail({ xml, messageId: 'other@reporter.example' })).not.toEqual(reportMail({ xml }));
});
