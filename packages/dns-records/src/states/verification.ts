import type { verificationStates } from '@dmarc-ledger/vocabulary';
import type { Found } from '../ask.ts';
import { isOurs, readReportUris } from '../records/report-address.ts';
import { candidatesOf, readTagList, strictCandidatesOf, strictValueOf } from '../records/tag-list.ts';
import type { DmarcWalk } from '../records/tree-walk.ts';

export type VerificationState = (typeof verificationStates)[number]['code'];

/** A state as one check found it, with its record. */
export interface Verification {
  state: VerificationState;
  /** The judged text; null if there is none. */
  record: string | null;
  /** The domain whose record applies, if that is another. */
  inheritedFrom: string | null;
}

const unconfirmed: Verification = { state: 'unconfirmed', record: null, inheritedFrom: null };

/**
 * Checks whether aggregate reports (`rua`) or failure reports (`ruf`) reach us. (rules,
 * domain-checks/verification-states)
 */
export function verifyDmarc(
  domain: string,
  walk: DmarcWalk,
  tag: 'rua' | 'ruf',
  ours: readonly string[],
): Verification {
  const { own, applied, broken, isUnconfirmed } = walk;
  if (isUnconfirmed) return unconfirmed;
  if (own.length > 1) return { state: 'multiple_records', record: own.join('\n'), inheritedFrom: null };
  if (broken && tag === 'rua') return { state: 'published_not_ours', record: broken.text, inheritedFrom: null };
  if (!applied) return { state: 'not_published', record: own[0] ?? null, inheritedFrom: null };
  const { record, at } = applied;
  const isOwn = at === domain;
  const inheritedFrom = isOwn ? null : at;
  // a public suffix may only request failure reports about its own mail (RFC 9991, 2)
  const uris = tag === 'ruf' && record.psd === 'y' && !isOwn ? [] : record[tag];
  if (tag === 'ruf' && uris.length === 0) return { state: 'not_published', record: record.text, inheritedFrom };
  if (!isOurs(uris, ours)) return { state: 'published_not_ours', record: record.text, inheritedFrom };
  return { state: isOwn ? 'verified' : 'verified_inherited', record: record.text, inheritedFrom };
}

/** Checks whether TLS reports reach us. They are not inherited. (RFC 8460, 3) */
export function verifyTlsRpt(answer: Found<string>, ours: readonly string[]): Verification {
  if (answer.kind === 'unconfirmed') return unconfirmed;
  const records = answer.kind === 'found' ? strictCandidatesOf(answer.values, 'TLSRPTv1') : [];
  return judgeAlone(records, ours, (text) => strictValueOf(text, 'rua'));
}

/** Checks whether placement reports reach us, over all queried names. */
export function verifyAprf(answers: readonly Found<string>[], ours: readonly string[]): Verification {
  const found = answers.map((answer) => (answer.kind === 'found' ? candidatesOf(answer.values, 'APRFv1') : []));
  const several = found.find((candidates) => candidates.length > 1);
  if (several) return { state: 'multiple_records', record: several.join('\n'), inheritedFrom: null };
  const judged = found.flat().map((text) => judgeAlone([text], ours, aprfRua));
  const best = judged.find(({ state }) => state === 'verified') ?? judged[0];
  if (best) return best;
  return answers.some(({ kind }) => kind === 'unconfirmed') ? unconfirmed : judgeAlone([], ours, aprfRua);
}

/** Drafts of APRF write `rua:mailto:…`. */
function aprfRua(text: string): string | undefined {
  return readTagList(text.replace(/(;\s*)rua:/, '$1rua=')).tags.get('rua');
}

function judgeAlone(
  candidates: readonly string[],
  ours: readonly string[],
  ruaOf: (text: string) => string | undefined,
): Verification {
  const [text] = candidates;
  if (text === undefined) return { state: 'not_published', record: null, inheritedFrom: null };
  if (candidates.length > 1) return { state: 'multiple_records', record: candidates.join('\n'), inheritedFrom: null };
  const uris = readReportUris(ruaOf(text));
  return { state: isOurs(uris, ours) ? 'verified' : 'published_not_ours', record: text, inheritedFrom: null };
}
