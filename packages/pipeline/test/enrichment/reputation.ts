import type { ReputationReply } from '@dmarc-ledger/testkit';
import type { Address } from './address.ts';
import { dice, pick } from './dice.ts';

/** What the reputation service knows of an address; undefined: it has no score for it. */
export interface Score {
  score: number;
  reports: number;
  /** The service's own numbers. */
  categories: number[];
  usage?: string;
  isTor: boolean;
  lastReported?: string;
  isp?: string;
  country?: { code: string; name: string };
}

const scores = [
  [5_400, 0],
  [800, 12],
  [300, 24],
  [500, 25],
  [800, 74],
  [500, 75],
  [500, 100],
  [1_200, undefined],
] as const;

const usages = [
  [2_500, 'Data Center/Web Hosting/Transit'],
  [3_000, 'Fixed Line ISP'],
  [150, 'Tor Exit Node'],
  [300, 'VPN Provider'],
  [4_050, undefined],
] as const;

const categories: readonly (readonly [number, readonly number[]])[] = [
  [3_000, [18, 22]],
  [2_000, [11]],
  [300, [9, 11, 99]],
  [4_700, []],
];

/** By number, as far as the world uses them. */
export const categoryNames: { [number: number]: string } = {
  9: 'Open Proxy',
  11: 'Email Spam',
  18: 'Brute-Force',
  22: 'SSH',
  99: 'Category 99',
};

export function scoreOf({ index, isPublic }: Address): Score | undefined {
  const score = isPublic ? pick(index, 'score', scores) : undefined;
  if (score === undefined) return undefined;
  const usage = pick(index, 'usage', usages);
  const isKnown = dice(index, 'isp') < 5_000;
  const reports =
    score === 0
      ? 0
      : pick(index, 'reports', [
          [2_000, 0],
          [2_000, 1],
          [6_000, 1_234],
        ] as const);
  return {
    score,
    reports,
    categories: [...pick(index, 'categories', categories)],
    ...(usage && { usage }),
    isTor: dice(index, 'tor') < 100,
    ...(reports > 0 && { lastReported: '2026-01-05T06:07:08+00:00' }),
    ...(isKnown && { isp: 'Told by others', country: { code: 'NL', name: 'Netherlands' } }),
  };
}

/** It does not rate some addresses, and fails for others. */
export function replyOf(address: Address): ReputationReply {
  const score = scoreOf(address);
  if (!score) return { status: address.index % 7 === 0 ? 500 : 422 };
  const { categories: kinds, country } = score;
  return {
    data: {
      ipAddress: address.ip,
      abuseConfidenceScore: score.score,
      totalReports: score.reports,
      reports: kinds.length > 0 ? [{ categories: kinds }, { categories: kinds.slice(0, 1) }] : [],
      usageType: score.usage ?? null,
      isTor: score.isTor,
      lastReportedAt: score.lastReported ?? null,
      isp: score.isp ?? null,
      countryCode: country?.code ?? null,
      countryName: country?.name ?? null,
      hostnames: ['never-believed.test'],
    },
  };
}
