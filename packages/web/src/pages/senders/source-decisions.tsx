import type { AddressDecision } from '@dmarc-ledger/queries';
import { decisionMeanings } from '../../texts/decisions.ts';
import { DecisionTag, senderPath } from './decision-views.tsx';

/** What people have decided about the sender of an address, for each domain, and what follows. */
export function SourceDecisions({ decisions }: { decisions: readonly AddressDecision[] }) {
  if (decisions.length === 0) return null;
  return (
    <ul class="items">
      {decisions.map(({ domain, sender, decision, owner }) => (
        <li key={domain}>
          <DecisionTag decision={decision} /> for <a href={senderPath({ domain, id: sender })}>{domain}</a>
          {owner && `, owner ${owner}`}. {decisionMeanings[decision]}
        </li>
      ))}
    </ul>
  );
}
