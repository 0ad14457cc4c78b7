import { openSecretBox } from '@dmarc-ledger/secrets';
import { newId } from '@dmarc-ledger/vocabulary';
import { afterEach, expect, it, vi } from 'vitest';
import { readTarget, type WebhookOptions } from '../src/commands/webhook-options.ts';

const secrets = openSecretBox('k'.repeat(40));
const orgId = newId();
const at = 'https://hooks.example.com/';

afterEach(() => void vi.unstubAllEnvs());

const read = (place: string, options: Partial<WebhookOptions> = {}, isOpen = false) =>
  readTarget({ secrets, isOpen }, orgId, place, { minSeverity: 'info', ...options });

it.each<[string, string, Partial<WebhookOptions>, RegExp]>([
  ['no URL', 'hooks.example.com', {}, /https: URL/],
  ['HTTP', 'http://hooks.example.com/', {}, /https: URL/],
  ['a private address', 'https://10.0.0.1/', {}, /https: URL/],
  ['a password in it', 'https://a:b@hooks.example.com/', {}, /https: URL/],
  ['a type that there is not', at, { types: ['x'] }, /no type of event x/],
  ['a type that stays', at, { types: ['dmarc_record_missing', 'bimi_broken'] }, /bimi_broken are not delivered/],
  ['a secret that is not set', at, { secretEnv: 'NONE' }, /NONE is not set/],
  ['a weak secret', at, { secretEnv: 'WEAK' }, /24 to 64/],
  ['no address', 'mailto:', {}, /not a mail address/],
  ['no address among others', 'mailto:a@b.example,,c@d.example', {}, /not a mail address/],
  ['a header in an address', 'mailto:a@b.example%0d%0aBcc:c@d.example', {}, /not a mail address/],
  ['more than addresses', 'mailto:a@b.example?cc=c@d.example', {}, /nothing else/],
  ['too many addresses', `mailto:${Array(21).fill('a@b.example').join()}`, {}, /up to 20/],
  ['a secret for mail', 'mailto:a@b.example', { secretEnv: 'WEAK' }, /Mail is not signed/],
])('refuses %s', (_, place, options, sentence) => {
  vi.stubEnv('WEAK', 'whsec_eA==');
  expect(() => read(place, options)).toThrow(sentence);
});

it('refuses a webhook where nothing can be sealed, and takes mail there', () => {
  const options = { minSeverity: 'info' } as const;
  expect(() => readTarget({ secrets: undefined, isOpen: false }, orgId, at, options)).toThrow(/Set SECRET_KEY/);
  const { target } = readTarget({ secrets: undefined, isOpen: false }, orgId, 'mailto:a@b.example', options);
  expect(target).toMatchObject({ kind: 'email', address: 'a@b.example' });
});

it.each([
  ['https://HOOKS.example.com', 'webhook', 'https://hooks.example.com/'],
  ['https://hooks.example.com:8443/a?b=c', 'webhook', 'https://hooks.example.com:8443/a?b=c'],
  ['mailto:a%2Bdmarc@b.example, c@d.example,c@d.example', 'email', 'a+dmarc@b.example,c@d.example'],
])('takes %s', (place, kind, address) => {
  expect(read(place, { types: ['tls_failures', 'tls_failures'] }).target).toMatchObject({
    kind,
    address,
    types: ['tls_failures'],
  });
});

it('takes HTTP and private addresses where that is allowed', () => {
  expect(read('http://127.0.0.1:3000/', {}, true).target.address).toBe('http://127.0.0.1:3000/');
});
