import { confidenceOfRate, type ConfidenceBody } from '@dmarc-ledger/api/answers';
import type { ActionItem } from '@dmarc-ledger/scoring';
import type { Day } from '@dmarc-ledger/vocabulary';
import { useFrame } from '../../page/frame.ts';
import { reportsOfScore } from '../../page/reports-of-score.ts';
import { PassRate, Policy, Score, WindowMessages } from '../../views/numbers.tsx';
import { PageLink } from '../../views/page-link.tsx';
import { UrgencyTag } from '../../views/tags.tsx';
import { VerdictHeading } from '../../views/verdict-heading.tsx';
import type { Card } from './domain-cards.tsx';

interface OneDomainProps {
  domain: string;
  /** True if the organization monitors it, or has reports about it. */
  isKnown: boolean;
  /** Undefined where no report of today or before is about it. */
  card: Card | undefined;
  /** The open items of a domain without a card, most urgent first. */
  items: readonly ActionItem[];
  newestDay: Day | undefined;
  confidence: ConfidenceBody | undefined;
}

/** The verdict on the domain of the filter, with the figures behind it. */
export function OneDomain({ domain, isKnown, card, items, newestDay, confidence }: OneDomainProps) {
  return (
    <section class="panel">
      {card ? (
        <Figures card={card} newestDay={newestDay} confidence={confidence} />
      ) : isKnown ? (
        <WithoutScore domain={domain} items={items} />
      ) : (
        <p>Nothing is known about {domain}. Change the filter, or take it away.</p>
      )}
      {isKnown && (
        <p>
          <PageLink to={`/domains/${domain}`}>All about {domain}</PageLink>
        </p>
      )}
    </section>
  );
}

function Figures({ card, newestDay, confidence }: Pick<OneDomainProps, 'newestDay' | 'confidence'> & { card: Card }) {
  const { url } = useFrame();
  const { domain, compliance_rate: rate, total_messages: messages } = card;
  return (
    <>
      <VerdictHeading verdict={card.verdict} isUnpublished={card.isUnpublished} />
      <dl class="numbers">
        <Score score={card.score} grade={card.grade} />
        <PassRate
          rate={rate}
          messages={messages}
          confidence={confidence && confidenceOfRate({ rate, messages }, confidence)}
        />
        <WindowMessages messages={messages} reports={reportsOfScore(url, domain, newestDay)} to={newestDay ?? null} />
        <Policy of={card} />
        <div>
          <dt>Open items</dt>
          <dd>
            <OpenItems domain={domain} count={card.action_count} />
          </dd>
        </div>
      </dl>
      {card.top_issue && <First title={card.top_issue} severity={card.top_issue_severity} />}
    </>
  );
}

function WithoutScore({ domain, items }: Pick<OneDomainProps, 'domain' | 'items'>) {
  const [first] = items;
  return (
    <>
      <h2>{domain} has no score yet</h2>
      <p>
        No report of today or before is about it. Open items: <OpenItems domain={domain} count={items.length} />
      </p>
      {first && <First {...first} />}
    </>
  );
}

function OpenItems({ domain, count }: { domain: string; count: number }) {
  const { formats } = useFrame();
  return <PageLink to={`/domains/${domain}`}>{formats.count(count)}</PageLink>;
}

function First({ title, severity }: { title: string; severity: string }) {
  return (
    <p>
      First: <UrgencyTag code={severity} /> {title}
    </p>
  );
}
