import { hash } from 'node:crypto';
import { DAY_ONE, reportXml, type DescribedReport } from '@dmarc-ledger/testkit';

type Records = NonNullable<DescribedReport['records']>;

/** The reports of a world: each is one identity, of which four differing copies exist. */
export interface WorldReports {
  /** The bytes of a copy, in the way it arrives: a tool that kept it has cut its id. */
  copy(report: number, copy: number, way: Way): Buffer;
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
    // forwarded, once s1 has passed
    const relayed = { ip: a, count: 3 + report, spfDomain: 'lists.other.example', spfResult: 'pass' };
    const plain: Records = [relayed, { ip: b, count: 10, dkim: 'pass' }];
    const copies: Records[] = [
      plain,
      [...plain, { ip: c, count: 4, reason: 'mailing_list' }],
      [
        { ip: d, count: 900, reason: 'forwarded' },
        { ip: a, count: 5, spf: 'pass' },
      ],
      [{ ip: b, count: 0 }, { ip: c, count: 7 + copy, reason: 'forwarded' }, relayed],
    ];
    return copies[copy] ?? plain;
  };
  return {
    addresses,
    copy: (report, copy, way) =>
      reportXml({
        id: `world-${world}-${report}${way === 'import' ? '' : '@reporter.example'}`,
        domain: report % 2 === 0 ? 'even.example' : 'odd.example',
        begin: DAY_ONE + (report >> 1) * DAY,
        records: recordsOf(report, copy),
      }),
  };
}

/** How a copy arrives: as a file, or in a mail that passed as the reporter, failed, or was not checked. */
export const SENT_WAYS = ['file', 'pass', 'fail', 'unchecked'] as const;
/** The same, or from a tool that kept it. */
export const WAYS = [...SENT_WAYS, 'import'] as const;
export type Way = (typeof WAYS)[number];

/** A copy of a report, and all ways in which its content arrived: an import is the only way of its content. */
export interface ArrivedCopy {
  copy: number;
  content: Buffer;
  ways: ReadonlySet<Way>;
}

/** What the ways of a copy say of its reporter: the best of them counts. (rules, copies/mail-of-the-reporter) */
function evidenceOf({ ways }: ArrivedCopy): boolean | null {
  if (ways.has('pass')) return true;
  return ways.has('import') || ways.has('file') || ways.has('unchecked') ? null : false;
}

const isUnproven = ({ ways }: ArrivedCopy) => ways.has('import');

/**
 * The copy that must count: not an import, where another one came; one that proved its reporter; not the first one
 * where the second came, which has all its records and more; one that came by mail; the one with the smallest hash.
 * (rules, copies/choice-of-a-copy)
 */
export function countedCopy(
  copies: readonly ArrivedCopy[],
): { sha256: string; isUnauthenticated: boolean } | undefined {
  const passed = (copy: ArrivedCopy) => evidenceOf(copy) === true;
  const isContained = (one: ArrivedCopy) =>
    one.copy === 0 &&
    copies.some(
      (other) =>
        other.copy === 1 && isUnproven(other) === isUnproven(one) && Number(passed(other)) >= Number(passed(one)),
    );
  const isMail = ({ ways }: ArrivedCopy) => [...ways].some((way) => way !== 'file' && way !== 'import');
  const rank = (copy: ArrivedCopy) =>
    [isUnproven(copy), !passed(copy), isContained(copy), !isMail(copy)].map(Number).join('') +
    hash('sha256', copy.content, 'hex');
  const [best] = copies.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
  return best && { sha256: hash('sha256', best.content, 'hex'), isUnauthenticated: evidenceOf(best) === false };
}

/** Whether only failing mail has brought a copy: an organization may hold it. */
export function isDoubtful(copy: ArrivedCopy): boolean {
  return evidenceOf(copy) === false;
}
