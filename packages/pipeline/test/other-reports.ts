import { addDomain } from '@dmarc-ledger/ledger';
import type { Ledger } from './ledger.ts';
import { openMailbox } from './mailboxes.ts';

/** The server that the mailbox of `openMailLedger` believes. */
export const SERVER = 'mx.ours.example';

/** A ledger whose organization has `shop.example` and a mailbox. */
export async function openMailLedger(ledger: Ledger) {
  await addDomain(ledger.database.db, ledger.orgId, 'shop.example', {});
  return { ledger, mailbox: await openMailbox(ledger, { authservIds: [SERVER] }) };
}

/** A report on TLS of 2026-03-01, with other fields as given. */
export function tlsJson(fields: { [name: string]: unknown }): Buffer {
  const failure = (type: string, sessions: number, more = {}) => ({
    'result-type': type,
    'failed-session-count': sessions,
    ...more,
  });
  return Buffer.from(
    JSON.stringify({
      'organization-name': 'Blue Harbor Mail',
      'date-range': { 'start-datetime': '2026-03-01T00:00:00Z', 'end-datetime': '2026-03-01T23:59:59Z' },
      'contact-info': 'tls@blueharbor.example',
      'report-id': 'tls-1',
      policies: [
        {
          policy: {
            'policy-type': 'sts',
            'policy-string': ['version: STSv1', 'mode: enforce'],
            'policy-domain': 'shop.example',
            'mx-host': ['*.mx.shop.example'],
          },
          summary: { 'total-successful-session-count': 90, 'total-failure-session-count': 10 },
          'failure-details': [
            failure('certificate-expired', 7, { 'sending-mta-ip': '192.0.2.1' }),
            failure('starttls-not-supported', 3),
          ],
        },
      ],
      ...fields,
    }),
  );
}

/** A placement report of 2026-03-01 with one row. Its text is written by hand where the order of names matters. */
export function placementJson(header: { [name: string]: unknown }, row?: { [name: string]: unknown }): Buffer {
  const facts = {
    version: 7,
    source: 'Blue Harbor Mail',
    dkim_domain: '*.Shop.example',
    dkim_selector: '*',
    report_start: 1_772_323_200,
    report_end: 1_772_409_599,
    sdi_used: 'N/F',
    ...header,
  };
  const body = row
    ? JSON.stringify(row)
    : '{"segment":"retail","classification":{"unwanted":400,"10":7,"inbox":52000}}';
  return Buffer.from(`[{"header":${JSON.stringify(facts)},"body":[${body}]}]`);
}

/** A failure report by mail, about a message of Anna's. */
export function failureMail({
  type = 'auth-failure',
  subject = 'DMARC failure',
}: {
  type?: string;
  subject?: string;
}): Buffer {
  return Buffer.from(
    [
      `Subject: ${subject}`,
      'MIME-Version: 1.0',
      'Content-Type: multipart/report; report-type=feedback-report; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'A message of Anna failed.',
      '--b',
      'Content-Type: message/feedback-report',
      '',
      `Feedback-Type: ${type}`,
      'User-Agent: Harbor/1.0',
      'Version: 1',
      'Auth-Failure: dmarc',
      'Identity-Alignment: dkim, spf',
      'Original-Mail-From: <anna@mailer.example>',
      'Original-Rcpt-To: anna.b@reader.example',
      'Arrival-Date: Sun, 1 Mar 2026 13:00:00 +0100',
      'Source-IP: 192.0.2.9 (host.mailer.example)',
      'Reported-Domain: shop.example',
      'Delivery-Result: reject',
      'Authentication-Results: mx.reader.example; dmarc=fail header.from=shop.example;',
      ' spf=fail smtp.mailfrom=anna@mailer.example',
      '--b',
      'Content-Type: message/rfc822',
      '',
      'From: Anna <anna@shop.example>',
      'Subject: secret',
      '',
      'secret',
      '--b--',
      '',
    ].join('\r\n'),
  );
}

/** A mail with a JSON report, or a failure report with the fields of a mail before it. */
export function mailOfReport(
  {
    hour,
    result,
    server,
    subject = 'Report',
    from = 'blueharbor.example',
  }: { hour: number; result: 'pass' | 'fail'; server: string; subject?: string; from?: string },
  content: Buffer,
): Buffer {
  const isMail = content.toString().includes('MIME-Version');
  const lines = [
    `Authentication-Results: ${server}; dmarc=${result} header.from=${from}`,
    `Received: from mail.${from} by ${server}; Fri, 02 Jan 2026 ${String(hour).padStart(2, '0')}:00:00 +0000`,
    `From: <reports@${from}>`,
    ...(isMail ? [] : [`Subject: ${subject}`, 'MIME-Version: 1.0', 'Content-Type: application/json', '']),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n`), content]);
}
