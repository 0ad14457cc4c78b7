import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { isWebhookSecret, newWebhookSecret, signWebhook, webhookUrl } from '../src/index.ts';
import { readRetryAfter } from '../src/webhook/retry-after.ts';

it('is signed as the library of Standard Webhooks verifies it', () => {
  const secret = newWebhookSecret();
  const body = JSON.stringify({ title: 'Ünïcode “quotes” \u2028' });
  const headers = signWebhook(secret, { id: 'msg_1', seconds: Math.floor(Date.now() / 1_000), body });
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow('No matching signature');
  expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow('No matching signature');
});

it('has the signature of the specification’s own example', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const body = '{"test": 2432232314}';
  const headers = signWebhook(secret, { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', seconds: 1_614_265_330, body });
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

it.each([
  ['a new one', newWebhookSecret(), true],
  ['24 bytes', `whsec_${Buffer.alloc(24).toString('base64')}`, true],
  ['64 bytes', `whsec_${Buffer.alloc(64).toString('base64')}`, true],
  ['23 bytes', `whsec_${Buffer.alloc(23).toString('base64')}`, false],
  ['65 bytes', `whsec_${Buffer.alloc(65).toString('base64')}`, false],
  ['no prefix', Buffer.alloc(32).toString('base64'), false],
  ['no base64', `whsec_${'?'.repeat(44)}`, false],
  ['nothing', '', false],
])('a secret of %s', (_, text, isOne) => expect(isWebhookSecret(text)).toBe(isOne));

it.each([
  'https://hooks.example.com/x?y=1',
  'https://hooks.example.com:8443/',
  'https://45.0.0.1/',
  'https://[2a00::1]/',
  'https://HOOKS.example.com/',
])('may be sent to %s', (text) => expect(webhookUrl(text, false)?.href).toBeTruthy());

it.each([
  'http://hooks.example.com/',
  'ftp://hooks.example.com/',
  'https://localhost/',
  'https://127.0.0.1/',
  'https://0x7f.1/',
  'https://2130706433/',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://169.254.169.254/latest',
  'https://user:password@hooks.example.com/',
  'https://hooks.example.com/#part',
  `https://hooks.example.com/${'x'.repeat(2_000)}`,
  `https://hooks.example.com/${'ü'.repeat(700)}`, // longer once it is encoded, as it is kept and sent
  'hooks.example.com',
  '',
])('may not be sent to %j', (text) => expect(webhookUrl(text, false)).toBeUndefined());

it('may be sent to private addresses, by HTTP too, where that is allowed', () => {
  for (const text of ['http://127.0.0.1:8080/x', 'https://[::1]/', 'http://hooks.example.com/'])
    expect(webhookUrl(text, true)?.href).toBeTruthy();
});

it.each([
  ['120', 120],
  [' 0 ', 0],
  ['Fri, 20 Nov 2026 12:00:30 GMT', 30],
  ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
  ['Sat, 20 Nov 2027 12:00:00 GMT', 43_200],
  ['9999999999', 43_200],
  ['-5', null],
  ['1.5', null],
  ['tomorrow', null],
  ['', null],
  [['5', '6'], null],
  [undefined, null],
])('a receiver that says Retry-After: %j is left alone for %j seconds', (header, seconds) =>
  expect(readRetryAfter(header, new Date('2026-11-20T12:00:00Z'))).toBe(seconds),
);
