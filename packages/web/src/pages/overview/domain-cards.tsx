import { confidenceOfRate, type BodyOf, type dashboardOverview, type OrgCoverageBody } from '@dmarc-ledger/api/answers';
import type { Day } from '@dmarc-ledger/vocabulary';
import { policyText, type ShownPolicy } from '../../texts/policy.ts';
import { withFilter } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { reportsOfScore } from '../../page/reports-of-score.ts';
import { Rate } from '../../views/confidence.tsx';
import { Breakable } from '../../views/breakable.tsx';
import { Table, type Column } from '../../views/table.tsx';
import { UrgencyTag } from '../../views/tags.tsx';
import { PageLink } from '../../views/page-link.tsx';

export type Card = BodyOf<typeof dashboardOverview>['domain_cards'][number] &
  Pick<ShownPolicy, 'isUnpublished' | 'isBroken'>;
/** The cards that the overview shows. */
const SHOWN_CARDS = 10;

interface DomainCardsProps {
  cards: readonly Card[];
  /** By name. */
  newestDays: ReadonlyMap<string, Day>;
  coverage: OrgCoverageBody;
}

/** The domains that score worst, each with what is most urgent. */
export function DomainCards({ cards, newestDays, coverage }: DomainCardsProps) {
  const { formats, url } = useFrame();
  const columns: Column<Card>[] = [
    {
      label: 'Domain',
      isName: true,
      cell: ({ domain }) => (
        <PageLink to={withFilter(url, `/domains/${domain}`)}>
          <Breakable name={domain} />
        </PageLink>
      ),
    },
    { label: 'Score', isNumber: true, cell: ({ score, grade }) => `${score} (${grade})` },
    {
      label: 'Passed',
      term: 'confidence',
      isNumber: true,
      cell: ({ domain, compliance_rate: rate, total_messages: messages }) => {
        const confidence = coverage.confidences.get(domain);
        return <Rate rate={rate} confidence={confidence && confidenceOfRate({ rate, messages }, confidence)} />;
      },
    },
    {
      label: 'Messages',
      isNumber: true,
      cell: ({ domain, total_messages }) => (
        <PageLink to={reportsOfScore(url, domain, newestDays.get(domain))}>{formats.count(total_messages)}</PageLink>
      ),
    },
    { label: 'Policy', cell: policyText },
    {
      label: 'Most urgent',
      isName: true,
      cell: ({ top_issue, top_issue_severity, action_count }) =>
        top_issue ? (
          <>
            <UrgencyTag code={top_issue_severity} /> {top_issue}
            {action_count > 1 && <span class="soft"> and {formats.count(action_count - 1)} more</span>}
          </>
        ) : (
          <span class="soft">nothing open</span>
        ),
    },
  ];
  return (
    <Table
      caption={
        cards.length > SHOWN_CARDS
          ? `The first ${SHOWN_CARDS} of ${formats.count(cards.length)}`
          : 'Domains with reports'
      }
      columns={columns}
      rows={cards.slice(0, SHOWN_CARDS)}
      keyOf={({ domain }) => domain}
      empty="No domain has reports yet."
    />
  );
}
