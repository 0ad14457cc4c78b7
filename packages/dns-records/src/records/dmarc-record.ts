import { cutText, isOneOf, present, type DmarcPolicy, codesOf, dmarcPolicies } from '@dmarc-ledger/vocabulary';
import { isReportUri, readReportUris, type ReportUri } from './report-address.ts';
import { readTagList } from './tag-list.ts';

/** A DMARC record as receivers read it. (RFC 9989, 4.7; RFC 7489, 6.3 for what has been removed since) */
export interface DmarcRecord {
  text: string;
  p: DmarcPolicy;
  sp: DmarcPolicy | undefined;
  np: DmarcPolicy | undefined;
  /** RFC 7489: the percentage of failing mail that the policy applies to; 100 without it. */
  pct: number;
  /** The policy is in test mode: it is applied one level lower. */
  t: boolean;
  psd: 'y' | 'n' | 'u';
  rua: ReportUri[];
  ruf: ReportUri[];
  /** Set where a policy is written wrongly, so that it is none: what is wrong. */
  fault?: string;
  /** Oddities without consequence. */
  notes: string[];
}

/** A record that receivers ignore, and why. */
export interface BrokenRecord {
  text: string;
  reason: string;
}

const POLICIES = codesOf(dmarcPolicies);
const KNOWN = new Set(['v', 'p', 'sp', 'np', 'adkim', 'aspf', 'fo', 'rua', 'ruf', 'psd', 't', 'pct', 'ri', 'rf']);
const REMOVED = ['pct', 'ri', 'rf'];
/** Characters of a value that a note shows. */
const LONGEST_SHOWN = 30;
/** The values of other tags; receivers ignore any other one, and use the default. (RFC 9989, 4.7; RFC 7489, 6.3) */
const VALUES: readonly { name: string; known: RegExp; otherwise: string }[] = [
  { name: 'adkim', known: /^[rs]$/i, otherwise: 'r' },
  { name: 'aspf', known: /^[rs]$/i, otherwise: 'r' },
  { name: 'fo', known: /^[01ds](?:[ \t]*:[ \t]*[01ds])*$/i, otherwise: '0' },
  { name: 'psd', known: /^[ynu]$/i, otherwise: 'u' },
  { name: 't', known: /^[yn]$/i, otherwise: 'n' },
  { name: 'pct', known: /^(?:\d{1,2}|100)$/, otherwise: '100' },
];

/**
 * Reads a candidate. Without a valid `p` it counts as `p=none` if it has a well-formed URI for reports, and as no
 * record if it does not. (RFC 9989, 4.10.1)
 */
export function readDmarcRecord(text: string): DmarcRecord | BrokenRecord {
  const { tags, repeated, broken } = readTagList(text);
  const policyOf = (name: string) => {
    const value = tags.get(name)?.toLowerCase();
    return isOneOf(POLICIES, value) ? value : undefined;
  };
  const rua = readReportUris(tags.get('rua'));
  const p = policyOf('p');
  const isWrong = ['p', 'sp', 'np'].find((name) => tags.has(name) && policyOf(name) === undefined);
  const notAPolicy = (name: string) => `${name}=${cutText(present(tags.get(name)), LONGEST_SHOWN)} is not a policy`;
  const asks = rua.some(isReportUri);
  if ((p === undefined || isWrong !== undefined) && !asks) {
    return { text, reason: isWrong ? notAPolicy(isWrong) : 'p is missing' };
  }
  return {
    text,
    p: isWrong ? 'none' : (p ?? 'none'),
    sp: isWrong ? undefined : policyOf('sp'),
    np: isWrong ? undefined : policyOf('np'),
    pct: readPercentage(tags.get('pct')),
    t: tags.get('t')?.toLowerCase() === 'y',
    psd: readPsd(tags.get('psd')),
    rua,
    ruf: readReportUris(tags.get('ruf')),
    ...(isWrong && { fault: notAPolicy(isWrong) }),
    notes: [
      ...(/^[ \t\r\n]/.test(text) ? ['white space stands before v=DMARC1, so that some receivers read no record'] : []),
      ...(isWrong ? [`${notAPolicy(isWrong)}, so the policy is none`] : []),
      ...(p === undefined && !isWrong ? ['p is missing, so the policy is none'] : []),
      ...repeated.map((name) => `${name} appears twice; the first counts`),
      ...broken.map((piece) => `${piece} is not a tag`),
      ...[...tags.keys()].filter((name) => !KNOWN.has(name)).map((name) => `${name} is not known`),
      ...(p !== undefined && [...tags.keys()].indexOf('p') > 1
        ? ['p is not the second tag, so that receivers that follow RFC 7489 may read no record']
        : []),
      ...ignoredValues(tags),
      ...REMOVED.filter((name) => tags.has(name)).map((name) => `${name} has been removed from the standard`),
      ...weakerNp(policyOf('np'), policyOf('sp') ?? p),
      ...rua.filter(({ hasSize }) => hasSize).map(({ text: uri }) => `the size in ${uri} is ignored`),
    ],
  };
}

export function isBroken(record: DmarcRecord | BrokenRecord): record is BrokenRecord {
  return 'reason' in record;
}

function ignoredValues(tags: ReadonlyMap<string, string>): string[] {
  const ignored = VALUES.filter(({ name, known }) => tags.has(name) && !known.test(present(tags.get(name))));
  return ignored.map(
    ({ name, otherwise }) =>
      `receivers ignore ${name}=${cutText(present(tags.get(name)), LONGEST_SHOWN)} and use ${name}=${otherwise}`,
  );
}

const POLICY_ORDER: { readonly [policy in DmarcPolicy]: number } = { none: 0, quarantine: 1, reject: 2 };

function weakerNp(np: DmarcPolicy | undefined, others: DmarcPolicy = 'none'): string[] {
  if (np === undefined || POLICY_ORDER[np] >= POLICY_ORDER[others]) return [];
  return [`np=${np} leaves names that do not exist easier to forge than others, which have ${others}`];
}

/** Ignores a value that is not a percentage, as receivers do. */
function readPercentage(text: string | undefined): number {
  const value = /^\d{1,3}$/.test(text ?? '') ? Number(text) : 100;
  return Math.min(value, 100);
}

function readPsd(text: string | undefined): 'y' | 'n' | 'u' {
  const value = text?.toLowerCase();
  return value === 'y' || value === 'n' ? value : 'u';
}
