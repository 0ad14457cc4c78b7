import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { describe, expect, it } from 'vitest';
import { chooseTargets, ownedNames, type Claim } from '../src/intake/routing.ts';
import { chooseReport } from '../src/intake/selection.ts';

const organizationalDomain = publicSuffixDomains();

it.each([
  ['example.com', ['example.com']],
  ['a.b.example.co.uk', ['a.b.example.co.uk', 'b.example.co.uk', 'example.co.uk']],
  ['co.uk', ['co.uk']],
  ['localhost', ['localhost']],
])('%s may be owned by the owners of %j, and of no public suffix', (domain, names) => {
  expect(ownedNames(domain, organizationalDomain)).toEqual(names);
});

const monitors = (orgId: string, domain: string): Claim => ({ orgId, domain });

it.each<[string, Claim[], string[][], [string, string[] | null][]]>([
  ['the organization that monitors its domain', [monitors('a', 'a.example')], [['a.example']], [['a', ['a.example']]]],
  [
    'the organization that monitors a parent domain',
    [monitors('a', 'a.example')],
    [['x.a.example']],
    [['a', ['x.a.example']]],
  ],
  ['no organization that monitors a subdomain', [monitors('a', 'x.a.example')], [['a.example']], []],
  [
    'each its own',
    [monitors('a', 'a.example'), monitors('b', 'b.example')],
    [['a.example'], ['b.example'], ['c.example']],
    [
      ['a', ['a.example']],
      ['b', ['b.example']],
    ],
  ],
  [
    'both that monitor it',
    [monitors('a', 'a.example'), monitors('b', 'a.example')],
    [['a.example']],
    [
      ['a', ['a.example']],
      ['b', ['a.example']],
    ],
  ],
  [
    'only an organization that monitors all its domains',
    [monitors('a', 'a.example'), monitors('b', 'a.example'), monitors('b', 'b.example')],
    [['a.example', 'b.example']],
    [['b', ['a.example', 'b.example']]],
  ],
  ['none when it is about nothing', [monitors('a', 'a.example')], [[]], []],
  [
    'the organization it was sent to, all of it, and no other',
    [{ orgId: 'a', domain: null }, monitors('b', 'b.example')],
    [['b.example'], ['c.example']],
    [['a', null]],
  ],
])('a report belongs to %s', (_, claims, reports, expected) => {
  expect([...chooseTargets(claims, reports, organizationalDomain)]).toEqual(expected);
});

describe('what becomes of a report', () => {
  it.each([
    ['all is taken', null, null, ['x'], { kind: 'taken' }],
    ['all is taken, whatever it is about', null, null, [], { kind: 'taken' }],
    ['its domain is taken', ['x'], [], ['x'], { kind: 'taken' }],
    ['one of its domains is not taken', ['x'], null, ['x', 'y'], { kind: 'left' }],
    ['others have it', [], [['x'], null, ['y']], ['x'], { kind: 'assigned', organizations: 2 }],
    ['no organization has it', ['y'], [['z']], ['x'], { kind: 'nobodys' }],
    ['its domain is unknown', [], [['z']], [], { kind: 'nobodys' }],
  ])('when %s', (_, onlyDomains, others, domains, expected) => {
    expect(chooseReport({ onlyDomains, others }, domains)).toEqual(expected);
  });
});
