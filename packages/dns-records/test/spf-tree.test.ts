import { costOf, matchNetworks, readSpfTree, SPF_TREE_LIMITS, termsOf } from '@dmarc-ledger/dns-records';
import { describe, expect, it } from 'vitest';
import { askZone, type Zone } from './zone.ts';

const NAME = 'example.com';
const zoneOf = (record: string, others: Zone = {}): Zone => ({ [NAME]: { text: [record] }, ...others });

async function treeOf(zone: Zone) {
  const tree = await readSpfTree(askZone(zone), NAME);
  expect(tree).toBeDefined();
  return tree!;
}

/** Each term as text, state and number of networks, below its parent by indentation. */
async function shown(zone: Zone): Promise<string[]> {
  const tree = await treeOf(zone);
  return termsOf(tree).map(({ depth, term }) =>
    `${'  '.repeat(depth)}${term.text} ${term.state} ${term.networks.join(',')}`.trimEnd(),
  );
}

describe('an SPF tree', () => {
  it.each<[string, string, Zone, string[]]>([
    [
      '1',
      'v=spf1 ip4:192.0.2.0/24 a mx/28 include:_spf.example.net -all',
      {
        '_spf.example.net': { text: ['v=spf1 ip6:2001:db8::/32 ~all'] },
        'mx1.example.com': { a: ['198.51.100.9', '2001:db8::9'] },
      },
      [
        'ip4:192.0.2.0/24 plain 192.0.2.0/24',
        'a found 203.0.113.5/32',
        'mx/28 found 198.51.100.9/28,2001:db8::9/128',
        'include:_spf.example.net found',
        '  ip6:2001:db8::/32 plain 2001:db8::/32',
        '  ~all plain 0.0.0.0/0,::/0',
        '-all plain',
      ],
    ],
    [
      '2',
      'v=spf1 include:a.test -all',
      { 'a.test': { text: ['v=spf1 include:example.com -all'] } },
      ['include:a.test found', '  include:example.com loop', '  -all plain 0.0.0.0/0,::/0', '-all plain'],
    ],
    [
      '3',
      'v=spf1 include:none.test include:text.test include:two.test include:odd.test ?all',
      {
        'text.test': { text: ['hello'] },
        'two.test': { text: ['v=spf1 -all', 'v=spf1 +all'] },
        'odd.test': { text: ['v=spf1 ipv4:1.2.3.4 -all'] },
      },
      [
        'include:none.test void',
        'include:text.test broken',
        'include:two.test broken',
        'include:odd.test broken',
        '?all plain',
      ],
    ],
    [
      '4',
      'v=spf1 exists:%{i}.test include:%{l}.test ptr exists:here.test redirect=else.test',
      {
        'else.test': { text: ['v=spf1 ip4:192.0.2.1 -all'] },
        'here.test': { a: ['127.0.0.2'] },
      },
      [
        'exists:%{i}.test depends',
        'include:%{l}.test depends',
        'ptr depends',
        'exists:here.test found 0.0.0.0/0,::/0',
        'redirect=else.test found',
        '  ip4:192.0.2.1 plain 192.0.2.1/32',
        '  -all plain 0.0.0.0/0,::/0',
      ],
    ],
    [
      '8',
      'v=spf1 include:_spf.%{d} a:%{d2r}.x.test -all',
      {
        '_spf.example.com': { text: ['v=spf1 include:%{d}.far.test redirect=_end.%{o}'] },
        '_spf.example.com.far.test': { text: ['v=spf1 ip4:192.0.2.1 ?all'] },
        '_end.example.com': { text: ['v=spf1 ip4:192.0.2.2 -all'] },
        'com.example.x.test': { a: ['192.0.2.3'] },
      },
      [
        'include:_spf.%{d} found',
        '  include:%{d}.far.test found',
        '    ip4:192.0.2.1 plain 192.0.2.1/32',
        '    ?all plain 0.0.0.0/0,::/0',
        '  redirect=_end.%{o} found',
        '    ip4:192.0.2.2 plain 192.0.2.2/32',
        '    -all plain 0.0.0.0/0,::/0',
        'a:%{d2r}.x.test found 192.0.2.3/32',
        '-all plain',
      ],
    ],
    ['5', 'v=spf1 -all redirect=else.test', {}, ['-all plain', 'redirect=else.test ignored']],
    [
      '7',
      'v=spf1 ip4:192.0.2.1 ~all include:else.test ip4:198.51.100.0/24',
      { 'else.test': { text: ['v=spf1 +all'] } },
      ['ip4:192.0.2.1 plain 192.0.2.1/32', '~all plain', 'include:else.test ignored', 'ip4:198.51.100.0/24 ignored'],
    ],
    [
      '6',
      'v=spf1 a:silent.test include:silent.test -all',
      { 'silent.test': { a: '?', text: '?' } },
      ['a:silent.test unanswered', 'include:silent.test unanswered', '-all plain'],
    ],
  ])('%s reads what the terms refer to', async (_, record, others, expected) => {
    const own = { text: [record], a: ['203.0.113.5'], mx: ['mx1.example.com'] };
    expect(await shown({ ...others, [NAME]: own })).toEqual(expected);
  });

  it('is complete unless a name was not answered', async () => {
    expect((await treeOf(zoneOf('v=spf1 include:none.test -all'))).isComplete).toBe(true);
    const silent = await treeOf(zoneOf('v=spf1 include:silent.test -all', { 'silent.test': { text: '?' } }));
    expect(silent.isComplete).toBe(false);
  });

  it.each(['v=spf1 a:half.test -all', 'v=spf1 mx:half.test -all'])(
    'is not complete where the addresses of a host are known of one family alone: %s',
    async (record) => {
      const half = (isPartial: boolean): Zone => ({ 'half.test': { a: ['192.0.2.1'], mx: ['half.test'], isPartial } });
      expect((await treeOf(zoneOf(record, half(true)))).isComplete).toBe(false);
      expect((await treeOf(zoneOf(record, half(false)))).isComplete).toBe(true);
    },
  );

  it('counts lookups and void ones over the whole tree', async () => {
    const zone = zoneOf('v=spf1 include:a.test a:gone.test mx -all', {
      'a.test': { text: ['v=spf1 a:b.test ptr -all'] },
    });
    expect(costOf((await treeOf(zone)).terms)).toEqual({ lookups: 5, voids: 3 });
  });

  it('is not known while the own record is not answered, and empty without a record', async () => {
    expect(await readSpfTree(askZone({ [NAME]: { text: '?' } }), NAME)).toBeUndefined();
    expect(await treeOf({})).toEqual({ domain: NAME, record: null, terms: [], isComplete: true });
    expect((await treeOf(zoneOf('v=spf1 nonsense'))).terms).toEqual([]);
  });
});

describe('an SPF tree of a stranger', () => {
  it('stays small however many terms and strings a record has', async () => {
    const terms = Array.from({ length: 5_000 }, (_, i) => `ip4:10.${i >> 8}.${i & 255}.0/24`).join(' ');
    const tree = await treeOf(zoneOf(`v=spf1 ${terms} -all`));
    expect(termsOf(tree)).toHaveLength(SPF_TREE_LIMITS.terms);
    expect(tree.isComplete).toBe(false);
    expect(tree.record).toHaveLength(SPF_TREE_LIMITS.record);
    expect(JSON.stringify(tree).length).toBeLessThan(400_000);
  });

  it('ends however the includes branch', async () => {
    const wide = Array.from({ length: 10 }, (_, i) => `include:n${i}.test`).join(' ');
    const zone = Object.fromEntries(
      Array.from({ length: 10 }, (_, i) => [`n${i}.test`, { text: [`v=spf1 ${wide} -all`] }]),
    );
    let asked = 0;
    const ask = askZone({ ...zone, ...zoneOf(`v=spf1 ${wide} -all`) });
    const counting = { ...ask, text: async (name: string) => ((asked += 1), await ask.text(name)) };
    const tree = await readSpfTree(counting, NAME);
    expect(asked).toBeLessThanOrEqual(SPF_TREE_LIMITS.lookups + 1);
    expect(tree?.isComplete).toBe(false);
    expect(termsOf(tree!).length).toBeLessThanOrEqual(SPF_TREE_LIMITS.terms);
  });

  it('keeps few networks however many addresses a host has', async () => {
    const addresses = Array.from({ length: 4_000 }, (_, i) => `10.0.${i >> 8}.${i & 255}`);
    const tree = await treeOf({ [NAME]: { text: ['v=spf1 a -all'], a: addresses } });
    expect(tree.terms[0]?.networks).toHaveLength(SPF_TREE_LIMITS.networks);
    expect(tree.isComplete).toBe(false);
  });
});

describe('the networks of a tree', () => {
  it.each([
    ['192.0.2.77', ['ip4:192.0.2.0/24']],
    ['192.0.3.1', []],
    ['198.51.100.1', ['include:a.test', 'ip4:198.51.100.0/25']],
    ['198.51.100.200', []],
    ['2001:db8::1', ['include:a.test', 'ip6:2001:db8::/32']],
    ['203.0.113.1', []],
  ])('authorise %s by %j', async (address, expected) => {
    const tree = await treeOf(
      zoneOf('v=spf1 ip4:192.0.2.0/24 ?ip4:203.0.113.1 include:a.test ~include:b.test -all', {
        'a.test': { text: ['v=spf1 ip4:198.51.100.0/25 ip6:2001:db8::/32 -ip4:198.51.100.200 ~all'] },
        'b.test': { text: ['v=spf1 ip4:203.0.113.0/24 -all'] },
      }),
    );
    const placed = termsOf(tree);
    const ids = [...matchNetworks(tree)(address)].toSorted((a, b) => a - b);
    expect(ids.map((id) => placed[id]?.term.text)).toEqual(expected);
  });

  it('authorise everybody where an included record does', async () => {
    const tree = await treeOf(zoneOf('v=spf1 include:open.test -all', { 'open.test': { text: ['v=spf1 +all'] } }));
    expect(matchNetworks(tree)('203.0.113.1').size).toBe(2);
    expect(matchNetworks(tree)('2001:db8::1').size).toBe(2);
  });

  it('of one record are found once, however often a stranger repeats one', async () => {
    const chain = (last: string) =>
      Object.fromEntries([
        ...Array.from({ length: 18 }, (_, i) => [`n${i}.test`, { text: [`v=spf1 include:n${i + 1}.test -all`] }]),
        ['n18.test', { text: [`v=spf1 ${last} -all`] }],
      ]) as Zone;
    const repeated = 'ip4:9.0.0.0/8 ip4:9.1.2.3/8 '.repeat(450);
    const tree = await treeOf(zoneOf('v=spf1 include:n0.test -all', chain(`${repeated}ip4:9.9.0.0/16`)));
    expect(tree.isComplete).toBe(true);
    expect(termsOf(tree)).toHaveLength(940);
    expect(matchNetworks(tree)('9.9.9.9').size).toBe(21); // 19 includes, and two networks
  });

  it('are each found where a name has them too, whose address may change', async () => {
    const tree = await treeOf({
      ...zoneOf('v=spf1 a:host.test ip4:192.0.2.5 -all'),
      'host.test': { a: ['192.0.2.5'] },
    });
    expect([...matchNetworks(tree)('192.0.2.5')]).toEqual([0, 1]);
  });
});
