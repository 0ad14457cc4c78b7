import { present, type DkimKeyFact } from '@dmarc-ledger/vocabulary';
import { askForKey, type PublishedKey } from '../keys/published-key.ts';
import type { DkimKey } from '../records/dkim-key.ts';
import { keyName, type Selector } from '../keys/selector.ts';
import { finding, UNREACHABLE, type Check, type Finding } from './check.ts';
import { details } from './details.ts';

type Published = Selector & PublishedKey;
type RsaKey = Selector & { key: Extract<DkimKey, { kind: 'rsa' }> };

/** So many keys that cannot be used are noted. */
const NOTES = 5;
const IGNORED_BELOW = 1_024;
const WEAK_BELOW = 2_048;

/**
 * Checks the keys of the selectors in the domain's reports. (RFC 6376, 3.6.1; RFC 8301; rules, domain-checks/dkim-keys)
 */
export const dkimCheck: Check = {
  protocol: 'dkim',
  names: (_, { selectors }) => selectors.map(keyName),
  async run(ask, { domain, selectors }) {
    if (selectors.length === 0)
      return {
        status: 'unknown',
        details: details.dkimUnknown(),
        hasRecord: false,
        facts: [], // of no key, so no fault of one goes on
      };
    const published = await Promise.all(
      selectors.map(async (selector) => ({ ...selector, ...(await askForKey(ask, selector)) })),
    );
    return { ...judgeKeys(domain, withoutRetired(published)), facts: published.map(factOf) };
  },
};

/** A retired selector needs no key; where all are retired, the keys of all are judged. */
function withoutRetired(published: readonly Published[]): readonly Published[] {
  const isGone = ({ isRetired = false, key }: Published) =>
    isRetired && key.kind !== 'rsa' && key.kind !== 'ed25519' && key.kind !== 'unconfirmed';
  const judged = published.filter((each) => !isGone(each));
  return judged.length > 0 ? judged : published;
}

function factOf({ domain, selector, isRetired, key }: Published): DkimKeyFact {
  const bits = key.kind === 'rsa' && { bits: key.bits };
  return { domain, selector, ...(isRetired && { isRetired }), kind: key.kind, ...bits };
}

function judgeKeys(domain: string, published: readonly Published[]): Finding {
  const n = published.length;
  const known = published.filter(({ key }) => key.kind !== 'unconfirmed');
  if (known.length === 0) return UNREACHABLE;
  const usable = known.filter(({ key }) => key.kind === 'rsa' || key.kind === 'ed25519');
  const records = published.flatMap(({ record }) => record ?? []);
  const isInherited = usable.length > 0 && usable.every((each) => each.domain !== domain);
  const notes = known
    .flatMap(({ key, ...named }) => (key.kind === 'unusable' ? [{ name: keyName(named), reason: key.reason }] : []))
    .slice(0, NOTES)
    .map(({ name, reason }) => `receivers ignore the key ${name}: ${reason}`);
  const more = {
    records,
    notes,
    ...(known.length < n && { isPartial: true }),
    ...(isInherited && { inheritedFrom: present(usable[0]).domain }),
    hasRecord: records.length > 0,
  };
  if (usable.length === 0 && known.length < n) return UNREACHABLE;
  if (usable.length === 0) return finding('error', details.dkimMissing({ count: n }), more);
  const rsa = usable
    .filter((each): each is RsaKey => each.key.kind === 'rsa')
    .toSorted((a, b) => a.key.bits - b.key.bits);
  const ignored = rsa.find(({ key }) => key.bits < IGNORED_BELOW);
  if (ignored)
    return finding('error', details.dkimIgnored({ selector: ignored.selector, bits: ignored.key.bits }), more);
  const rejected = known.length - usable.length;
  if (rejected > 0) return finding('warning', details.dkimRejected({ rejected, count: n }), more);
  const weak = rsa.find(({ key }) => key.bits < WEAK_BELOW);
  if (weak) return finding('warning', details.dkimWeak({ selector: weak.selector, bits: weak.key.bits }), more);
  const tested = usable.find(({ key }) => 'isTesting' in key && key.isTesting);
  if (tested) return finding('warning', details.dkimTested(tested), more);
  const good = usable.length; // nothing is known of the others
  return finding('ok', details.dkimGood({ count: good }), more);
}
