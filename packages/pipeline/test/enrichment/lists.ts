import { labelsOf, type Address } from './address.ts';
import { dice } from './dice.ts';

type Tier = 0 | 1 | 2 | 3 | 4;

/** A blocklist of the test world, as an operator would describe it, and the shares of 10,000 addresses by answer. */
export interface TestList {
  id: string;
  rank: number;
  zone: string;
  zoneV6?: string;
  ingest: boolean;
  /** Of any answer where no codes are named. */
  tier?: Tier;
  category: string;
  codes?: { code: string; tier: Tier; category: string; meaning?: string }[];
  cleanCodes?: string[];
  delistUrl?: string;
  bogons?: true;
  /** Gives the reason in TXT records. */
  talks?: true;
  answers: [share: number, answer: string][];
}

const zenCodes = [
  { code: '127.0.0.30', tier: 4 as const, category: 'malware_c2', meaning: 'controllers' },
  { code: '127.0.0.9', tier: 4 as const, category: 'hijacked', meaning: 'stolen space' },
  { code: '127.0.0.2', tier: 3 as const, category: 'spam', meaning: 'spam sources' },
  { code: '127.0.0.10', tier: 2 as const, category: 'policy' },
];
const plain = '127.0.0.2';

export const lists: readonly TestList[] = [
  {
    id: 'zen',
    rank: 1,
    zone: 'zen.test',
    zoneV6: 'zen.test',
    ingest: true,
    category: 'spam',
    codes: zenCodes,
    tier: 3,
    delistUrl: 'https://zen.test/',
    talks: true,
    answers: [
      [250, plain],
      [80, '127.0.0.9'],
      [60, '127.0.0.30'],
      [150, '127.0.0.10'],
      [50, '127.0.0.2 127.0.0.10'],
      [30, '127.0.0.9 127.0.0.30'],
    ],
  },
  {
    id: 'bogons',
    rank: 2,
    zone: 'bogons4.test',
    zoneV6: 'bogons6.test',
    ingest: true,
    bogons: true,
    tier: 4,
    category: 'hijacked',
    answers: [[40, plain]],
  },
  { id: 'barrier', rank: 4, zone: 'barrier.test', ingest: true, tier: 3, category: 'spam', answers: [[250, plain]] },
  {
    id: 'cop',
    rank: 5,
    zone: 'cop.test',
    ingest: true,
    tier: 2,
    category: 'spam',
    talks: true,
    delistUrl: 'https://cop.test/why',
    answers: [[350, plain]],
  },
  { id: 'pot', rank: 6, zone: 'pot.test', ingest: true, tier: 2, category: 'spam', answers: [[250, '127.0.0.4']] },
  {
    id: 'proud',
    rank: 7,
    zone: 'proud.test',
    ingest: true,
    tier: 2,
    category: 'spam',
    answers: [
      [250, plain],
      [80, '127.255.255.254'],
    ],
  },
  {
    id: 'tired',
    rank: 9,
    zone: 'tired.silent.test',
    ingest: false,
    tier: 2,
    category: 'spam',
    answers: [
      [200, plain],
      [80, 'silence'],
    ],
  },
  {
    id: 'karma',
    rank: 12,
    zone: 'karma.test',
    ingest: false,
    category: 'spam',
    tier: 2,
    codes: [{ code: plain, tier: 2, category: 'spam', meaning: 'black' }],
    cleanCodes: ['127.0.0.1', '127.0.0.3'],
    answers: [
      [200, plain],
      [200, '127.0.0.1'],
      [80, '127.0.0.7'],
      [50, '127.0.0.3 127.0.0.2'],
    ],
  },
  { id: 'wide', rank: 15, zone: 'wide.test', ingest: false, tier: 1, category: 'network', answers: [[500, plain]] },
  {
    id: 'drone',
    rank: 17,
    zone: 'drone.test',
    ingest: false,
    tier: 1,
    category: 'abuse',
    answers: [[300, '127.0.0.9']],
  },
  {
    id: 'onion',
    rank: 18,
    zone: 'onion.test',
    ingest: false,
    tier: 1,
    category: 'tor',
    answers: [[80, '127.0.0.100']],
  },
  { id: 'homemade', rank: 30, zone: 'homemade.test', ingest: false, category: 'other', answers: [[250, plain]] },
];

/** Never queried: each fails its self-test in its own way. */
export const brokenLists: readonly TestList[] = [
  { id: 'world', rank: 3, zone: 'world.test', ingest: true, tier: 4, category: 'spam', answers: [] },
  { id: 'dead', rank: 8, zone: 'dead.test', ingest: true, tier: 3, category: 'spam', answers: [] },
  { id: 'closed', rank: 10, zone: 'closed.test', ingest: true, tier: 2, category: 'spam', answers: [] },
];

/** The answer of a list's zone about an address: addresses separated by blanks, `silence`, or nothing. */
export function answerOf({ id, answers }: TestList, { index }: Pick<Address, 'index'>): string | undefined {
  let left = dice(index, `list ${id}`);
  for (const [share, answer] of answers) if ((left -= share) < 0) return answer;
  return undefined;
}

export function textOf({ id, talks }: TestList, { ip }: Address): string | undefined {
  return talks && `See https://${id}.test/?ip=${ip}`;
}

/** The lines of a list's zones for these addresses. */
export function zonesOf(list: TestList, addresses: readonly Address[]): { zone: string; line: string }[] {
  return addresses.flatMap((address) => {
    const zone = address.family === 4 ? list.zone : list.zoneV6;
    const answer = zone !== undefined && address.isPublic ? answerOf(list, address) : undefined;
    if (zone === undefined || answer === undefined || answer === 'silence') return [];
    const name = labelsOf(address);
    const text = textOf(list, address);
    return [
      ...answer.split(' ').map((data) => ({ zone, line: `${name} A ${data}` })),
      ...(text ? [{ zone, line: `${name} TXT "${text}"` }] : []),
    ];
  });
}

/** The file that an operator would write. */
export function blocklistsFile(): string {
  return JSON.stringify({
    built_in: false,
    lists: [...lists, ...brokenLists].map((list) => ({
      id: list.id,
      name: nameOf(list),
      rank: list.rank,
      zone: list.zone,
      zone_v6: list.zoneV6,
      ingest: list.ingest,
      tier: list.tier,
      category: list.category,
      codes: list.codes,
      clean_codes: list.cleanCodes,
      delist_url: list.delistUrl,
      self_test: list.bogons && 'bogons',
    })),
  });
}

export function nameOf({ id }: TestList): string {
  return `The ${id} list`;
}
