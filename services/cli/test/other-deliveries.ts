/** A report on TLS sessions with a domain. */
export function tlsOf(id: string, domain: string, day = '2026-03-01'): Buffer {
  return Buffer.from(
    JSON.stringify({
      'organization-name': 'Blue Harbor Mail',
      'date-range': { 'start-datetime': `${day}T00:00:00Z`, 'end-datetime': `${day}T23:59:59Z` },
      'contact-info': null,
      'report-id': id,
      policies: [
        {
          policy: { 'policy-type': 'sts', 'policy-string': [], 'policy-domain': domain, 'mx-host': [] },
          summary: { 'total-successful-session-count': 90, 'total-failure-session-count': 10 },
          'failure-details': [{ 'result-type': 'certificate-expired', 'failed-session-count': 10 }],
        },
      ],
    }),
  );
}

/** A report on one message that failed, with the name of a person in it. */
export function failureOf(domain: string): Buffer {
  return Buffer.from(
    [
      'Subject: DMARC failure',
      'MIME-Version: 1.0',
      'Content-Type: multipart/report; report-type=feedback-report; boundary=b',
      '',
      '--b',
      'Content-Type: message/feedback-report',
      '',
      'Feedback-Type: auth-failure',
      'User-Agent: Harbor/1.0',
      'Version: 1',
      'Auth-Failure: dmarc',
      'Original-Mail-From: <anna@mailer.example>',
      'Arrival-Date: Sun, 1 Mar 2026 13:00:00 +0100',
      'Source-IP: 192.0.2.9',
      `Reported-Domain: ${domain}`,
      'Delivery-Result: reject',
      '--b',
      'Content-Type: message/rfc822',
      '',
      `From: Anna <anna@${domain}>`,
      'Subject: secret',
      '',
      '--b--',
      '',
    ].join('\r\n'),
  );
}
