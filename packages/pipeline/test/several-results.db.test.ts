import { reportMail, reportXml } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openLedger, type Ledger } from './ledger.ts';
import { openMailbox, type TestMailbox } from './mailboxes.ts';

const SERVER = 'mx6.provider.example';
let ledger: Ledger;
let mailbox: TestMailbox;
beforeAll(async () => {
  ledger = await openLedger('Postgres');
  mailbox = await openMailbox(ledger, { authservIds: [SERVER] });
});
afterAll(() => ledger[Symbol.asyncDispose]());

/** The header fields of Fastmail's servers, whose topmost results are not those of DMARC. */
const throughFastmail = (verdict: string) =>
  [
    'Received: from compute2.internal (compute2.nyi.internal [10.202.2.42])',
    '\t by sloti7d1t02 (Cyrus 3.1.7-967-g014f925-fmstable-20200226v1) with LMTPA;',
    '\t Tue, 03 Mar 2026 05:24:41 -0500',
    'X-Sieve: CMU Sieve 3.0',
    'Received: from mx6 ([10.202.2.205])',
    '  by compute2.internal (LMTPProxy); Tue, 03 Mar 2026 05:24:41 -0500',
    `Received: from ${SERVER} (localhost [127.0.0.1])`,
    '\tby mailmx.nyi.internal (Postfix) with ESMTP id 3B8141640130',
    '\tfor <reports@example.com>; Tue,  3 Mar 2026 05:24:41 -0500 (EST)',
    `Received: from ${SERVER} (localhost [127.0.0.1])`,
    `    by ${SERVER} (Authentication Milter) with ESMTP`,
    '    id 246996787CB;',
    '    Tue, 3 Mar 2026 05:24:41 -0500',
    `Authentication-Results: ${SERVER};`,
    '    x-csa=none;',
    '    x-ptr=pass smtp.helo=mail.reporter.example',
    `Authentication-Results: ${SERVER};`,
    '    arc=none (no signatures found)',
    'X-ME-VSCategory: clean',
    `Authentication-Results: ${SERVER};`,
    '    dkim=none (no signatures found);',
    `    dmarc=${verdict} policy.published-domain-policy=reject (p=reject)`,
    '      header.from=reporter.example;',
    '    spf=none smtp.mailfrom=evil.example',
    ...throughPostfix(),
  ].join('\r\n');

/** The Received field of the server itself, and below it what the sender claims. */
const throughPostfix = () => [
  'Received: from mail.evil.example (mail.evil.example [203.0.113.5])',
  `\tby ${SERVER} (Postfix) with ESMTPS`,
  '\tfor <reports@example.com>; Tue,  3 Mar 2026 05:24:41 -0500 (EST)',
  ...claims,
];
const claims = [
  `Authentication-Results: ${SERVER}; dmarc=pass header.from=reporter.example`,
  `Received: from localhost (localhost [127.0.0.1]) by ${SERVER} (Postfix) with ESMTP id 1;`,
  '\tTue,  3 Mar 2026 05:24:41 -0500 (EST)',
];

it.each([
  ['passed, where another field of the server says so', throughFastmail('pass'), true],
  ['failed, where another field of the server says so', throughFastmail('fail'), false],
  [
    'passed, where a field of OpenDMARC follows that of policyd-spf, and Dovecot delivers it',
    [
      `Received: from ${SERVER} by ${SERVER} with LMTP id 1; Tue, 3 Mar 2026 05:24:41 -0500`,
      `Authentication-Results: ${SERVER}; spf=pass smtp.mailfrom=bounces.service.example`,
      'DMARC-Filter: OpenDMARC Filter v1.3.1',
      `Authentication-Results: ${SERVER}; dmarc=pass header.from=reporter.example`,
      ...throughPostfix(),
    ].join('\r\n'),
    true,
  ],
  [
    'not passed, where the sender adds a field below that of the server and its Received field',
    [
      'Received: from mail.evil.example (mail.evil.example [203.0.113.5])',
      `\tby ${SERVER} (8.17.1/8.17.1) with ESMTPS id 1; Tue, 3 Mar 2026 05:24:41 -0500`,
      `Authentication-Results: ${SERVER}; spf=fail smtp.mailfrom=evil.example`,
      ...claims,
    ].join('\r\n'),
    false,
  ],
])('the mail of a report has %s', async (name, header, authenticated) => {
  const xml = reportXml({ id: name });
  await mailbox.bring(Buffer.concat([Buffer.from(`${header}\r\n`), reportMail({ xml })]));
  await ledger.settled();
  const { db } = ledger.database;
  const copies = await db
    .selectFrom('report_revision as v')
    .innerJoin('report as r', (on) => on.onRef('r.org_id', '=', 'v.org_id').onRef('r.id', '=', 'v.report_id'))
    .select('v.authenticated')
    .where('r.report_id', '=', name)
    .execute();
  expect(copies).toEqual([{ authenticated }]);
  expect(ledger.faults).toEqual([]);
});
