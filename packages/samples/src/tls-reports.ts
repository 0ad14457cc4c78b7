import { gzipSync } from 'node:zlib';
import { addDays, startOfDay, type Day } from '@dmarc-ledger/vocabulary';
import type { SampleFile } from './facts.ts';
import { Random } from './random.ts';

const DAYS = 30;
const REPORTER = 'gomail.example';
/** On these days the certificate of a mail server had expired. */
const EXPIRED = { first: 21, last: 24, host: 'mx2.aurora-books.example', address: '192.0.2.26' };

const receivers = [
  { domain: 'aurora-books.example', type: 'sts', mailServers: ['*.aurora-books.example'], sessions: 640 },
  {
    domain: 'harbor-clinic.example',
    type: 'no-policy-found',
    mailServers: ['harborclinic-example.mail.protection.outlook.com'],
    sessions: 90,
  },
];
type Receiver = (typeof receivers)[number];

/**
 * A month of reports on TLS sessions, up to the day before `today`: one domain's mail server has an expired certificate
 * for some days. The same day gives the same bytes. (RFC 8460, 4.4 and 5.1)
 */
export function* sampleTlsReports({ today }: { today: Day }): Iterable<SampleFile> {
  for (let day = 0; day < DAYS; day += 1)
    for (const receiver of receivers) yield report(receiver, addDays(today, day - DAYS), day);
}

function report(receiver: Receiver, date: Day, day: number): SampleFile {
  const { domain, type, mailServers } = receiver;
  const random = new Random(`tls ${domain} ${date}`);
  const successes = receiver.sessions + random.below(receiver.sessions / 4);
  const hasFailures = domain === 'aurora-books.example' && day >= EXPIRED.first && day <= EXPIRED.last;
  const failures = hasFailures ? 180 + random.below(60) : 0;
  const begin = startOfDay(date);
  const content = {
    'organization-name': REPORTER,
    'date-range': { 'start-datetime': `${date}T00:00:00Z`, 'end-datetime': `${date}T23:59:59Z` },
    'contact-info': `smtp-tls-reporting@${REPORTER}`,
    'report-id': `${date}T00:00:00Z_${domain}`,
    policies: [
      {
        policy: { 'policy-type': type, 'policy-domain': domain, 'mx-host': mailServers },
        summary: { 'total-successful-session-count': successes, 'total-failure-session-count': failures },
        ...(failures > 0 && { 'failure-details': [expired(failures)] }),
      },
    ],
  };
  const name = `${REPORTER}!${domain}!${begin}!${begin + 86_399}!001.json.gz`;
  return { name, bytes: gzipSync(JSON.stringify(content)) };
}

function expired(failures: number) {
  return {
    'result-type': 'certificate-expired',
    'sending-mta-ip': '198.51.100.240',
    'receiving-mx-hostname': EXPIRED.host,
    'receiving-ip': EXPIRED.address,
    'failed-session-count': failures,
  };
}
