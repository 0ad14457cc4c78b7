import { createHash } from 'node:crypto';
import { dayOf, type Day, type DkimKeyKind } from '@dmarc-ledger/vocabulary';
import type { Ask } from '../ask.ts';
import { askForKey, type PublishedKey } from './published-key.ts';
import { keyName, type Selector } from './selector.ts';

/** What checks know about the key of a selector; stored with the domain. */
export interface KeptKey {
  domain: string;
  selector: string;
  kind: DkimKeyKind;
  /** RSA keys only. */
  bits: number | null;
  isTesting: boolean;
  /** Tells one record from another. */
  hash: string;
  /** When a check first saw what is published now, in milliseconds since 1970. */
  since: number;
  /** True if an earlier check saw another key at this name, so that the key is not older than `since`. */
  isReplaced: boolean;
  readAt: number;
  /** While nothing is published: what was before, which is as old as ever when it is back. */
  last?: Appearance;
}

/** Since when a record is published. */
type Appearance = Pick<KeptKey, 'hash' | 'since' | 'isReplaced'>;

/** The keys that are kept, and those of them that are asked for again though no mail carries their selector now. */
export const KEPT_KEYS = { kept: 60, askedAgain: 10 } as const;

/**
 * Asks for the keys of the selectors in use, and of some that were published before, and returns all that is known. A
 * key that is not answered stays as it was. (rules, dkim-keys/age)
 */
export async function readKeys(
  ask: Ask,
  selectors: readonly Selector[],
  before: readonly KeptKey[],
  now: Date,
): Promise<KeptKey[]> {
  const known = new Map(before.map((key) => [keyName(key), key]));
  const used = new Set(selectors.map(keyName));
  const others = before.filter((key) => !used.has(keyName(key)));
  const again = others.filter(({ kind }) => kind !== 'absent').slice(0, KEPT_KEYS.askedAgain);
  const asked = await Promise.all(
    [...selectors, ...again].map(async (selector) => {
      const published = await askForKey(ask, selector);
      return keyAfter(selector, published, known.get(keyName(selector)), now);
    }),
  );
  const rest = others.filter((key) => !again.includes(key)).toSorted((a, b) => b.readAt - a.readAt);
  return [...asked.filter((key) => key !== undefined), ...rest].slice(0, KEPT_KEYS.kept);
}

function keyAfter(
  { domain, selector }: Selector,
  { key, record = '' }: PublishedKey,
  before: KeptKey | undefined,
  now: Date,
): KeptKey | undefined {
  if (key.kind === 'unconfirmed') return before;
  const hash = record === '' ? '' : createHash('sha256').update(record).digest('hex').slice(0, 32);
  const isGone = key.kind === 'absent' || key.kind === 'revoked';
  const last = before && lastOf(before);
  const same = [before, last].find((each) => each?.hash === hash);
  return {
    domain,
    selector,
    kind: key.kind,
    bits: key.kind === 'rsa' ? key.bits : null,
    isTesting: 'isTesting' in key && key.isTesting,
    hash,
    since: same?.since ?? now.getTime(),
    isReplaced: same?.isReplaced ?? before !== undefined,
    readAt: now.getTime(),
    ...(isGone && last && { last }),
  };
}

/** The key that a check saw last, whether or not it is still published. */
function lastOf({ kind, hash, since, isReplaced, last }: KeptKey): Appearance | undefined {
  return kind === 'absent' || kind === 'revoked' ? last : { hash, since, isReplaced };
}

/** The first day on which a check saw that a key is gone; undefined for one that is published, if only a broken one. */
export function goneSince(kept: KeptKey | undefined): Day | undefined {
  if (kept?.kind !== 'absent' && kept?.kind !== 'revoked') return undefined;
  return dayOf(Math.floor(kept.since / 1_000));
}
