import type { DnsBehaviour, FaultDns, SeenQuestion } from '@dmarc-ledger/testkit';
import type { Answer } from 'dns-packet';

/** How one server of the zone answers a question that it was asked `n` times before. Undefined: correctly. */
export type Manner = (question: SeenQuestion, n: number) => DnsBehaviour | undefined;

const soa: Answer = {
  type: 'SOA',
  name: 'firm.com',
  ttl: 60,
  data: { mname: 'ns1.firm.com', rname: 'x.firm.com', serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 60 },
};
const absent: DnsBehaviour = { rcode: 3, authorities: [soa] };
const text = (name: string, data: string): Answer => ({ type: 'TXT', name, ttl: 60, data });
const RECORD = 'v=DMARC1; p=reject; rua=mailto:rua@ledger.example';

/** The real zone: reports are requested, and nothing else is published. */
function honest({ name, type }: SeenQuestion): DnsBehaviour {
  return name === '_dmarc.firm.com' && type === 'TXT' ? { answers: [text(name, RECORD)] } : absent;
}

/** A resolver that knows the two servers of the zone, and above it those of com, which are the same. */
export function resolver({ name, type }: SeenQuestion): DnsBehaviour {
  const ns = (host: string): Answer => ({ type: 'NS', name, ttl: 60, data: host });
  const a = (data: string): Answer => ({ type: 'A', name, ttl: 60, data });
  if (type === 'NS' && ['firm.com', 'vendor.com', 'com'].includes(name))
    return { answers: [ns('ns1.firm.com'), ns('ns2.firm.com')] };
  if (type === 'A' && name === 'ns1.firm.com') return { answers: [a('127.0.0.3')] };
  if (type === 'A' && name === 'ns2.firm.com') return { answers: [a('127.0.0.4')] };
  return { authoritative: false, rcode: 3 };
}

/** Makes this server answer that way from now on. */
export function behave(server: FaultDns, manner: Manner = () => undefined): void {
  const asked = new Map<string, number>();
  server.scenario['*'] = (question) => {
    const text = `${question.type} ${question.name}`;
    const n = asked.get(text) ?? 0;
    asked.set(text, n + 1);
    return manner(question, n) ?? honest(question);
  };
}

const always =
  (behaviour: DnsBehaviour): Manner =>
  () =>
    behaviour;
const every =
  (one: DnsBehaviour | undefined, other: DnsBehaviour | undefined): Manner =>
  (_, n) =>
    n % 2 === 0 ? one : other;
const honestly: Manner = () => undefined;
const junk = (query: Buffer) => Buffer.concat([query.subarray(0, 2), Buffer.alloc(20, 0xff)]);
const overTcp =
  (udp: DnsBehaviour, tcp: DnsBehaviour | undefined): Manner =>
  (question) =>
    question.tcp ? tcp : udp;
const other: Manner = ({ name, type }) =>
  name === '_dmarc.firm.com' && type === 'TXT'
    ? { answers: [text(name, 'v=DMARC1; p=none; rua=mailto:rua@elsewhere.example')] }
    : undefined;

/** The record is in another zone, where both servers have it; the SOA record of the first zone comes with the alias. */
const delegated =
  (more: DnsBehaviour): Manner =>
  ({ name, type }) => {
    const there = 'firm._dmarc.vendor.com';
    if (name === there && type === 'TXT') return { answers: [text(there, RECORD)] };
    if (name !== '_dmarc.firm.com') return undefined;
    return { answers: [{ type: 'CNAME', name, ttl: 60, data: there }], ...more };
  };

const dangling: Manner = ({ name }) =>
  name === '_dmarc.firm.com' ? { answers: [{ type: 'CNAME', name, ttl: 60, data: 'gone.firm.com' }] } : undefined;

export const SILENCE_MS = 500;
const both = (manner: Manner): [Manner, Manner] => [manner, manner];
const drop = always({ drop: true });
const late = always({ ...absent, delayMs: 2 * SILENCE_MS });
const refused = always({ rcode: 5 });
const servfail = always({ rcode: 2 });
const nxdomain = always(absent);
const lame = always({ rcode: 3, authoritative: false });
const upward = always({
  authoritative: false,
  authorities: [{ type: 'NS', name: '.', ttl: 60, data: 'a.root.example' }],
});

/**
 * How both servers answer for an hour, the state that is shown then, and how long to wait where silence is a part of
 * it.
 */
export const manners: [string, Manner, Manner, string, number?][] = [
  ['one denies what the other has', nxdomain, honestly, 'verified'],
  ['the other denies it', honestly, nxdomain, 'verified'],
  ['they deny it in turn', every(absent, undefined), every(undefined, absent), 'verified'],
  ['one has nothing of the kind at a name that is there', always({ authorities: [soa] }), honestly, 'verified'],
  ['an alias comes with the SOA record of its own zone', ...both(delegated({ authorities: [soa] })), 'verified'],
  ['and with a denial', ...both(delegated({ authorities: [soa], rcode: 3 })), 'verified'],
  ['both deny it, and do not say of which zone', ...both(always({ rcode: 3, authorities: [] })), 'unconfirmed'],
  [
    'both deny it by another zone',
    ...both(always({ rcode: 3, authorities: [{ ...soa, name: 'else.com' }] })),
    'unconfirmed',
  ],
  ['one is away', drop, honestly, 'verified', SILENCE_MS],
  ['both answer every other time', every({ rcode: 2 }, undefined), every(undefined, { rcode: 2 }), 'verified'],
  ['both answer slowly', late, late, 'unconfirmed', SILENCE_MS],
  [
    'answers are cut over UDP',
    overTcp({ truncated: true }, undefined),
    overTcp({ truncated: true }, undefined),
    'verified',
  ],
  ['a forger answers first', (q) => ({ ...honest(q), forged: ['id', 'question', 'query'] }), honestly, 'verified'],
  ['one has another record', other, honestly, 'multiple_records'],
  ['one has it, the other an alias that leads nowhere', honestly, dangling, 'verified'],
  ['one has an alias that leads nowhere, the other has it', dangling, honestly, 'verified'],
  ['one has it, the other an alias to the same', honestly, delegated({}), 'verified'],
  ['one denies it, the other is away', nxdomain, drop, 'unconfirmed', SILENCE_MS],
  ['one denies it, the other fails', servfail, nxdomain, 'unconfirmed'],
  ['one denies it, the other refuses', nxdomain, refused, 'unconfirmed'],
  ['both are away', drop, drop, 'unconfirmed', SILENCE_MS],
  ['both refuse', refused, refused, 'unconfirmed'],
  ['both fail', servfail, servfail, 'unconfirmed'],
  ['both deny it, and do not speak for the zone', lame, lame, 'unconfirmed'],
  ['one denies it, the other does not speak for the zone', nxdomain, lame, 'unconfirmed'],
  ['one has it, the other refers to the servers of the root', honestly, upward, 'verified'],
  ['one refers to the servers of the root, the other has it', upward, honestly, 'verified'],
  ['one denies it, the other refers to the servers of the root', nxdomain, upward, 'unconfirmed'],
  ['both refer to the servers of the root', upward, upward, 'unconfirmed'],
  ['both say what cannot be read', always({ raw: junk }), always({ raw: junk }), 'unconfirmed'],
  [
    'cut answers cannot be had in full',
    overTcp({ truncated: true }, { closed: true }),
    overTcp({ truncated: true }, { closed: true }),
    'unconfirmed',
  ],
  [
    'answers are to other questions',
    always({ forged: ['id', 'question'], raw: (q) => q }),
    always({ raw: (q) => q }),
    'unconfirmed',
    SILENCE_MS,
  ],
];
