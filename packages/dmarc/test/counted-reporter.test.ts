import { countedReporter } from '@dmarc-ledger/dmarc';
import { expect, it } from 'vitest';

it.each<[string, string | null]>([
  ['google.com', 'noreply-dmarc-support@google.com'],
  ['Google.COM', 'noreply@dmarc.google.com'],
  ['Yahoo', 'dmarchelp@yahooinc.com'],
  ['Yahoo! Inc.', 'dmarc-noreply@yahoo-inc.com'],
  ['Yahoo! Inc.', 'postmaster@dmarc.yahoo.com'],
  ['Outlook.com', 'dmarcreport@microsoft.com'],
  ['Enterprise Outlook', 'dmarcreport@microsoft.com'],
  ['Microsoft Corp.', 'dmarcrep@microsoft.com'],
  ['AMAZON-SES', 'postmaster@amazonses.com'],
  ['Mail.Ru', 'dmarc_support@corp.mail.ru'],
  ['comcast.net', 'dmarc-admin@alerts.comcast.net'],
  ['163.com', 'abuse@163.com'],
  ['126.com', 'abuse@126.com'],
  ['AOL', 'postmaster@aol.com'],
  ['FastMail Pty Ltd', 'dmarc@fastmail.com'],
  ['Fastmail Pty Ltd', 'reports@fastmaildmarc.com'],
  ['Mimecast', 'no-reply@us-1.mimecastreport.com'],
  ['zoho.com', 'noreply-dmarc@zoho.com'],
  ['linkedin.com', 'postmaster@linkedin.com'],
  // nothing is known of these
  ['uhaul.com', 'MAILER-DAEMON@esa.hc3355-65.iphmx.com'],
  ['GoDaddy.com', '<dmarcreports@secureserver.net>'],
  ['Reporter (EU)', 'dmarc@reporter.example'],
  // no address contradicts the name
  ['google.com', null],
  ['Yahoo', 'postmaster'],
])('counts a report of %s with the address %s for that name', (reporterName, email) => {
  expect(countedReporter({ reporterName, email })).toEqual({ name: reporterName, statedName: null });
});

it.each<[string, string | null, string]>([
  ['google.com', 'dmarc@evil.example', 'google.com (evil.example)'],
  ['google.com', 'dmarc@google.com.mail.evil.example', 'google.com (evil.example)'],
  ['google.com', 'dmarc@evilgoogle.com', 'google.com (evilgoogle.com)'],
  ['GOOGLE.com', 'Google <dmarc@evil.example>', 'GOOGLE.com (evil.example)'],
  ['google.com', 'dmarc@evil.example@google.com', 'google.com (evil.example)'],
  ['google.com', 'dmarc@no domain', 'google.com (no domain)'],
  // anybody can have a mailbox there
  ['Yahoo', 'somebody@yahoo.com', 'Yahoo (yahoo.com)'],
  ['Outlook.com', 'somebody@outlook.com', 'Outlook.com (outlook.com)'],
  ['Mail.Ru', 'somebody@mail.ru', 'Mail.Ru (mail.ru)'],
  ['comcast.net', 'somebody@comcast.net', 'comcast.net (comcast.net)'],
  // another company than Yahoo
  ['Yahoo! JAPAN', 'dmarc@mail.yahoo.co.jp', 'Yahoo! JAPAN (yahoo.co.jp)'],
  // would be taken for the one above
  ['google.com (evil.example)', 'dmarc@google.com', 'google.com (evil.example) (google.com)'],
  ['google.com (evil.example)', null, 'google.com (evil.example) (no domain)'],
  ['Yahoo (EU)', 'dmarc@yahooinc.com', 'Yahoo (EU) (yahooinc.com)'],
])('counts a report of %s with the address %s for %s', (reporterName, email, name) => {
  expect(countedReporter({ reporterName, email })).toEqual({ name, statedName: reporterName });
});

it('counts reports without a name together', () => {
  expect(countedReporter({ reporterName: null, email: 'a@b.example' })).toEqual({ name: '', statedName: null });
});
