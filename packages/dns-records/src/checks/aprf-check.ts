import type { Found } from '../ask.ts';
import type { Selector } from '../keys/selector.ts';
import { doServersDiffer } from '../records/servers-differ.ts';
import { candidatesOf } from '../records/tag-list.ts';
import { finding, UNREACHABLE, type Check } from './check.ts';
import { details } from './details.ts';

/** A label that no domain uses: it is only answered by a wildcard. */
const RANDOM_LABEL = 'dml-probe-7f3a';

/**
 * The names where a request for placement reports may be published: each selector's, a wildcard's answer, and the bare
 * one.
 */
export function aprfNames(domain: string, selectors: readonly Selector[]): string[] {
  const own = selectors.map(({ selector, domain: signer }) => `${selector}._aprf._domainkey.${signer}`);
  return [...new Set([...own, `${RANDOM_LABEL}._aprf._domainkey.${domain}`, `_aprf._domainkey.${domain}`])];
}

/** (APRF draft, section 4; rules, domain-checks/aprf) Never an error, as hardly any domain publishes one yet. */
export const aprfCheck: Check = {
  protocol: 'aprf',
  names: (domain) => [`_aprf._domainkey.${domain}`],
  async run(ask, { domain, selectors }) {
    const answers = await Promise.all(aprfNames(domain, selectors).map((name) => ask.text(name)));
    const found = answers
      .map((answer) => ({ records: candidates(answer), servers: answer.servers }))
      .filter(({ records }) => records.length > 0);
    if (answers.every(({ kind }) => kind === 'unconfirmed')) return UNREACHABLE;
    if (found.length === 0) return { status: 'unknown', details: details.aprfMissing(), hasRecord: false };
    const records = [...new Set(found.flatMap((each) => each.records))];
    if (found.some((each) => each.records.length > 1 && !doServersDiffer(each.records, each.servers)))
      return finding('warning', details.aprfSeveral(), { records });
    return finding('ok', details.aprfGood(), { records });
  },
};

function candidates(answer: Found<string>): string[] {
  return answer.kind === 'found' ? candidatesOf(answer.values, 'APRFv1') : [];
}
