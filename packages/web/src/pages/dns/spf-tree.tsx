import type { SpfBody } from '@dmarc-ledger/api/answers';
import { useFrame } from '../../page/frame.ts';
import { dnsWords } from '../../texts/dns.ts';

type Term = SpfBody['terms'][number];

/** The terms that a page shows; the API has all. */
const SHOWN = 200;
const NETWORKS = 8;

/** An SPF record with everything that it refers to, as nested lists. */
export function SpfTree({ terms }: { terms: readonly Term[] }) {
  const { formats } = useFrame();
  const shown = terms.slice(0, SHOWN);
  if (shown.length === 0) return <p class="soft">No record that can be read is published.</p>;
  return (
    <>
      <TermList terms={shown} parent={null} isMarked={false} />
      {terms.length > shown.length && (
        <p class="soft small">
          The first {SHOWN} of {formats.count(terms.length)} terms are shown.
        </p>
      )}
    </>
  );
}

interface TermListProps {
  terms: readonly Term[];
  parent: number | null;
  /** True below a term that is marked as not needed. */
  isMarked: boolean;
}

function TermList({ terms, parent, isMarked }: TermListProps) {
  const own = terms.filter((term) => term.parent === parent);
  if (own.length === 0) return null;
  return (
    <ul class="tree">
      {own.map((term) => (
        <li key={term.id}>
          <TermLine term={term} isMarked={isMarked} />
          <TermList terms={terms} parent={term.id} isMarked={isMarked || term.needed === 'no'} />
        </li>
      ))}
    </ul>
  );
}

function TermLine({ term, isMarked }: { term: Term; isMarked: boolean }) {
  const { formats } = useFrame();
  const { lookups, addresses, messages, networks, networks_total: all, mechanism } = term;
  const isListed = all > 0 && mechanism !== 'ip4' && mechanism !== 'ip6' && mechanism !== 'all';
  const more = all > NETWORKS ? ` and ${formats.count(all - NETWORKS)} more` : '';
  return (
    <>
      <span class="mono">{term.term}</span>
      {term.state !== 'plain' && term.state !== 'found' && <strong> {dnsWords.termStates[term.state]}</strong>}
      {term.needed === 'no' && !isMarked && (
        <>
          {' '}
          <span class="tag warning">{dnsWords.needed.no}</span>
        </>
      )}
      <span class="soft small">
        {lookups > 0 && ` ${dnsWords.lookups(lookups, formats.count(lookups))}.`}
        {addresses > 0 && ` ${dnsWords.mail(addresses, messages, formats)}.`}
        {isListed && ` ${networks.slice(0, NETWORKS).join(', ')}${more}.`}
      </span>
    </>
  );
}
