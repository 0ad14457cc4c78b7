import { present } from '@dmarc-ledger/vocabulary';
import type { CheckFact } from './checks.ts';
import { holding, type Judgement } from './judgement.ts';

/** The key of one pair of signer and selector. */
export interface DkimKeyFact {
  domain: string;
  selector: string;
  kind: 'absent' | 'revoked' | 'rejected' | 'rsa' | 'ed25519' | 'unconfirmed';
  /** Of an RSA key. */
  bits?: number;
}

const IN_USE = 20;
const BITS = { weak: 2_048, ignored: 1_024 };
const types = ['dkim_key_missing', 'dkim_key_revoked', 'dkim_key_weak'] as const;

/**
 * The keys that mail is signed with. What is told of a key is over when it is usable, and when nothing is signed with
 * it any more. (rules, events/dkim-key-faults)
 * @param messages of the last 7 days, by `signer/selector`
 * @param open keys of conditions of the domain that hold
 */
export function judgeDkim(
  domain: string,
  check: CheckFact | undefined,
  messages: ReadonlyMap<string, number>,
  open: Iterable<string>,
): Judgement[] {
  if (!check?.facts) return [];
  const keys = check.facts as readonly DkimKeyFact[]; // written from them, and by nothing else
  const told = keys.flatMap((key) => {
    const pair = `${key.domain}/${key.selector}`;
    const type = faultOf(key, messages.get(pair) ?? 0);
    if (!type) return [];
    const isIgnored = type === 'dkim_key_weak' && present(key.bits) < BITS.ignored;
    return [
      holding(type, {
        domain,
        protocol: 'dkim',
        parts: [domain, pair],
        message: check.details,
        ...(isIgnored && { severity: 'critical' as const }),
      }),
    ];
  });
  const standing = new Set(told.map(({ key }) => key));
  const unknown = keys
    .filter(({ kind }) => kind === 'unconfirmed')
    .map((key) => `${domain}/${key.domain}/${key.selector}`);
  const ended = [...open].filter(
    (key) =>
      types.some((type) => key.startsWith(`${type}/`)) &&
      !standing.has(key) &&
      !unknown.some((pair) => key.endsWith(`/${pair}`)),
  );
  return [...told, ...ended.map((key) => ({ state: 'over' as const, key }))];
}

function faultOf({ kind, bits }: DkimKeyFact, messages: number): (typeof types)[number] | undefined {
  if (kind === 'rsa') return present(bits) < BITS.weak ? 'dkim_key_weak' : undefined;
  if (messages < IN_USE) return undefined;
  if (kind === 'absent') return 'dkim_key_missing';
  return kind === 'revoked' ? 'dkim_key_revoked' : undefined;
}
