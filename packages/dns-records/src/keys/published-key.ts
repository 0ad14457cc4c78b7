import { present } from '@dmarc-ledger/vocabulary';
import type { Ask } from '../ask.ts';
import { readDkimKey, type DkimKey } from '../records/dkim-key.ts';
import { recordsAt } from '../records/servers-differ.ts';
import { readTagList } from '../records/tag-list.ts';
import { keyName, type Selector } from './selector.ts';

/** What is published at the name of a selector. */
export interface PublishedKey {
  key: DkimKey | { kind: 'absent' } | { kind: 'unconfirmed' };
  /** The text; the first one where there are several. */
  record?: string;
}

/** Asks for the key of a selector. (RFC 6376, 3.6.2; rules, domain-checks/dkim-keys) */
export async function askForKey(ask: Ask, key: Pick<Selector, 'domain' | 'selector'>): Promise<PublishedKey> {
  const answer = recordsAt(await ask.text(keyName(key)), (texts) => texts.filter(isKeyRecord));
  if (answer.kind === 'unconfirmed') return { key: { kind: 'unconfirmed' } };
  const records = answer.kind === 'found' ? answer.values : [];
  if (records.length === 0) return { key: { kind: 'absent' } };
  if (records.length > 1)
    return { key: { kind: 'unusable', reason: 'there are several' }, record: present(records[0]) };
  return { key: readDkimKey(present(records[0])), record: present(records[0]) };
}

/**
 * True for a text that is meant as a key. A wildcard answers with others, such as SPF records: verifiers discard what
 * begins with another version. (RFC 6376, 3.6.1)
 */
function isKeyRecord(text: string): boolean {
  const { tags } = readTagList(text);
  const version = tags.get('v');
  return version === undefined ? tags.has('p') : /^dkim/i.test(version);
}
