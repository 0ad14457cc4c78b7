import { openSecretBox, SecretError } from '@dmarc-ledger/secrets';
import { expect, it } from 'vitest';

const OLD = 'an old key of thirty-two characters or more';
const NEW = 'a new key of thirty-two characters or more';
const PLACE = 'mailbox|org|id|secret';

/** The error of `open`, with its code. */
function faultOf(open: () => unknown): SecretError {
  try {
    open();
  } catch (error) {
    if (error instanceof SecretError) return error;
    throw error;
  }
  throw new Error('It opened.');
}

it('gives back what was sealed, in every process with the same key', () => {
  for (const plain of ['hunter2', '', 'pässwört ✓', 'x'.repeat(10_000)]) {
    const sealed = openSecretBox(NEW).seal(plain, PLACE);
    expect(openSecretBox(NEW).open(sealed, PLACE)).toBe(plain);
  }
});

it('hides what was sealed', () => {
  expect(openSecretBox(NEW).seal('hunter2', PLACE).includes('hunter2')).toBe(false);
});

it('never seals the same secret to the same bytes', () => {
  const box = openSecretBox(NEW);
  expect(box.seal('hunter2', PLACE)).not.toEqual(box.seal('hunter2', PLACE));
});

it('opens with every key of the list and seals with the first, so that a key can be replaced', () => {
  const sealed = openSecretBox(OLD).seal('hunter2', PLACE);
  const both = openSecretBox(`${NEW}, ${OLD}`);
  expect(both.open(sealed, PLACE)).toBe('hunter2');
  expect(both.isCurrent(sealed)).toBe(false);
  const again = both.seal('hunter2', PLACE);
  expect(both.isCurrent(again)).toBe(true);
  expect(openSecretBox(NEW).open(again, PLACE)).toBe('hunter2');
});

it('does not open with another key, and says what to do', () => {
  const sealed = openSecretBox(OLD).seal('hunter2', PLACE);
  const fault = faultOf(() => openSecretBox(NEW).open(sealed, PLACE));
  expect(fault).toMatchObject({ code: 'secret_key_unknown', retryable: false });
  expect(fault.message).toMatch(/another SECRET_KEY/);
});

it('does not open at another place than the one it was sealed for', () => {
  const box = openSecretBox(NEW);
  const fault = faultOf(() => box.open(box.seal('hunter2', PLACE), 'mailbox|other org|id|secret'));
  expect(fault).toMatchObject({ code: 'secret_damaged', retryable: false });
  expect(fault.message).not.toMatch(/hunter2/);
});

it('notices every changed byte, and every missing one', () => {
  const box = openSecretBox(NEW);
  const sealed = box.seal('hunter2', PLACE);
  for (let i = 0; i < sealed.length; i++) {
    const changed = Buffer.from(sealed);
    changed[i]! ^= 1;
    expect(faultOf(() => box.open(changed, PLACE)).code).toMatch(/^secret_(damaged|key_unknown)$/);
    expect(faultOf(() => box.open(sealed.subarray(0, i), PLACE)).code).toBe('secret_damaged');
  }
});

it.each([' ', 'hunter2', 'x'.repeat(31), `${NEW},`, `${NEW},hunter2`])('refuses a key that is too short: %j', (key) => {
  const fault = faultOf(() => openSecretBox(key));
  expect(fault.code).toBe('secret_key_weak');
  expect(fault.message).not.toMatch(/hunter2|xxxx/);
});
