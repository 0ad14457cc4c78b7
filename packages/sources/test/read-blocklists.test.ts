import { describe, expect, it } from 'vitest';
import { builtInLists, readBlocklists } from '../src/index.ts';

const read = (file: unknown) => readBlocklists(JSON.stringify(file));
const faultsOf = (lists: unknown) => read({ lists }).faults.map(({ code }) => code);
const find = (file: unknown, id: string) => read(file).lists.find((list) => list.id === id);

describe('a file of blocklists', () => {
  it('that says nothing leaves the built-in lists', () => {
    expect(read({})).toEqual({ lists: [...builtInLists], faults: [] });
  });

  it('may do without the built-in lists', () => {
    expect(read({ built_in: false })).toEqual({ lists: [], faults: [] });
  });

  it('gives a built-in list its key', () => {
    const key = 'AbC123';
    expect(find({ lists: [{ id: 'spamhaus-zen', key }] }, 'spamhaus-zen')?.zone).toEqual({
      v4: 'abc123.zen.dq.spamhaus.net',
      v6: 'abc123.zen.dq.spamhaus.net',
    });
    expect(find({ lists: [{ id: 'abusix', key }] }, 'abusix')).toMatchObject({
      enabled: true,
      zone: { v4: 'abc123.combined.mail.abusix.zone', v6: 'abc123.combined.mail.abusix.zone' },
    });
  });

  it('takes a zone for both families where one was for both', () => {
    const zone = 'k.zen.dq.spamhaus.net';
    expect(find({ lists: [{ id: 'spamhaus-zen', zone }] }, 'spamhaus-zen')?.zone).toEqual({ v4: zone, v6: zone });
    expect(find({ lists: [{ id: 'cymru-fullbogons', zone: 'own.example.org' }] }, 'cymru-fullbogons')?.zone).toEqual({
      v4: 'own.example.org',
      v6: 'v6.fullbogons.cymru.com',
    });
  });

  it('switches lists off, and changes single fields', () => {
    expect(find({ lists: [{ id: 's5h', enabled: false }] }, 's5h')?.enabled).toBe(false);
    expect(find({ lists: [{ id: 'psbl', tier: 1, ingest: false }] }, 'psbl')).toMatchObject({
      tier: 1,
      ingest: false,
      name: 'PSBL',
    });
  });

  it('adds lists of the operator’s own, behind the built-in ones', () => {
    const codes = [{ code: '127.0.0.20', tier: 1, category: 'abuse', meaning: 'AuthBL' }];
    const own = { id: 'authbl', name: 'AuthBL', zone: 'k.authbl.dq.spamhaus.net', zone_v6: 'k.authbl.dq.spamhaus.net' };
    const { lists, faults } = read({ lists: [{ ...own, codes, error_codes: ['127.0.1.255'] }] });
    expect(faults).toEqual([]);
    expect(lists.at(-1)).toMatchObject({ rank: 100, name: 'AuthBL', codes, errorCodes: ['127.0.1.255'], tier: 0 });
  });

  it('takes any answer for a listing where no codes are named', () => {
    expect(find({ lists: [{ id: 'hostkarma', codes: [] }] }, 'hostkarma')?.codes).toBeUndefined();
  });

  it('gives tier 0 to a list without a tier', () => {
    expect(find({ lists: [{ id: 'own', zone: 'bl.example.org' }] }, 'own')).toMatchObject({
      tier: 0,
      category: 'other',
    });
  });

  it.each([
    ['not an object', ['x'], ['blocklists_shape', 'blocklists_field_missing']],
    ['no id', [{ zone: 'bl.example.org' }], ['blocklists_field_missing']],
    ['an id with spaces', [{ id: 'my list' }], ['blocklists_field_invalid']],
    ['an id twice', [{ id: 'psbl' }, { id: 'psbl' }], ['blocklist_duplicate']],
    ['no zone', [{ id: 'own' }], ['blocklist_zone_missing']],
    ['a list that needs a key, without', [{ id: 'abusix', enabled: true }], ['blocklist_zone_missing']],
    [
      'a zone that is an address',
      [{ id: 'own', zone: '127.0.0.1' }],
      ['blocklists_field_invalid', 'blocklist_zone_missing'],
    ],
    ['a dead zone', [{ id: 'own', zone: 'spam.dnsbl.sorbs.net' }], ['blocklist_zone_dead']],
    ['a tier of 5', [{ id: 'psbl', tier: 5 }], ['blocklists_field_invalid']],
    ['a tier in words', [{ id: 'psbl', tier: '2' }], ['blocklists_field_invalid']],
    ['a misspelt field', [{ id: 'psbl', enable: false }], ['blocklists_field_unknown']],
    ['an unknown category', [{ id: 'psbl', category: 'evil' }], ['blocklists_field_invalid']],
    ['a code outside 127/8', [{ id: 'psbl', codes: [{ code: '10.0.0.1', tier: 2 }] }], ['blocklists_field_invalid']],
    ['a key with a dot-dot', [{ id: 'abusix', key: 'a..b' }], ['blocklists_field_invalid']],
    ['a key for a list without keys', [{ id: 'psbl', key: 'abc' }], ['blocklist_key_unknown']],
    ['a delist URL of another kind', [{ id: 'psbl', delist_url: 'javascript:alert(1)' }], ['blocklists_field_invalid']],
  ])('refuses %s', (_, lists, codes) => expect(faultsOf(lists)).toEqual(codes));

  it('reports every fault at once, with its place', () => {
    const { faults } = read({ lists: [{ id: 'psbl', tier: 9 }, { id: 'own' }], list: [] });
    expect(faults.map(({ message }) => message)).toEqual([
      'The file: list is no field; known are built_in, lists.',
      'lists[0]: tier has to be a whole number from 0 to 4.',
      'lists[1]: own needs a zone.',
    ]);
  });

  it.each(['', '{', '[]', 'null', '5'])('refuses %j', (text) => {
    expect(readBlocklists(text).faults).toHaveLength(1);
    expect(readBlocklists(text).lists).toEqual([]);
  });
});
