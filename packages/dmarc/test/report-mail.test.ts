import { isFromReporter, type MailFacts } from '@dmarc-ledger/dmarc';
import { expect, it } from 'vitest';

const GOOGLE = { email: 'noreply-dmarc-support@google.com', reporterName: 'google.com' };
const ours = { from: 'google.com', authservId: 'mx.ours.example', dmarc: null, spf: null, dkim: [] };
const fail = { result: 'fail', domain: 'google.com' };
const temperror = (domain: string | null) => ({ result: 'temperror', domain });
const pass = (domain: string | null) => ({ result: 'pass', domain });

it.each<[string, Partial<MailFacts>, boolean | null]>([
  ['passed as the reporter', { dmarc: 'pass' }, true],
  ['passed as a host of the reporter', { from: 'mail.google.com', dmarc: 'pass' }, true],
  ['passed as another domain', { from: 'google.com.evil.example', dmarc: 'pass' }, false],
  ['failed', { dmarc: 'fail' }, false],
  ['failed, whatever signatures it has', { dmarc: 'fail', dkim: [pass('google.com')] }, false],
  ['no trusted server recorded anything', { authservId: null, dmarc: null }, null],
  ['believed, and nothing looked at', {}, null],
  ['no single From domain', { from: null, dmarc: 'pass' }, false],
  ['no single From domain, and nothing looked at', { from: null }, null],
  ['another domain, looked at in vain', { from: 'evil.example', dmarc: 'temperror' }, false],
  [
    'another domain without a record, its signature looked at in vain',
    { from: 'evil.example', dmarc: 'none', dkim: [{ result: 'temperror', domain: 'evil.example' }] },
    false,
  ],
  ['another domain, and nothing looked at', { from: 'evil.example' }, null],
  ['signed by the reporter, no DMARC looked at', { dkim: [pass('other.example'), pass('mail.google.com')] }, true],
  ['sent by the reporter, no DMARC looked at', { spf: pass('bounce.google.com') }, true],
  ['no policy, yet signed by the reporter', { dmarc: 'none', dkim: [pass('google.com')] }, true],
  ['signed by another', { dkim: [pass('other.example')] }, false],
  ['sent by another', { dmarc: 'none', spf: pass('other.example') }, false],
  ['a broken signature', { dkim: [{ result: 'fail', domain: 'google.com' }] }, false],
  ['a signature without a domain', { dkim: [pass(null)] }, false],
  ['failed, with a signature of another looked at in vain', { spf: fail, dkim: [temperror('evil.example')] }, false],
  ['failed, sent by another looked at in vain', { spf: temperror('evil.example'), dkim: [] }, false],
  [
    'failed, with the signature of a host of the reporter looked at in vain',
    { dkim: [temperror('a.google.com')] },
    null,
  ],
  ['failed, with a signature of an unknown domain whose key was not found in time', { dkim: [temperror(null)] }, null],
  ['looked at in vain', { dmarc: 'temperror', dkim: [{ result: 'temperror', domain: 'google.com' }] }, null],
])('of mail that %s', (_, facts, expected) => {
  expect(isFromReporter({ ...ours, ...facts }, GOOGLE)).toBe(expected);
});

it.each<[string, string | null, string | null, boolean | null]>([
  ['its address', 'dmarc@google.com', 'Somebody', true],
  ['its address in angle brackets', 'Google <dmarc@google.com>', null, true],
  ['the address of another in angle brackets', 'Other <dmarc@other.example>', 'google.com', false],
  ['its address before its name', 'dmarc@other.example', 'google.com', false],
  ['its name when that is a domain', null, 'Google.COM', true],
  ['nothing but a name', null, 'Google Inc.', null],
  ['nothing', null, null, null],
])('knows the reporter by %s', (_, email, reporterName, expected) => {
  expect(isFromReporter({ ...ours, dmarc: 'pass' }, { email, reporterName })).toBe(expected);
});

it.each<[string, Partial<MailFacts>, boolean]>([
  ['is believed from the domain that it mails from', { from: 'dmarc.yahoo.com', dmarc: 'pass' }, true],
  ['is not believed where that mail failed', { from: 'dmarc.yahoo.com', dmarc: 'fail' }, false],
  ['is not believed from a mailbox that anybody can have', { from: 'yahoo.com', dmarc: 'pass' }, false],
  ['is not believed from others', { from: 'yahoo.com.evil.example', dmarc: 'pass' }, false],
])('a report of Yahoo, whose contact address is at another domain, %s', (_, facts, expected) => {
  const yahoo = { email: 'dmarchelp@yahooinc.com', reporterName: 'Yahoo' };
  expect(isFromReporter({ ...ours, ...facts }, yahoo)).toBe(expected);
});

it.each<[string, string, string, boolean]>([
  ['Yahoo! Inc.', 'postmaster@dmarc.yahoo.com', 'dmarc.yahoo.com', true],
  ['Yahoo! Inc.', 'dmarc-noreply@yahoo-inc.com', 'dmarc.yahoo.com', true],
  ['FastMail Pty Ltd', 'reports@fastmaildmarc.com', 'fastmaildmarc.com', true],
  ['comcast.net', 'dmarc-admin@alerts.comcast.net', 'alerts.comcast.net', true],
  ['google.com', 'noreply-dmarc-support@google.com', 'mail.google.com', true],
  ['FastMail Pty Ltd', 'reports@fastmaildmarc.com', 'fastmail.com', false],
  // mailboxes that anybody can have, in the organizational domain of the address
  ['Yahoo! Inc.', 'postmaster@dmarc.yahoo.com', 'yahoo.com', false],
  ['Somebody', 'postmaster@dmarc.yahoo.com', 'yahoo.com', false],
  ['Mail.Ru', 'dmarc_support@corp.mail.ru', 'mail.ru', false],
  ['comcast.net', 'dmarc-admin@alerts.comcast.net', 'comcast.net', false],
])('a report of %s with the address %s, in mail of %s, is believed: %s', (reporterName, email, from, expected) => {
  expect(isFromReporter({ ...ours, from, dmarc: 'pass' }, { email, reporterName })).toBe(expected);
});

it.each<[string, string, Partial<MailFacts>, boolean]>([
  ['Yahoo', 'from another domain', { from: 'evil.example', dmarc: 'pass' }, false],
  ['Yahoo', 'from the domain that it mails from', { from: 'dmarc.yahoo.com', dmarc: 'pass' }, true],
  ['Outlook.com', 'from a mailbox that anybody can have', { from: 'outlook.com', dmarc: 'pass' }, false],
  ['google.com', 'from a host of its own', { from: 'mail.google.com', dmarc: 'pass' }, true],
])('a report of %s without an address is judged by its domains: %s', (reporterName, _, facts, expected) => {
  expect(isFromReporter({ ...ours, ...facts }, { email: null, reporterName })).toBe(expected);
});
