import { fieldsOf } from '@dmarc-ledger/vocabulary';
import { confirm, hashOf, type CheckFact, type Judged, type SeenRecords, undoubted } from './checks.ts';
import { holding, over, type Judgement } from './judgement.ts';

/** Judges the servers that take the domain's mail: a change counts when two checks see it. */
export function judgeMx(domain: string, check: CheckFact | undefined, seen: SeenRecords): Judged {
  if (!check || check.status === 'unknown') return { judgements: [], seen };
  const mx = [...check.records].toSorted();
  if (seen.mx === undefined) return { judgements: [], seen: { ...seen, mx } };
  const text = mx.join('\n');
  if (seen.mx.join('\n') === text) return { judgements: [], seen: undoubted('mx', seen) };
  const { isAgreed, doubtful } = confirm('mx', check, seen);
  if (!isAgreed) return { judgements: [], seen: doubtful };
  const change = holding('mx_changed', {
    domain,
    protocol: 'mx',
    parts: [domain, hashOf(text)],
    occurrence: check.changedAt.toISOString(),
  });
  return { judgements: [change], seen: { ...undoubted('mx', seen), mx } };
}

/** Judges a policy that the domain announces but senders cannot use. */
export function judgeMtaSts(domain: string, check: CheckFact | undefined, seen: SeenRecords): Judged {
  if (!check || check.status === 'unknown') return { judgements: [], seen };
  if (check.status === 'error') {
    const isHeld = fieldsOf(check.facts)['mode'] === 'enforce'; // by senders, though the record is gone
    if (!check.hasRecord && !isHeld) return { judgements: [over('mta_sts_broken', domain)], seen };
    const severity = seen.mtaStsMode === 'enforce' ? 'critical' : 'warning';
    const about = { domain, protocol: 'mta_sts', severity, message: check.details } as const;
    return { judgements: [holding('mta_sts_broken', about)], seen };
  }
  const mode = fieldsOf(check.facts)['mode'];
  return {
    judgements: [over('mta_sts_broken', domain)],
    seen: typeof mode !== 'string' ? seen : { ...seen, mtaStsMode: mode },
  };
}

/** Judges records that were valid once and are now present but broken. */
export function judgeExtras(domain: string, checks: ReadonlyMap<string, CheckFact>, seen: SeenRecords): Judged {
  let remembered = seen;
  const judgements = (['bimi', 'dane'] as const).flatMap((protocol): Judgement[] => {
    const check = checks.get(protocol);
    const type = `${protocol}_broken` as const;
    if (!check || check.status === 'unknown') return [];
    const isGood = check.status !== 'error';
    const isBroken = check.hasRecord && (seen[protocol] === 'good' || seen[protocol] === 'broken');
    remembered = { ...remembered, [protocol]: isGood ? 'good' : isBroken ? 'broken' : 'bad' };
    if (isGood || !isBroken) return [over(type, domain)];
    return [holding(type, { domain, protocol, message: check.details })];
  });
  return { judgements, seen: remembered };
}
