import type { MailFacts } from '@dmarc-ledger/dmarc';
import type { Envelope, MethodResult } from '@dmarc-ledger/unpack';
import { markedText, normalizeDomain, present } from '@dmarc-ledger/vocabulary';
import { findResultsGroup } from './results-group.ts';

/**
 * The results that one of these servers recorded, of several the one on top. All of its fields count where they are
 * separate from the sender's. Elsewhere the topmost counts, and of the others a DMARC result against the mail, which no
 * sender would forge. (rules, copies/several-fields-of-a-server)
 */
export function believedFacts({ from, trace }: Envelope, authservIds: readonly string[]): MailFacts {
  const group = findResultsGroup(trace, authservIds);
  if (!group) return { from, authservId: null, dmarc: null, spf: null, dkim: [] };
  const { authservId, fields, isSeparate } = group;
  const joined = factsOf(from, authservId, fields);
  if (isSeparate) return joined;
  const topmost = factsOf(from, authservId, fields.slice(0, 1));
  return { ...topmost, dmarc: topmost.dmarc ?? (joined.dmarc === 'pass' ? null : joined.dmarc) };
}

/** Of each method, the first field with results of it counts. */
function factsOf(from: string | null, authservId: string, fields: readonly (readonly MethodResult[])[]): MailFacts {
  const of = (name: string) =>
    fields.map((results) => results.filter(({ method }) => method === name)).find(({ length }) => length > 0) ?? [];
  const isOfFrom = ({ properties }: MethodResult) => {
    const evaluated = domainOf(properties.get('header.from'));
    return evaluated === null || evaluated === from;
  };
  return {
    from,
    authservId,
    dmarc: wordOf(of('dmarc').find(isOfFrom)?.result) ?? null,
    spf: spfFactOf(of('spf')),
    dkim: of('dkim').map(({ result, properties }) => ({
      result: markedText(result),
      domain: domainOf(properties.get('header.d') ?? properties.get('header.i')),
    })),
  };
}

/** The result about the sender; where a mail has none, as bounces do, the one about its host. (RFC 7208, 2.4) */
function spfFactOf(results: readonly MethodResult[]): MailFacts['spf'] {
  const about = (name: string) =>
    results.map(({ result, properties }) => ({ result: markedText(result), domain: domainOf(properties.get(name)) }));
  const isNamed = ({ domain }: { domain: string | null }) => domain !== null;
  const bySender = about('smtp.mailfrom');
  return bySender.find(isNamed) ?? about('smtp.helo').find(isNamed) ?? bySender[0] ?? null;
}

function wordOf(result: string | undefined): string | undefined {
  return result === undefined ? undefined : markedText(result);
}

/** The domain of an address, or the value itself when it is a domain alone. */
function domainOf(value: string | undefined): string | null {
  const domain = normalizeDomain(present((value ?? '').replace(/^<|>$/g, '').split('@').at(-1)));
  return markedText(domain) || null;
}
