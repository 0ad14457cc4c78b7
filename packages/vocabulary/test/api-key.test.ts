import { describe, expect, it } from 'vitest';
import {
  generateApiKey,
  hashSecret,
  keyScopes,
  parseApiKey,
  permissionsOf,
  readCredentials,
  roles,
} from '../src/index.ts';

describe('an API key', () => {
  it('is the mark, eight public characters, and the secret with its checksum', () => {
    const { text, prefix, secret } = generateApiKey();
    expect(text).toMatch(/^dml_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}$/);
    expect(parseApiKey(text)).toEqual({ prefix, secret });
    expect(hashSecret(secret)).toHaveLength(32);
    expect(generateApiKey().text).not.toBe(text);
  });

  it('is known to be mistyped by one character', () => {
    const { text } = generateApiKey();
    const mistyped = [...text].map(
      (character, i) => text.slice(0, i) + (character === 'x' ? 'y' : 'x') + text.slice(i + 1),
    );
    expect(mistyped.filter((each) => parseApiKey(each) !== undefined)).toEqual([]);
  });

  it.each(['', 'dml_', 'sk_AJn30kA1_x', 'dml_AJn30kA1_YCTD33DJyebRifqcpAr5UTbFafL8Sl8emvJLKP0UrZr', 'dml_\u0000'])(
    'is not %j',
    (text) => {
      expect(parseApiKey(text)).toBeUndefined();
    },
  );
});

describe('credentials', () => {
  it.each([
    [[], 'none'],
    [['Host', 'x'], 'none'],
    [['authorization', 'Bearer abc'], 'bearer'],
    [['AUTHORIZATION', 'bEARER   a-._~+/='], 'bearer'],
    [['Authorization', 'Basic abc'], 'malformed'],
    [['Authorization', 'Bearer'], 'malformed'],
    [['Authorization', 'Bearer a b'], 'malformed'],
    [['Authorization', 'Bearer a', 'authorization', 'Bearer a'], 'malformed'],
  ])('%j are %s', (rawHeaders, kind) => {
    expect(readCredentials(rawHeaders).kind).toBe(kind);
  });
});

describe('what a key allows', () => {
  it('is its scope without an owner, nothing when the owner was removed, and else what both allow', () => {
    for (const scope of keyScopes) {
      const whole = permissionsOf(scope, undefined);
      expect(permissionsOf(scope, null).size).toBe(0);
      expect(permissionsOf(scope, 'owner')).toEqual(whole);
      for (const role of roles) expect([...whole]).toEqual(expect.arrayContaining([...permissionsOf(scope, role)]));
    }
    expect([...permissionsOf('ingest', undefined)]).toEqual(['report:ingest']);
    expect([...permissionsOf('read', undefined)]).not.toContain('report:ingest');
  });
});
