import { expect, it } from 'vitest';
import { notificationEnv, readEnv } from '../src/index.ts';

it.each([
  ['SMTP_URL', 'smtp://mail.example.com'],
  ['SMTP_URL', 'smtps://user%40example.com:p%25ss@[2001:db8::1]:465'],
  ['MAIL_FROM', 'ledger@example.com'],
  ['MAIL_FROM', 'DMARC Ledger <ledger@example.com>'],
  ['APP_URL', 'https://app.example.com/dmarc'],
])('%s may be %s', (name, value) => {
  expect(readEnv(notificationEnv, { [name]: value })).toEqual({ [name]: value });
});

it.each(['https://app.example.com', 'https://app.example.com/', 'https://app.example.com//'])(
  'APP_URL %s is the prefix of links, which begin with a slash',
  (value) => {
    expect(readEnv(notificationEnv, { APP_URL: value })).toEqual({ APP_URL: 'https://app.example.com' });
  },
);

it.each([
  ['SMTP_URL', 'mail.example.com:587'],
  ['SMTP_URL', 'http://mail.example.com'],
  ['SMTP_URL', 'smtp://'],
  ['SMTP_URL', 'smtp://user:100%@mail.example.com'],
  ['MAIL_FROM', 'ledger'],
  ['MAIL_FROM', 'DMARC Ledger ledger@example.com'],
  ['MAIL_FROM', 'Ledger\r\nBcc: a@b.example <ledger@example.com>'],
  ['APP_URL', 'app.example.com'],
])('%s may not be %j, and the fault does not repeat it', (name, value) => {
  const read = () => readEnv(notificationEnv, { [name]: value });
  expect(read).toThrow(`${name}: expected`);
  expect(read).not.toThrow(value);
});
