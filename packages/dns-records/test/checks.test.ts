import type { Protocol } from '@dmarc-ledger/vocabulary';
import { generateKeyPairSync } from 'node:crypto';
import { checks, type CheckContext, type FetchedPolicy, type ServerAnswer } from '@dmarc-ledger/dns-records';
import { describe, expect, it } from 'vitest';
import { askZone, type Zone } from './zone.ts';

const context: CheckContext = {
  domain: 'example.com',
  organizationalDomain: 'example.com',
  ours: ['rua@ledger.example'],
  selectors: [],
  hasMail: true,
  now: new Date('2026-11-21T00:00:00Z'),
};

async function run(protocol: Protocol, zone: Zone, change: Partial<CheckContext> = {}, isValidating = true) {
  const check = checks.find((each) => each.protocol === protocol)!;
  const { status, details, inheritedFrom } = await check.run(askZone(zone, isValidating), { ...context, ...change });
  return inheritedFrom === undefined ? [status, details] : [status, details, inheritedFrom];
}

const UNREACHABLE = ['unknown', 'DNS could not be read; the last attempt failed.'];
const OURS = 'rua=mailto:RUA%40ledger.example!10m';

describe('dmarc', () => {
  const at = (...text: string[]): Zone => ({ '_dmarc.example.com': { text } });
  it.each<[string, Zone, unknown[]]>([
    [
      'several',
      at('v=DMARC1; p=none', 'v=DMARC1;p=reject'),
      ['error', '2 DMARC records are published; receivers ignore all of them.'],
    ],
    ['none', {}, ['error', 'No DMARC record is published.']],
    ['other text at the name', at('v=spf1 -all', 'v=dmarc1; p=reject'), ['error', 'No DMARC record is published.']],
    ['no policy', at('v=DMARC1; p=rejcet'), ['error', 'The DMARC record cannot be parsed: p=rejcet is not a policy.']],
    [
      'no policy, reports asked for',
      at(`v=DMARC1; p=rejcet; ${OURS}`),
      ['warning', 'The DMARC policy is none, so failing mail is still delivered.'],
    ],
    [
      'no policy, reports asked for by another scheme',
      at('v=DMARC1; p=rejcet; rua=https://b.example/r'),
      ['warning', 'The DMARC policy is none, so failing mail is still delivered.'],
    ],
    [
      'no policy, and no scheme before the address',
      at('v=DMARC1; p=rejcet; rua=a@b.example'),
      ['error', 'The DMARC record cannot be parsed: p=rejcet is not a policy.'],
    ],
    [
      'p=none',
      at(`v=DMARC1; p=none; ${OURS}`),
      ['warning', 'The DMARC policy is none, so failing mail is still delivered.'],
    ],
    [
      't=y',
      at(`v=DMARC1; p=reject; t=y; ${OURS}`),
      ['warning', 'The DMARC policy is reject but is not fully applied.'],
    ],
    [
      'pct=50',
      at(`v=DMARC1; p=reject; pct=50; ${OURS}`),
      ['warning', 'The DMARC policy is reject but is not fully applied.'],
    ],
    ['an empty pct', at(`v=DMARC1; p=reject; pct=; ${OURS}`), ['ok', 'The DMARC policy is reject.']],
    ['no rua', at('v=DMARC1; p=reject'), ['warning', 'The DMARC record asks for no aggregate reports.']],
    [
      'sp weaker',
      at(`v=DMARC1; p=reject; sp=none; ${OURS}`),
      ['warning', 'The DMARC policy is reject, but subdomains use none.'],
    ],
    [
      'rua elsewhere',
      at('v=DMARC1; p=reject; rua=mailto:a@b.example'),
      ['warning', 'The DMARC policy is reject, but reports go elsewhere.'],
    ],
    ['all well', at(`v=DMARC1; p=quarantine; ${OURS}`), ['ok', 'The DMARC policy is quarantine.']],
    [
      'no-break spaces, which receivers do not read over',
      at(`v=DMARC1;\u00a0p=reject; ${OURS}`),
      ['warning', 'The DMARC policy is none, so failing mail is still delivered.'],
    ],
    ['a byte order mark', at(`\ufeffv=DMARC1; p=reject; ${OURS}`), ['error', 'No DMARC record is published.']],
    ['silence', { '_dmarc.example.com': { text: '?' } }, UNREACHABLE],
    ['silence above', { '_dmarc.com': { text: '?' } }, UNREACHABLE],
  ])('%s', async (_, zone, expected) => expect(await run('dmarc', zone)).toEqual(expected));

  const server = (...records: string[]): ServerAnswer => ({ server: 'ns.test', outcome: 'found', records });
  it.each<[Protocol, string, ServerAnswer[], string]>([
    [
      'dmarc',
      'each has one',
      [server('v=DMARC1; p=none'), server('v=DMARC1; p=reject')],
      'The name servers have different DMARC records; receivers use the one that they are given.',
    ],
    [
      'dmarc',
      'one has both',
      [server('v=DMARC1; p=none', 'v=DMARC1; p=reject'), server('v=DMARC1; p=reject')],
      '2 DMARC records are published; receivers ignore all of them.',
    ],
    [
      'spf',
      'each has one',
      [server('v=spf1 -all', 'site-verification=x'), server('v=spf1 mx -all', 'site-verification=x')],
      'The name servers have different SPF records; receivers use the one that they are given.',
    ],
    [
      'spf',
      'both have both',
      [server('v=spf1 -all', 'v=spf1 mx -all'), server('v=spf1 -all', 'v=spf1 mx -all')],
      '2 SPF records are published; receivers treat this as an error.',
    ],
  ])('says of several %s records whether the name servers differ: %s', async (protocol, _, servers, expected) => {
    const values = [...new Set(servers.flatMap(({ records }) => records))];
    const text = async () => ({ kind: 'found' as const, values, servers });
    const check = checks.find((each) => each.protocol === protocol)!;
    const found = await check.run({ ...askZone({}), text }, context);
    expect([found.status, found.details]).toEqual(['error', expected]);
  });

  const weaker = ['warning', 'The DMARC policy is reject, but subdomains use none.'];
  it.each<[string, string, Zone, unknown[]]>([
    ['where a record stands above', '', at('v=DMARC1; p=none'), ['ok', 'The DMARC policy is reject.']],
    ['where none stands above', '', {}, weaker],
    ['where none that can be used does', '', at('v=DMARC1; p=rejcet'), weaker],
    ['where the domain says that it is the organizational one', '; psd=n', at('v=DMARC1; p=none'), weaker],
    ['directly below a public suffix', '', at('v=DMARC1; p=none; psd=y'), weaker],
    ['where the name above is silent', '', { '_dmarc.example.com': { text: '?' } }, UNREACHABLE],
  ])(
    'an own sp below the suffix list’s organizational domain counts only if receivers ask for it: %s',
    async (...row) => {
      const [, tags, zone, expected] = row;
      const own: Zone = { '_dmarc.mail.example.com': { text: [`v=DMARC1; p=reject; sp=none${tags}; ${OURS}`] } };
      expect(await run('dmarc', { ...own, ...zone }, { domain: 'mail.example.com' })).toEqual(expected);
    },
  );

  it.each<[string, string, Zone, boolean | undefined]>([
    ['a record stands above', 'p=none', at('v=DMARC1; p=none'), true],
    ['none stands above', 'p=none', {}, false],
    ['the domain says that it is the organizational one', 'p=none; psd=n', at('v=DMARC1; p=none'), false],
    ['the name above is silent', 'p=none', { '_dmarc.example.com': { text: '?' } }, undefined],
  ])('finds whether names below follow another record, without an sp too: %s', async (_, tags, zone, isBelow) => {
    const check = checks.find(({ protocol }) => protocol === 'dmarc')!;
    const own: Zone = { '_dmarc.mail.example.com': { text: [`v=DMARC1; ${tags}; ${OURS}`] } };
    const found = await check.run(askZone({ ...zone, ...own }), { ...context, domain: 'mail.example.com' });
    expect(found.status).toBe('warning');
    expect(found.facts).toMatchObject({ cause: 'none', ...(isBelow !== undefined && { isBelow }) });
    expect('isBelow' in found.facts!).toBe(isBelow !== undefined);
  });

  it('notes an own sp that receivers do not ask for, and keeps it out of the policy', async () => {
    const check = checks.find(({ protocol }) => protocol === 'dmarc')!;
    const own: Zone = {
      '_dmarc.mail.example.com': { text: ['v=DMARC1; p=reject; sp=none; rua=mailto:rua@ledger.example'] },
    };
    const zone = {
      ...own,
      ...at('v=DMARC1; p=none'),
      'mail.example.com._report._dmarc.ledger.example': { text: ['v=DMARC1'] },
    };
    const { notes, policy } = await check.run(askZone(zone), { ...context, domain: 'mail.example.com' });
    expect(notes).toEqual(['receivers do not ask for sp=none here, as a record above applies to the names below']);
    expect(policy).toEqual({ p: 'reject', sp: undefined, unusedSp: 'none', pct: 100, t: false });
  });

  it.each<[Protocol, Zone, string[]]>([
    [
      'dmarc',
      at('v=DMARC1 p=reject', 'v=spf1 -all'),
      ['receivers read no record in v=DMARC1 p=reject, as it does not begin with v=DMARC1;'],
    ],
    [
      'dmarc',
      at(`v=DMARC1; p=reject; np=none; ${OURS.replace('!10m', '')}`),
      ['np=none leaves names that do not exist easier to forge than others, which have reject'],
    ],
    [
      'dmarc',
      at(` v=DMARC1; p=none; ${OURS.replace('!10m', '')}`),
      ['white space stands before v=DMARC1, so that some receivers read no record'],
    ],
    ['dmarc', at(`v=DMARC1; ${OURS.replace('!10m', '')}`), ['p is missing, so the policy is none']],
    [
      'dmarc',
      at(`v=DMARC1; p=rejcet; ${OURS.replace('!10m', '')}`),
      ['p=rejcet is not a policy, so the policy is none'],
    ],
    ['dmarc', at(`v=DMARC1; p=none; np=reject; ${OURS.replace('!10m', '')}`), []],
    [
      'dmarc',
      at(`v=DMARC1; ${OURS.replace('!10m', '')}; p=none`),
      ['p is not the second tag, so that receivers that follow RFC 7489 may read no record'],
    ],
    [
      'dmarc',
      at(`v=DMARC1; p=none; adkim=strict; aspf=S; fo=1:x; psd=N; t=yes; ${OURS.replace('!10m', '')}`),
      [
        'receivers ignore adkim=strict and use adkim=r',
        'receivers ignore fo=1:x and use fo=0',
        'receivers ignore t=yes and use t=n',
      ],
    ],
    [
      'dmarc', // cut, but never within a character
      at(`v=DMARC1; p=none; adkim=${'x'.repeat(29)}😀; ${OURS.replace('!10m', '')}`),
      [`receivers ignore adkim=${'x'.repeat(29)} and use adkim=r`],
    ],
    [
      'dmarc',
      at(`v=DMARC1; p=none; ${'x'.repeat(59)}😀; ${OURS.replace('!10m', '')}`),
      [`${'x'.repeat(59)} is not a tag`],
    ],
    ['dmarc', at(`v=DMARC1; p=none; fo=1 : d; t=Y; aspf=r; ${OURS.replace('!10m', '')}`), []],
    [
      'dmarc',
      at(`v=DMARC1; p=reject; pct=50%; ${OURS.replace('!10m', '')}`),
      ['receivers ignore pct=50% and use pct=100', 'pct has been removed from the standard'],
    ],
    [
      'dmarc',
      { 'example.com': { text: ['v=spf1 -all', 'v=DMARC1; p=reject'] } },
      ['receivers do not read the DMARC record at example.com: it belongs at _dmarc.example.com'],
    ],
    [
      'dmarc',
      { '_dmarc.example.com.example.com': { text: ['v=DMARC1; p=reject'] } },
      ['receivers do not read the DMARC record at _dmarc.example.com.example.com: it belongs at _dmarc.example.com'],
    ],
    [
      'dmarc',
      at('v=DMARC1\\; p=reject'),
      ['receivers read no record in v=DMARC1\\; p=reject, as it has a backslash before a semicolon'],
    ],
    [
      'dmarc',
      at('“v=DMARC1; p=reject”'),
      ['receivers read no record in “v=DMARC1; p=reject”, as it begins with a quotation mark'],
    ],
    [
      'spf',
      { 'example.com': { text: ['"v=spf1 -all"'] } },
      ['receivers read no record in "v=spf1 -all", as it begins with a quotation mark'],
    ],
    [
      'spf',
      { 'example.com': { text: ['V=SPF1 -all', 'google-site-verification=x'] } },
      ['receivers read no record in V=SPF1 -all, as it does not begin with v=spf1 and a space'],
    ],
    [
      'spf',
      { 'example.com': { text: ['v=spf1 include=_spf.test ip4=192.0.2.1 x-owner=mail -all'] } },
      [
        'receivers ignore include=_spf.test, as terms have a colon: include:_spf.test',
        'receivers ignore ip4=192.0.2.1, as terms have a colon: ip4:192.0.2.1',
      ],
    ],
  ])('of %s notes what receivers make of it (%#)', async (protocol, zone, expected) => {
    const check = checks.find((each) => each.protocol === protocol)!;
    const unasked = { ...context, organizationalDomain: 'ledger.example' };
    expect((await check.run(askZone(zone), unasked)).notes).toEqual(expected);
  });

  it.each<[string, string, Zone, string[]]>([
    [
      'stricter',
      'sp=none; np=reject',
      {},
      ['gone.example.com does not exist: receivers that follow RFC 9989 apply np=reject to it, others none'],
    ],
    [
      'weaker',
      'np=none',
      {},
      [
        'np=none leaves names that do not exist easier to forge than others, which have reject',
        'gone.example.com does not exist: receivers that follow RFC 9989 apply np=none to it, others reject',
      ],
    ],
    ['the same', 'sp=none; np=none', {}, []],
    ['of a name that exists', 'sp=none; np=reject', { 'gone.example.com': { a: ['192.0.2.1'] } }, []],
  ])('notes the policy that applies to a name that does not exist: %s', async (_, tags, zone, expected) => {
    const check = checks.find(({ protocol }) => protocol === 'dmarc')!;
    const own = { ...at(`v=DMARC1; p=reject; ${tags}; rua=mailto:rua@in.example.com`), ...zone };
    const finding = await check.run(askZone(own), { ...context, domain: 'gone.example.com' });
    expect(finding).toMatchObject({ inheritedFrom: 'example.com', notes: expected });
  });

  it('notes that reporters need the word of another organization’s name before they send there', async () => {
    const notes = async (zone: Zone) => {
      const check = checks.find(({ protocol }) => protocol === 'dmarc')!;
      return (await check.run(askZone({ ...at(`v=DMARC1; p=reject; ${OURS}`), ...zone }), context)).notes;
    };
    const name = 'example.com._report._dmarc.ledger.example';
    const size = 'the size in mailto:RUA%40ledger.example!10m is ignored';
    expect(await notes({})).toEqual([
      size,
      `reporters may not send to ledger.example until a TXT record at ${name} says v=DMARC1`,
    ]);
    expect(await notes({ [name]: { text: ['v=DMARC1;'] } })).toEqual([size]);
    expect(await notes({ [name]: { text: '?' } })).toEqual([size]);
  });

  it.each<[string, string, Zone, string | undefined]>([
    ['without permission', OURS, {}, 'example.com._report._dmarc.ledger.example'],
    ['with it', OURS, { 'example.com._report._dmarc.ledger.example': { text: ['v=DMARC1'] } }, undefined],
    ['without an answer', OURS, { 'example.com._report._dmarc.ledger.example': { text: '?' } }, undefined],
    ['beside an address of its own', `${OURS},mailto:rua@example.com`, {}, undefined],
    ['at an address of others alone', 'rua=mailto:a@vendor.test', {}, undefined],
    ['for failure reports alone', `rua=mailto:rua@example.com; ${OURS.replace('rua=', 'ruf=')}`, {}, undefined],
  ])('says which permission all reports to us wait for: %s', async (_, tags, zone, expected) => {
    const check = checks.find(({ protocol }) => protocol === 'dmarc')!;
    const ours = [...context.ours, 'rua@example.com'];
    const { facts } = await check.run(askZone({ ...at(`v=DMARC1; p=reject; ${tags}`), ...zone }), { ...context, ours });
    expect(facts ?? {}).toEqual(expect.objectContaining(expected ? { permissionMissing: expected } : {}));
  });

  it.each<[string, string, string | undefined]>([
    ['no address', 'v=DMARC1', undefined],
    ['ours', 'v=DMARC1; rua=mailto:Rua%40ledger.example', undefined],
    ['ours beside another one', 'v=DMARC1; rua=mailto:a@ledger.example,mailto:rua@ledger.example', undefined],
    [
      'another address',
      'v=DMARC1; rua=mailto:a@ledger.example',
      'reporters send to mailto:a@ledger.example in place of your address, as the record at NAME says',
    ],
    [
      'an address at another host',
      'v=DMARC1; rua=mailto:rua@elsewhere.test',
      'reporters send nothing to ledger.example, as the record at NAME names an address at another host',
    ],
    ['nothing that is an address', 'v=DMARC1; rua=', undefined],
  ])('notes where the record by which our host takes reports sends them: %s', async (_, text, expected) => {
    const check = checks.find(({ protocol }) => protocol === 'dmarc')!;
    const name = 'example.com._report._dmarc.ledger.example';
    const zone = { ...at('v=DMARC1; p=reject; rua=mailto:rua@ledger.example'), [name]: { text: [text] } };
    const { notes } = await check.run(askZone(zone), context);
    expect(notes).toEqual(expected === undefined ? [] : [expected.replace('NAME', name)]);
  });

  it('notes the same of addresses of others and of failure reports, of ten hosts at most', async () => {
    const askedHosts = async (tags: string, zone: Zone = {}) => {
      const check = checks.find(({ protocol }) => protocol === 'dmarc')!;
      const { notes = [] } = await check.run(askZone({ ...at(`v=DMARC1; p=reject; ${tags}`), ...zone }), context);
      return notes.flatMap((note) => /may not send to (\S+) until/.exec(note)?.[1] ?? []);
    };
    const vendor =
      'rua=mailto:a@vendor.test, mailto:b@vendor.test; ruf=mailto:f@failures.test, mailto:g@in.example.com';
    expect(await askedHosts(vendor)).toEqual(['vendor.test', 'failures.test']);
    const said = { 'example.com._report._dmarc.failures.test': { text: ['v=DMARC1'] } };
    expect(await askedHosts(vendor, said)).toEqual(['vendor.test']);
    const many = Array.from({ length: 30 }, (_, i) => `mailto:a@h${i}.test`).join();
    expect(await askedHosts(`rua=${many}`)).toHaveLength(10);
    const withOurs = await askedHosts(OURS.replace('rua=', `rua=${many},`));
    expect([withOurs[0], withOurs.length]).toEqual(['ledger.example', 10]);
  });

  it('takes the policy for subdomains from above', async () => {
    const zone = at(`v=DMARC1; p=reject; sp=quarantine; ${OURS}`);
    const sub = { domain: 'mail.example.com' };
    expect(await run('dmarc', zone, sub)).toEqual(['ok', 'The DMARC policy is quarantine.', 'example.com']);
  });
});

describe('spf', () => {
  const many = (n: number) => Array.from({ length: n }, (_, i) => `include:i${i}.test`).join(' ');
  const included = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`i${i}.test`, { text: ['v=spf1 -all'] }]));
  const spf = (text: string, more: Zone = {}): Zone => ({ 'example.com': { text: [text] }, ...included, ...more });
  it.each<[string, Zone, unknown[]]>([
    ['none', { 'example.com': { text: ['v=spf10'] } }, ['error', 'No SPF record is published.']],
    [
      'several',
      { 'example.com': { text: ['v=spf1', 'v=spf1 -all'] } },
      ['error', '2 SPF records are published; receivers treat this as an error.'],
    ],
    [
      'unknown mechanism',
      spf('v=spf1 ipv4:192.0.2.1 -all'),
      ['error', 'The SPF record cannot be parsed: ipv4:192.0.2.1 is not a mechanism.'],
    ],
    ...[
      ['a:192.0.2.1', 'names no domain: an address is written as ip4:192.0.2.1'],
      ['a:mail', 'names no domain'],
      ['mx:mail.example.com,', 'names no domain'],
      ['include:bücher.test', 'names no domain'],
      ['a:mail.example.com\u00a0-all', 'names no domain'],
      ['redirect=192.0.2.1', 'names no domain: an address is written as ip4:192.0.2.1'],
      ['ip4:192.0.2.0/024', 'is not a mechanism'],
    ].map(([term = '', fault = '']): [string, Zone, unknown[]] => [
      term,
      spf(`v=spf1 ${term} -all`),
      ['error', `The SPF record cannot be parsed: ${term} ${fault}.`],
    ]),
    [
      'a macro at the end of a name, and a dot behind it',
      spf('v=spf1 exists:%{i}._spf.%{d} a:mail.example.com. -all', { 'mail.example.com.': { a: ['192.0.2.1'] } }),
      ['ok', 'The SPF record is valid and uses 2 of 10 DNS lookups.'],
    ],
    [
      'loop',
      spf('v=spf1 include:example.com -all'),
      ['error', 'The SPF record cannot be parsed: include of example.com leads back to itself.'],
    ],
    [
      'include of nothing',
      spf('v=spf1 include:none.test -all'),
      ['error', 'The SPF record cannot be parsed: include of none.test, which has no SPF record.'],
    ],
    [
      'redirect to nothing',
      spf('v=spf1 redirect=none.test'),
      ['error', 'The SPF record cannot be parsed: redirect of none.test, which has no SPF record.'],
    ],
    ['ten lookups', spf(`v=spf1 ${many(10)} -all`), ['ok', 'The SPF record is valid and uses 10 of 10 DNS lookups.']],
    [
      'eleven lookups',
      spf(`v=spf1 ${many(11)} -all`),
      ['error', 'The SPF record needs 11 DNS lookups; the limit is 10.'],
    ],
    [
      'many more, not all followed',
      spf(`v=spf1 ${many(29)} -all`),
      ['error', 'The SPF record needs 21 DNS lookups; the limit is 10.'],
    ],
    [
      'three voids',
      spf('v=spf1 a:x.test a:y.test a:z.test -all'),
      ['error', '3 lookups of the SPF record find nothing; the limit is 2.'],
    ],
    [
      'two voids',
      spf('v=spf1 a:x.test a:y.test -all'),
      ['ok', 'The SPF record is valid and uses 2 of 10 DNS lookups.'],
    ],
    ['+all', spf('v=spf1 all'), ['warning', 'The SPF record allows any server to send.']],
    ['a wide network', spf('v=spf1 ip4:0.0.0.0/1 -all'), ['warning', 'The SPF record allows any server to send.']],
    ['/8', spf('v=spf1 ip4:10.0.0.0/8 -all'), ['ok', 'The SPF record is valid and uses 0 of 10 DNS lookups.']],
    ['?all', spf('v=spf1 ?all'), ['warning', 'The SPF record does not say what to do with other servers.']],
    ['no all', spf('v=spf1 ip4:192.0.2.1'), ['warning', 'The SPF record does not say what to do with other servers.']],
    [
      'all by redirection',
      spf('v=spf1 redirect=i0.test'),
      ['ok', 'The SPF record is valid and uses 1 of 10 DNS lookups.'],
    ],
    ['ptr', spf('v=spf1 ptr ~all'), ['warning', 'The SPF record uses the deprecated ptr mechanism.']],
    [
      'macros that depend on the message are not looked up',
      spf('v=spf1 exists:%{i}.spf.test include:%{l}.x.test -all'),
      ['ok', 'The SPF record is valid and uses 2 of 10 DNS lookups.'],
    ],
    [
      'a macro of explanations',
      spf('v=spf1 exists:%{c}.test -all'),
      ['error', 'The SPF record cannot be parsed: exists:%{c}.test has an invalid macro.'],
    ],
    [
      'a macro without parts',
      spf('v=spf1 include:%{d0}.test -all'),
      ['error', 'The SPF record cannot be parsed: include:%{d0}.test has an invalid macro.'],
    ],
    [
      'a broken macro',
      spf('v=spf1 exists:%{q}.test -all'),
      ['error', 'The SPF record cannot be parsed: exists:%{q}.test has an invalid macro.'],
    ],
    [
      'terms after all are not reached',
      spf(`v=spf1 a:x.test -all ${many(11)} a:y.test a:z.test`),
      ['ok', 'The SPF record is valid and uses 1 of 10 DNS lookups.'],
    ],
    [
      'an include that passes anybody',
      spf('v=spf1 include:open.test -all', { 'open.test': { text: ['v=spf1 a:x.test +all'] } }),
      ['warning', 'The SPF record allows any server to send.'],
    ],
    [
      'an include whose own include passes anybody',
      spf('v=spf1 include:far.test -all', {
        'far.test': { text: ['v=spf1 include:open.test -all'] },
        'open.test': { text: ['v=spf1 all'] },
      }),
      ['warning', 'The SPF record allows any server to send.'],
    ],
    [
      'an include that only fails for anybody',
      spf('v=spf1 ip4:192.0.2.1 ?include:open.test -all', { 'open.test': { text: ['v=spf1 ip4:0.0.0.0/0 -all'] } }),
      ['ok', 'The SPF record is valid and uses 1 of 10 DNS lookups.'],
    ],
    [
      'an include that ends in ?all',
      spf('v=spf1 include:loose.test -all', { 'loose.test': { text: ['v=spf1 ip4:192.0.2.1 ?all'] } }),
      ['ok', 'The SPF record is valid and uses 1 of 10 DNS lookups.'],
    ],
    [
      'exists of a name that is there for anybody',
      spf('v=spf1 exists:here.test -all', { 'here.test': { a: ['127.0.0.2'] } }),
      ['warning', 'The SPF record allows any server to send.'],
    ],
    [
      'a host with every network around it',
      spf('v=spf1 a:here.test/0 -all', { 'here.test': { a: ['192.0.2.1'] } }),
      ['warning', 'The SPF record allows any server to send.'],
    ],
    [
      'a redirection that depends on the message',
      spf('v=spf1 ip4:192.0.2.1 redirect=%{l}.spf.test'),
      ['ok', 'The SPF record is valid and uses 1 of 10 DNS lookups.'],
    ],
    [
      'an include that a macro names by the domain',
      spf('v=spf1 include:_spf.%{d} -all', { '_spf.example.com': { text: ['v=spf1 include:i0.test -all'] } }),
      ['ok', 'The SPF record is valid and uses 2 of 10 DNS lookups.'],
    ],
    [
      'the same, with nothing there',
      spf('v=spf1 include:_spf.%{d} -all'),
      ['error', 'The SPF record cannot be parsed: include of _spf.example.com, which has no SPF record.'],
    ],
    [
      'a redirect that a macro names by the domain, with nothing there',
      spf('v=spf1 redirect=_spf.%{d}'),
      ['error', 'The SPF record cannot be parsed: redirect of _spf.example.com, which has no SPF record.'],
    ],
    [
      'a redirect that a macro names by the domain, to a record that is open',
      spf('v=spf1 redirect=_spf.%{d}', { '_spf.example.com': { text: ['v=spf1 +all'] } }),
      ['warning', 'The SPF record allows any server to send.'],
    ],
    [
      'a redirect that a macro leads back',
      spf('v=spf1 redirect=%{d}'),
      ['error', 'The SPF record cannot be parsed: redirect of example.com leads back to itself.'],
    ],
    ['silence at the name', { 'example.com': { text: '?' } }, UNREACHABLE],
    ['silence at an include', spf('v=spf1 include:dead.test -all', { 'dead.test': { text: '?' } }), UNREACHABLE],
    [
      'too many mail servers',
      spf('v=spf1 mx -all', {
        'example.com': { text: ['v=spf1 mx -all'], mx: Array.from({ length: 11 }, (_, i) => `m${i}.test`) },
      }),
      ['error', 'The SPF record cannot be parsed: example.com has more than 10 mail servers.'],
    ],
  ])('%s', async (_, zone, expected) => expect(await run('spf', zone)).toEqual(expected));

  const below = { domain: 'quiet.example.com', organizationalDomain: 'example.com' };
  const servers = (mx: string[]): Zone => ({ 'quiet.example.com': { mx } });
  const unneeded = ['unknown', 'No SPF record is published; no mail of this subdomain is known.'];
  it.each<[string, Zone, Partial<CheckContext>, unknown[]]>([
    ['is not needed by a subdomain without mail and mail servers', {}, { ...below, hasMail: false }, unneeded],
    ['is not needed beside the null MX', servers(['']), { ...below, hasMail: false }, unneeded],
    ['is missed where the subdomain sends', {}, { ...below, hasMail: true }, ['error', 'No SPF record is published.']],
    [
      'is missed where the subdomain takes mail',
      servers(['mx.test']),
      { ...below, hasMail: false },
      ['error', 'No SPF record is published.'],
    ],
    [
      'may be needed where the mail servers are not known',
      { 'quiet.example.com': { mx: '?' } },
      { ...below, hasMail: false },
      UNREACHABLE,
    ],
    ['is missed at the organizational domain', {}, { hasMail: false }, ['error', 'No SPF record is published.']],
  ])('a record %s', async (_, zone, change, expected) => expect(await run('spf', zone, change)).toEqual(expected));

  it.each([
    ['v=spf1 all', 'open'],
    ['v=spf1 ip4:0.0.0.0/1 -all', 'wide'],
    ['v=spf1 ?all', 'unsaid'],
    ['v=spf1 include:open.test -all', 'included'],
    ['v=spf1 redirect=open.test', 'redirected'],
    ['v=spf1 redirect=loose.test', 'redirected'],
    ['v=spf1 ptr ~all', 'ptr'],
    ['v=spf1 ip4:192.0.2.1 -all', undefined],
  ])('the cause of the warning of %s is %s', async (text, cause) => {
    const named: Zone = { 'open.test': { text: ['v=spf1 +all'] }, 'loose.test': { text: ['v=spf1 ip4:192.0.2.1'] } };
    const finding = await checks.find(({ protocol }) => protocol === 'spf')!.run(askZone(spf(text, named)), context);
    expect(finding.facts).toMatchObject(cause === undefined ? { voids: 0 } : { cause });
  });
});

it.each([
  ['v=DKIM1; k=rsa; p=not/base64!', 'p is no base64'],
  ['v=DKIM1\\; k=rsa\\; p=AAAA', 'it has a backslash before a semicolon'],
  ['v=DKIM2; p=AAAA', 'it is of another version'],
])('a key that receivers cannot use is noted with the reason: %s', async (text, reason) => {
  const check = checks.find(({ protocol }) => protocol === 'dkim')!;
  const zone = { 's1._domainkey.example.com': { text: [text] } };
  const selectors = [{ selector: 's1', domain: 'example.com' }];
  expect((await check.run(askZone(zone), { ...context, selectors })).notes).toEqual([
    `receivers ignore the key s1._domainkey.example.com: ${reason}`,
  ]);
});

describe('dkim', () => {
  const rsa = (bits: number, more = '') =>
    `v=DKIM1; ${more}p=${generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
  const ed25519 = `v=DKIM1; k=ed25519; p=${Buffer.alloc(32, 7).toString('base64')}`;
  const pair = (selector: string, domain = 'example.com') => ({ selector, domain });
  const keys = (texts: { [selector: string]: string[] | '?' }): Zone =>
    Object.fromEntries(Object.entries(texts).map(([s, text]) => [`${s}._domainkey.example.com`, { text }]));
  const two = { selectors: [pair('s1'), pair('s2')] };
  it.each<[string, Zone, Partial<CheckContext>, unknown[]]>([
    ['no selector', {}, {}, ['unknown', 'No DKIM selector is known yet; selectors appear once reports arrive.']],
    ['no key', {}, two, ['error', 'No published key was found for 2 DKIM selectors seen in reports.']],
    [
      '512 bits',
      keys({ s1: [rsa(512)], s2: [rsa(2048)] }),
      two,
      ['error', 'The DKIM key for selector s1 has 512 bits and is ignored by receivers.'],
    ],
    [
      'one revoked',
      keys({ s1: ['v=DKIM1; p='], s2: [rsa(2048)] }),
      two,
      ['warning', '1 of 2 DKIM selectors has no usable key.'],
    ],
    [
      'a key whose p is written as P',
      keys({ s1: [ed25519.replace('p=', 'P=')], s2: [rsa(2048)] }),
      two,
      ['warning', '1 of 2 DKIM selectors has no usable key.'],
    ],
    [
      'a key beside the texts of a wildcard',
      keys({ s1: ['v=spf1 -all', rsa(2048), 'v=DMARC1; p=reject', 'site-verification=x'], s2: [ed25519] }),
      two,
      ['ok', '2 DKIM selectors have valid keys.'],
    ],
    [
      'a key that is only for TLS reports',
      keys({ s1: [rsa(2048, 's=tlsrpt; ')], s2: [rsa(2048, 's=email:tlsrpt; ')] }),
      two,
      ['warning', '1 of 2 DKIM selectors has no usable key.'],
    ],
    [
      'several at one name',
      keys({ s1: [ed25519, ed25519], s2: [ed25519] }),
      two,
      ['warning', '1 of 2 DKIM selectors has no usable key.'],
    ],
    [
      'SHA-1 alone',
      keys({ s1: [rsa(2048, 'h=sha1; ')], s2: [ed25519] }),
      two,
      ['warning', '1 of 2 DKIM selectors has no usable key.'],
    ],
    [
      '1024 bits',
      keys({ s1: [rsa(1024)], s2: [ed25519] }),
      two,
      ['warning', 'The DKIM key for selector s1 has 1024 bits; 2048 is recommended.'],
    ],
    [
      'testing',
      keys({ s1: [rsa(2048, 't=y; ')], s2: [ed25519] }),
      two,
      ['warning', 'The DKIM key for selector s1 is in testing mode.'],
    ],
    ...(['v=DKIM1; p=', undefined] as const).map((gone): [string, Zone, Partial<CheckContext>, unknown[]] => [
      `a retired selector with the key ${gone}`,
      keys({ ...(gone && { s1: [gone] }), s2: [ed25519] }),
      { selectors: [{ ...pair('s1'), isRetired: true }, pair('s2')] },
      ['ok', '1 DKIM selector has a valid key.'],
    ]),
    [
      'retired selectors alone',
      {},
      { selectors: [{ ...pair('s1'), isRetired: true }] },
      ['error', 'No published key was found for 1 DKIM selector seen in reports.'],
    ],
    [
      'a retired selector that still has its key',
      keys({ s1: [rsa(1024)], s2: [ed25519] }),
      { selectors: [{ ...pair('s1'), isRetired: true }, pair('s2')] },
      ['warning', 'The DKIM key for selector s1 has 1024 bits; 2048 is recommended.'],
    ],
    ['one good key', keys({ s1: [ed25519] }), { selectors: [pair('s1')] }, ['ok', '1 DKIM selector has a valid key.']],
    ['two good keys', keys({ s1: [rsa(2048)], s2: [ed25519] }), two, ['ok', '2 DKIM selectors have valid keys.']],
    ['silence', keys({ s1: '?', s2: '?' }), two, UNREACHABLE],
    ['silence about one', keys({ s1: '?', s2: [ed25519] }), two, ['ok', '1 DKIM selector has a valid key.']],
    [
      'keys of the parent',
      keys({ s1: [ed25519] }),
      { domain: 'mail.example.com', selectors: [pair('s1')] },
      ['ok', '1 DKIM selector has a valid key.', 'example.com'],
    ],
  ])('%s', async (_, zone, change, expected) => expect(await run('dkim', zone, change)).toEqual(expected));

  it('knows that there is no key where no selector is known', async () => {
    const check = checks.find(({ protocol }) => protocol === 'dkim')!;
    expect((await check.run(askZone({}), context)).facts).toEqual([]);
  });
});

describe('mta_sts', () => {
  const policy = (body: string) => ({
    kind: 'text' as const,
    body: body.replaceAll(' | ', '\n'),
    mediaType: 'text/plain',
  });
  const sts = (body: string, mx = ['mx.example.com'], text = ['v=STSv1; id=1;']): Zone => ({
    '_mta-sts.example.com': { text },
    'mta-sts.example.com/.well-known/mta-sts.txt': { page: policy(body) },
    'example.com': { mx },
  });
  const good = 'version: STSv1 | mode: enforce | mx: *.example.com | max_age: 604800';
  const servedAs = (page: NonNullable<Zone[string]['page']>): Zone => ({
    ...sts(good),
    'mta-sts.example.com/.well-known/mta-sts.txt': { page },
  });
  it.each<[string, Zone, unknown[]]>([
    ['none', {}, ['error', 'No MTA-STS record is published.']],
    ['no id', sts(good, [], ['v=STSv1; id=;']), ['error', 'The MTA-STS record is not valid.']],
    ['several', sts(good, [], ['v=STSv1; id=1', 'v=STSv1; id=2']), ['error', 'The MTA-STS record is not valid.']],
    ['spaces around =', sts(good, [], ['v = STSv1; id=1']), ['error', 'The MTA-STS record is not valid.']],
    [
      'silence of the host',
      { ...sts(good), 'mta-sts.example.com/.well-known/mta-sts.txt': {} },
      ['unknown', 'mta-sts.example.com did not answer; the last attempt failed.'],
    ],
    [
      'redirect',
      servedAs({ kind: 'rejected', reason: 'it redirects' }),
      ['error', 'The MTA-STS policy cannot be used: it redirects.'],
    ],
    ['no version', sts('mode: enforce'), ['error', 'The MTA-STS policy cannot be used: its version is not STSv1.']],
    [
      'enforce, host not covered',
      sts(good, ['mx.other.test']),
      ['error', 'The MTA-STS policy does not cover mx.other.test, so senders refuse to deliver to it.'],
    ],
    [
      'a star is one label',
      sts(good, ['a.mx.example.com']),
      ['error', 'The MTA-STS policy does not cover a.mx.example.com, so senders refuse to deliver to it.'],
    ],
    ['mode none', sts('version: STSv1 | mode: none | max_age: 1'), ['warning', 'MTA-STS is switched off.']],
    [
      'testing, not covered',
      sts(good.replace('enforce', 'testing'), ['mx.other.test']),
      ['warning', 'The MTA-STS policy does not cover mx.other.test.'],
    ],
    ['testing', sts(good.replace('enforce', 'testing')), ['warning', 'MTA-STS is in testing mode.']],
    ['short', sts(good.replace('604800', '3600')), ['warning', 'The MTA-STS policy expires after 3,600 seconds.']],
    ['enforced', sts(good), ['ok', 'MTA-STS is enforced.']],
    [
      'enforced for other servers than the domain itself, which takes the mail without MX records',
      { ...sts(good), 'example.com': { a: ['192.0.2.1'] } },
      ['error', 'The MTA-STS policy does not cover example.com, so senders refuse to deliver to it.'],
    ],
    [
      'enforced for the domain itself',
      { ...sts(good.replace('*.example.com', 'example.com')), 'example.com': { a: ['192.0.2.1'] } },
      ['ok', 'MTA-STS is enforced.'],
    ],
    ['enforced where no mail is taken', { ...sts(good), 'example.com': {} }, ['ok', 'MTA-STS is enforced.']],
    ['silence about the domain itself', { ...sts(good), 'example.com': { a: '?' } }, UNREACHABLE],
    ['silence', { '_mta-sts.example.com': { text: '?' } }, UNREACHABLE],
    ['silence about mail servers', { ...sts(good), 'example.com': { mx: '?' } }, UNREACHABLE],
  ])('%s', async (_, zone, expected) => expect(await run('mta_sts', zone)).toEqual(expected));

  const HOUR = 3_600_000;
  const keptFor = (hours: number, id = '1', maxAge = 604_800): FetchedPolicy => ({
    id,
    fetchedAt: context.now.getTime() - hours * HOUR,
    policy: { mode: 'enforce', mx: ['*.example.com'], maxAge },
  });
  it.each<[string, FetchedPolicy | undefined, fetches: number]>([
    ['when there was none', undefined, 1],
    ['not when it was of late', keptFor(23), 0],
    ['after a day', keptFor(24), 1],
    ['when its id is another', keptFor(1, '2'), 1],
    ['when it no longer holds', keptFor(1, '1', 3_600), 1],
  ])('a policy is fetched %s', async (_, mtaSts, fetches) => {
    const asked: string[] = [];
    const maxAge = mtaSts?.policy.maxAge ?? 604_800;
    const zone = askZone(sts(good.replace('604800', `${maxAge}`)));
    const fetch = (host: string, path: string) => zone.fetch(host, path).finally(() => asked.push(host));
    const check = checks.find(({ protocol }) => protocol === 'mta_sts')!;
    const found = await check.run({ ...zone, fetch }, { ...context, mtaSts });
    expect(asked).toHaveLength(fetches);
    const policy = { mode: 'enforce', mx: ['*.example.com'], maxAge };
    expect(found.mtaSts).toEqual(fetches > 0 ? { id: '1', fetchedAt: context.now.getTime(), policy } : mtaSts);
  });

  it('a policy that was fetched before is held against the mail servers of today', async () => {
    const found = await run('mta_sts', sts(good, ['mx.other.com']), { mtaSts: keptFor(1) });
    expect(found).toEqual([
      'error',
      'The MTA-STS policy does not cover mx.other.com, so senders refuse to deliver to it.',
    ]);
  });

  const repaired = good.replace('max_age', 'mx: mx.other.com | max_age');
  const before = 'The MTA-STS policy has changed, but not the id of its record';
  const enforced = ['ok', 'MTA-STS is enforced.'];
  const held = (hours: number) => ({ policy: keptFor(24).policy, goodUntil: context.now.getTime() + hours * HOUR });
  it.each<[string, Zone, CheckContext['mtaSts'], unknown[]]>([
    [
      'repaired under the same id still refuses mail for senders that hold the one of before',
      sts(repaired, ['mx.other.com']),
      keptFor(24),
      ['error', `${before}: senders that keep the one of before refuse to deliver to mx.other.com.`],
    ],
    [
      'changed under the same id is not known to senders',
      sts(good.replace('enforce', 'testing')),
      keptFor(24),
      ['warning', `${before}, so senders keep the one of before.`],
    ],
    ['with a new id is known', sts(repaired, ['mx.other.com'], ['v=STSv1; id=2']), keptFor(24), enforced],
    ['that is the same as before is known', sts(good), keptFor(24), enforced],
    [
      'that was changed back does not undo the one between for senders that hold that',
      sts(good, ['mx.example.com']),
      { ...keptFor(24), policy: { ...keptFor(24).policy, mx: ['mx.typo.com'] }, earlier: [held(1)] },
      ['error', `${before}: senders that keep the one of before refuse to deliver to mx.example.com.`],
    ],
    [
      'of before that no sender can hold any more counts for nothing',
      sts(good),
      { ...keptFor(1), earlier: [{ ...held(0), policy: { ...keptFor(1).policy, mx: ['mx.typo.com'] } }] },
      enforced,
    ],
    [
      'with mode none leaves open what senders that hold an enforced one do while mail servers are not known',
      { ...sts('version: STSv1 | mode: none | max_age: 86400'), 'example.com': { mx: '?' } },
      keptFor(24),
      UNREACHABLE,
    ],
    ['without a record leaves the same open', { 'example.com': { mx: '?' } }, keptFor(24), UNREACHABLE],
    [
      'without a record goes on refusing mail until its time is over',
      { 'example.com': { mx: ['mx.other.com'] } },
      keptFor(24),
      ['error', 'No MTA-STS record is published, but senders that keep the policy refuse to deliver to mx.other.com.'],
    ],
    [
      'without a record refuses nothing where it covers all mail servers',
      { 'example.com': { mx: ['mx.example.com'] } },
      keptFor(24),
      ['error', 'No MTA-STS record is published.'],
    ],
    [
      'without a record refuses nothing when its time is over',
      { 'example.com': { mx: ['mx.other.com'] } },
      keptFor(7 * 24),
      ['error', 'No MTA-STS record is published.'],
    ],
  ])('a policy %s', async (_, zone, mtaSts, expected) =>
    expect(await run('mta_sts', zone, { mtaSts })).toEqual(expected),
  );

  it('is enforced while senders hold a policy that is, whatever mode is served with the same id', async () => {
    const check = checks.find(({ protocol }) => protocol === 'mta_sts')!;
    const testing = askZone(sts(good.replace('enforce', 'testing')));
    const modes = [keptFor(24), keptFor(24, '2')].map(
      async (mtaSts) => (await check.run(testing, { ...context, mtaSts })).facts,
    );
    expect(await Promise.all(modes)).toEqual([{ mode: 'enforce' }, { mode: 'testing' }]);
  });

  it('what senders hold is remembered while the policy cannot be fetched, and fetched again then', async () => {
    const check = checks.find(({ protocol }) => protocol === 'mta_sts')!;
    const failed = await check.run(askZone(servedAs({ kind: 'rejected', reason: 'it redirects' })), {
      ...context,
      mtaSts: keptFor(24),
    });
    expect(failed.mtaSts).toEqual({ ...keptFor(24), isStale: true });
    const found = await run('mta_sts', sts(repaired, ['mx.other.com']), { mtaSts: failed.mtaSts });
    expect(found[1]).toContain('the one of before');
  });
});

describe('tls_rpt, aprf', () => {
  const tls = (...text: string[]): Zone => ({ '_smtp._tls.example.com': { text } });
  it.each<[Protocol, string, Zone, unknown[]]>([
    ['tls_rpt', 'none', {}, ['error', 'No TLS-RPT record is published.']],
    ['tls_rpt', 'wrong case', tls('v=tlsrptv1; rua=mailto:a@b.test'), ['error', 'The TLS-RPT record is not valid.']],
    [
      'tls_rpt',
      'several',
      tls('v=TLSRPTv1; rua=mailto:a@b.test', 'v=TLSRPTv1; rua=mailto:a@b.test'),
      ['error', 'The TLS-RPT record is not valid.'],
    ],
    ['tls_rpt', 'elsewhere', tls('v=TLSRPTv1; rua=https://b.test/'), ['warning', 'TLS reports go elsewhere.']],
    ['tls_rpt', 'ours', tls('v=TLSRPTv1; rua=mailto:rua@ledger.example'), ['ok', 'TLS reports are requested.']],
    [
      'tls_rpt',
      'white space',
      tls('v=TLSRPTv1; rua = mailto:rua@ledger.example'),
      ['error', 'The TLS-RPT record is not valid.'],
    ],
    ['tls_rpt', 'silence', { '_smtp._tls.example.com': { text: '?' } }, UNREACHABLE],
    ['aprf', 'none', {}, ['unknown', 'No APRF record was found.']],
    [
      'aprf',
      'silence',
      { '_aprf._domainkey.example.com': { text: '?' }, 'dml-probe-7f3a._aprf._domainkey.example.com': { text: '?' } },
      UNREACHABLE,
    ],
    [
      'aprf',
      'several',
      { '_aprf._domainkey.example.com': { text: ['v=APRFv1;rua=mailto:a@b.test', 'v=APRFv1'] } },
      ['warning', 'More than one APRF record is published.'],
    ],
    [
      'aprf',
      'one',
      { '_aprf._domainkey.example.com': { text: ['v=APRFv1; rua:mailto:a@b.test'] } },
      ['ok', 'An APRF record is published.'],
    ],
  ])('%s: %s', async (protocol, _, zone, expected) => expect(await run(protocol, zone)).toEqual(expected));
});

describe('bimi', () => {
  const svg = { kind: 'text' as const, body: '<svg xmlns="…"></svg>', mediaType: 'image/svg+xml' };
  const dmarc = { '_dmarc.example.com': { text: ['v=DMARC1; p=reject'] } };
  const bimi = (text: string[], more: Zone = {}): Zone => ({
    'default._bimi.example.com': { text },
    'logo.test/l.svg': { page: svg },
    ...dmarc,
    ...more,
  });
  const record = 'v=BIMI1; l=https://logo.test/l.svg';
  it.each<[string, Zone, unknown[]]>([
    ['none', {}, ['error', 'No BIMI record is published.']],
    ['declined', bimi(['v=BIMI1; l=; a=']), ['ok', 'The domain declines BIMI.']],
    ['several', bimi([record, record]), ['error', 'The BIMI record is not usable: there are several.']],
    [
      'no https',
      bimi(['v=BIMI1; l=http://logo.test/l.svg']),
      ['error', 'The BIMI record is not usable: l is no https URL.'],
    ],
    [
      'no logo',
      bimi([record], { 'logo.test/l.svg': { page: { kind: 'rejected', reason: 'status 404' } } }),
      ['error', 'The BIMI record is not usable: the logo cannot be fetched (status 404).'],
    ],
    [
      'silence of the host',
      bimi([record], { 'logo.test/l.svg': {} }),
      ['unknown', 'logo.test did not answer; the last attempt failed.'],
    ],
    [
      'not enforced',
      bimi([record], { '_dmarc.example.com': { text: ['v=DMARC1; p=none'] } }),
      ['warning', 'A BIMI record exists, but DMARC is not enforced.'],
    ],
    [
      'subdomains not enforced',
      bimi([record], { '_dmarc.example.com': { text: ['v=DMARC1; p=reject; sp=none'] } }),
      ['warning', 'A BIMI record exists, but DMARC is not enforced.'],
    ],
    ['no certificate', bimi([record]), ['warning', 'The BIMI logo has no certificate, so few providers show it.']],
    ['silence', { 'default._bimi.example.com': { text: '?' } }, UNREACHABLE],
    ['silence about DMARC', bimi([record], { '_dmarc.example.com': { text: '?' } }), UNREACHABLE],
  ])('%s', async (_, zone, expected) => expect(await run('bimi', zone)).toEqual(expected));

  it('is not called unenforced for an own sp while it is not known whether receivers ask for that', async () => {
    const zone = (policy: string) => ({
      ...bimi([record]),
      '_dmarc.mail.example.com': { text: [policy] },
      '_dmarc.example.com': { text: '?' } as const,
    });
    const judged = async (policy: string) =>
      (await run('bimi', zone(policy), { domain: 'mail.example.com' })).slice(0, 2);
    expect(await judged('v=DMARC1; p=reject; sp=none')).toEqual(UNREACHABLE);
    expect(await judged('v=DMARC1; p=none; sp=none')).toEqual([
      'warning',
      'A BIMI record exists, but DMARC is not enforced.',
    ]);
    expect(await judged('v=DMARC1; p=reject; sp=reject; psd=n')).toEqual([
      'warning',
      'The BIMI logo has no certificate, so few providers show it.',
    ]);
  });

  const CERTIFICATE = 'The BIMI logo has no certificate, so few providers show it.';
  const UNENFORCED = 'A BIMI record exists, but DMARC is not enforced.';
  it.each<[string, string, string, string[]]>([
    ['an organizational domain with p=none', 'p=reject', 'p=none', ['warning', UNENFORCED]],
    ['one in test mode', 'p=reject', 'p=reject; t=y', ['warning', UNENFORCED]],
    ['one with sp=none', 'p=reject', 'p=reject; sp=none', ['warning', UNENFORCED]],
    ['one that is enforced', 'p=reject', 'p=quarantine', ['warning', CERTIFICATE]],
    ['psd=n, which makes the domain its own', 'p=reject; psd=n', 'p=none', ['warning', CERTIFICATE]],
    ['psd=y above, which makes the domain its own', 'p=reject', 'p=none; psd=y', ['warning', CERTIFICATE]],
  ])('of a subdomain with a policy of its own heeds %s', async (_, own, above, expected) => {
    const zone = bimi([record], {
      '_dmarc.mail.example.com': { text: [`v=DMARC1; ${own}`] },
      '_dmarc.example.com': { text: [`v=DMARC1; ${above}`] },
    });
    expect((await run('bimi', zone, { domain: 'mail.example.com' })).slice(0, 2)).toEqual(expected);
  });

  it.each<[string, Zone, boolean | null]>([
    ['the policy is', dmarc, true],
    ['the policy is not', {}, false],
    ['the organizational domain is not', { '_dmarc.example.com': { text: ['v=DMARC1; p=none'] } }, false],
    ['the organizational domain did not answer', { '_dmarc.example.com': { text: '?' } }, null],
  ])('that is missing comes with whether DMARC is enforced: %s', async (name, zone, isEnforced) => {
    const own: Zone = name.startsWith('the org') ? { '_dmarc.mail.example.com': { text: ['v=DMARC1; p=reject'] } } : {};
    const check = checks.find(({ protocol }) => protocol === 'bimi')!;
    const found = await check.run(askZone({ ...zone, ...own }, true), { ...context, domain: 'mail.example.com' });
    expect(found).toMatchObject({ status: 'error', facts: { isEnforced } });
  });

  it('does not wait for an own sp that receivers do not ask for', async () => {
    const own = { '_dmarc.mail.example.com': { text: ['v=DMARC1; p=reject; sp=none'] } };
    const [status, sentence] = await run('bimi', bimi([record], own), { domain: 'mail.example.com' });
    expect([status, sentence]).toEqual(['warning', 'The BIMI logo has no certificate, so few providers show it.']);
  });

  it('is inherited from the organizational domain', async () =>
    expect((await run('bimi', bimi([record]), { domain: 'mail.example.com' }))[2]).toBe('example.com'));
});

describe('dane', () => {
  const OWN_SERVER =
    'Without MX records, mail goes to the address of example.com itself; ' +
    'DANE is checked for the hosts of MX records alone.';
  it.each<[string, Zone[string], string[]]>([
    ['no MX record and an address', { a: ['192.0.2.1'] }, [OWN_SERVER]],
    ['no MX record and no address', {}, []],
    ['a null MX and an address', { mx: [''], a: ['192.0.2.1'] }, []],
  ])('with %s, it says where mail goes', async (_, published, notes) => {
    const check = checks.find(({ protocol }) => protocol === 'dane')!;
    const finding = await check.run(askZone({ 'example.com': published }), context);
    expect(finding).toMatchObject({ status: 'unknown', details: 'The domain has no mail servers.' });
    expect(finding.notes ?? []).toEqual(notes);
  });

  const dane = (hosts: { [host: string]: Zone[string]['tlsa'] }, signed = true): Zone => ({
    'example.com': { mx: Object.keys(hosts), signed },
    ...Object.fromEntries(Object.entries(hosts).map(([host, tlsa]) => [`_25._tcp.${host}`, { tlsa }])),
  });
  const good = { records: [{}] };
  it.each<[string, Zone, unknown[], boolean?]>([
    ['no mail servers', {}, ['unknown', 'The domain has no mail servers.']],
    ['null MX', { 'example.com': { mx: [''] } }, ['unknown', 'The domain has no mail servers.']],
    ['no TLSA', dane({ 'mx.test': undefined }), ['error', 'The mail servers publish no DANE records.']],
    [
      'usages of the web',
      dane({ 'mx.test': { records: [{ usage: 1 }] } }),
      ['error', 'The mail servers publish no DANE records.'],
    ],
    [
      'a digest too short',
      dane({ 'mx.test': { records: [{ data: Buffer.alloc(20) }] } }),
      ['error', 'The mail servers publish no DANE records.'],
    ],
    [
      'TLSA not signed',
      dane({ 'mx.test': { ...good, secure: false } }),
      ['error', 'The mail servers publish no DANE records.'],
    ],
    ['MX not signed', dane({ 'mx.test': good }, false), ['error', 'The mail servers publish no DANE records.']],
    [
      'some hosts',
      dane({ 'a.test': good, 'b.test': undefined }),
      ['warning', 'Only 1 of 2 mail servers has DANE records.'],
    ],
    ['all hosts', dane({ 'a.test': good, 'b.test': good }), ['ok', 'All mail servers have matching DANE records.']],
    [
      'no validating resolver',
      dane({ 'a.test': good }),
      ['unknown', 'DANE could not be checked: no validating resolver.'],
      false,
    ],
    [
      'a server that could not be connected to',
      { ...dane({ 'a.test': good }), 'a.test': { shown: { kind: 'unknown', reason: 'it refused the connection' } } },
      ['ok', 'All mail servers have matching DANE records.'],
    ],
    [
      'another certificate on the second of three servers, the third without record',
      {
        ...dane({ 'a.test': good, 'b.test': good, 'c.test': undefined }),
        'a.test': { shown: { kind: 'unknown', reason: 'it refused the connection' } },
        'b.test': { shown: { kind: 'chains', chains: [[Buffer.from('another')]] } },
      },
      ['error', 'The DANE record of b.test does not match its certificate.'],
    ],
    [
      'another certificate, and then none',
      {
        ...dane({ 'a.test': good }),
        'a.test': {
          shown: { kind: 'chains', chains: [[Buffer.from('another')]] },
          shownThen: { kind: 'unknown', reason: 'it refused the connection' },
        },
      },
      ['ok', 'All mail servers have matching DANE records.'],
    ],
    [
      'another certificate where nothing is signed',
      {
        ...dane({ 'a.test': good }, false),
        'a.test': { shown: { kind: 'chains', chains: [[Buffer.from('another')]] } },
      },
      ['error', 'The mail servers publish no DANE records.'],
    ],
    ['silence', dane({ 'a.test': '?' }), UNREACHABLE],
    [
      'silence of the resolver about MX',
      { ...dane({ 'a.test': good }), 'example.com': { mx: ['a.test'], signed: '?' } },
      UNREACHABLE,
    ],
  ])('%s', async (_, zone, expected, isValidating) =>
    expect(await run('dane', zone, {}, isValidating)).toEqual(expected),
  );

  it('notes which server’s certificate was not compared, and why', async () => {
    const shown = { kind: 'unknown', reason: 'it refused the connection' } as const;
    const ask = askZone({ ...dane({ 'a.test': good, 'b.test': good }), 'b.test': { shown } });
    const found = await checks.find(({ protocol }) => protocol === 'dane')!.run(ask, context);
    expect(found.notes).toEqual(['The certificate of b.test could not be compared: it refused the connection.']);
  });
});
