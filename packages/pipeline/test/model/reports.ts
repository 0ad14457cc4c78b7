import { hash } from 'node:crypto';
import { DAY_ONE, reportXml, type DescribedReport } from '@dmarc-ledger/testkit';

type Records = NonNullable<DescribedReport['records']>;

/** The reports of a world: each is one identity, of which four differing copies exist. */
export interface WorldReports {
  /** The bytes of a copy. */
  copy(report: number, copy: number): Buffer;
  addresses: string[];
}

export const REPORTS = 4;
export const COPIES = 4;
const DAY = 86_400;

/** Reports about two domains, on two days, from four addresses that no other world uses. */
export function worldReports(world: number): WorldReports {
  const addresses = [1, 2, 3, 4].map((last) => `45.${(world >> 8) & 255}.${world & 255}.${last}`);
  const [a, b, c, d] = addresses as [string, string, string, string];
  const recordsOf = (report: number, copy: number): Records => {
    const plain: Records = [
      // forwarded, once s1 has passed
      { ip: a, count: 3 + report, spfDomain: 'lists.other.example', spfResult: 'pass' },
      { ip: b, count: 10, dkim: 'pass' },
    ];
    const copies: Records[] = [
      plain,
      [...plain, { ip: c, count: 4, reason: 'mailing_list' }],
      [
        { ip: d, count: 900, reason: 'forwarded' },
        { ip: a, count: 5, spf: 'pass' },
      ],
      [
        { ip: b, count: 0 },
        { ip: c, count: 7 + copy, reason: 'forwarded' },
      ],
    ];
    return copies[copy] ?? plain;
  };
  return {
    addresses,
    copy: (report, copy) =>
      reportXml({
        id: `world-${world}-${report}`,
        domain: report % 2 === 0 ? 'even.example' : 'odd.example',
        begin: DAY_ONE + (report >> 1) * DAY,
        records: recordsOf(report, copy),
      }),
  };
}

/**
 * The copy that must count of those that came as files: not the first one where the second came, which has all its
 * records and more; else the one with the smallest hash. (rules, copies/choice-of-a-copy)
 */
export function countedCopy(copies: readonly { copy: number; content: Buffer }[]): string | undefined {
  const contained = copies.some(({ copy }) => copy === 1);
  return copies
    .filter(({ copy }) => !(copy === 0 && contained))
    .map(({ content }) => hash('sha256', content, 'hex'))
    .toSorted()
    .at(0);
}
