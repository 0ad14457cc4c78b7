import { present, type DkimKeyFact } from '@dmarc-ledger/vocabulary';
import type { CheckFact } from './checks.ts';
import { eventTexts } from './event-texts.ts';
import { holding, type Judgement } from './judgement.ts';

const IN_USE = 20;
const BITS = { weak: 2_048, ignored: 1_024 };
const types = ['dkim_key_missing', 'dkim_key_revoked', 'dkim_key_weak'] as const;

/**
 * Judges the keys that mail is signed with. A fault of a key ends when the key is valid, or when no mail is signed with
 * it; one that receivers cannot use ends none. (rules, events/dkim-key-faults)
 * @param messages messages of the last 7 days, by `signer/selector`
 * @param open keys of the domain's conditions that hold
 */
export function judgeDkim(
  domain: string,
  check: CheckFact | undefined,
  messages: ReadonlyMap<string, number>,
  open: Iterable<string>,
): Judgement[] {
  if (!check?.facts) return [];
  const keys = check.facts as readonly DkimKeyFact[]; // the column is only written from DKIM key facts
  const faults = keys.flatMap((key) => {
    const type = faultOf(key, messages.get(pairOf(key)) ?? 0);
    return type ? [{ key, type }] : [];
  });
  const isAlone = check.status !== 'ok' && keys.filter(isFaulty).length === 1;
  const raised = faults.map(({ key, type }) => {
    const isIgnored = type === 'dkim_key_weak' && present(key.bits) < BITS.ignored;
    return holding(type, {
      domain,
      protocol: 'dkim',
      parts: [domain, pairOf(key)],
      // of several faults, the details of the check name one
      message: isAlone ? check.details : eventTexts.dkimKey({ ...key, type, isIgnored }),
      ...(isIgnored && { severity: 'critical' as const }),
    });
  });
  const held = new Set(raised.map(({ key }) => key));
  const isLasting = (key: DkimKeyFact) =>
    key.kind === 'unconfirmed' || (key.kind === 'unusable' && (messages.get(pairOf(key)) ?? 0) >= IN_USE);
  const lasting = keys.filter(isLasting).map((key) => `${domain}/${pairOf(key)}`);
  const ended = [...open].filter(
    (key) =>
      types.some((type) => key.startsWith(`${type}/`)) &&
      !held.has(key) &&
      !lasting.some((pair) => key.endsWith(`/${pair}`)),
  );
  return [...raised, ...ended.map((key) => ({ state: 'over' as const, key }))];
}

function pairOf({ domain, selector }: DkimKeyFact): string {
  return `${domain}/${selector}`;
}

function isFaulty({ kind, bits }: DkimKeyFact): boolean {
  return kind === 'rsa' ? present(bits) < BITS.weak : kind === 'absent' || kind === 'revoked' || kind === 'unusable';
}

function faultOf({ kind, bits }: DkimKeyFact, messages: number): (typeof types)[number] | undefined {
  if (kind === 'rsa') return present(bits) < BITS.weak ? 'dkim_key_weak' : undefined;
  if (messages < IN_USE) return undefined;
  if (kind === 'absent') return 'dkim_key_missing';
  return kind === 'revoked' ? 'dkim_key_revoked' : undefined;
}
