import type { MailFacts } from '@dmarc-ledger/dmarc';
import { parseAuthenticationResults, type Envelope, type MethodResult } from '@dmarc-ledger/unpack';
import { markedText, normalizeDomain, present } from '@dmarc-ledger/vocabulary';

/** The name of a server that does not name itself in the field, such as Microsoft 365. */
const UNNAMED = '-';

/**
 * The results of the topmost field that one of these servers wrote. The receiving server adds its field on top and
 * removes fields that claim to be its own (RFC 8601, 5); a field below it, or one that names another server, may be
 * forged.
 */
export function believedFacts({ from, authenticationResults }: Envelope, authservIds: readonly string[]): MailFacts {
  const believed = new Set(authservIds.map((id) => normalizeDomain(id.toLowerCase())));
  for (const field of authenticationResults) {
    const parsed = parseAuthenticationResults(field);
    const id = normalizeDomain(parsed?.authservId ?? UNNAMED);
    if (parsed && believed.has(id)) return factsOf(from, id, parsed.results);
  }
  return { from, authservId: null, dmarc: null, spf: null, dkim: [] };
}

function factsOf(from: string | null, authservId: string, results: readonly MethodResult[]): MailFacts {
  const of = (name: string) => results.filter(({ method }) => method === name);
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
