import type { Day } from '@dmarc-ledger/vocabulary';
import type { BodyOf, dashboardOverview, OrgCoverageBody } from '@dmarc-ledger/api/answers';
import type { ItemsAlike, Score } from '@dmarc-ledger/scoring';
import type { ComponentProps } from 'preact';
import { withFilter } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { FilterForm } from '../../views/filter-form.tsx';
import { PageLink } from '../../views/page-link.tsx';
import { ScoreParts } from '../../views/score-parts.tsx';
import { Arrivals } from './arrivals.tsx';
import { type Card, DomainCards } from './domain-cards.tsx';
import type { FoundPanels } from './find-panels.ts';
import { OneDomain } from './one-domain.tsx';
import { OpenItems } from './open-items.tsx';
import { OrgHealth } from './org-health.tsx';
import { DaysAndForgedMail, Events, RecordChangesPanel } from './panels.tsx';
import { Reporters } from './reporters.tsx';
import { type SilentDomain, SilentDomains } from './silent-domains.tsx';

interface OverviewProps {
  overview: BodyOf<typeof dashboardOverview>;
  score: Score;
  /** The open items of all domains. */
  items: readonly ItemsAlike[];
  cards: readonly Card[];
  /** The last day of each score, by the domain's name. */
  newestDays: ReadonlyMap<string, Day>;
  silent: readonly SilentDomain[];
  /** The domain that the filter names, and whether it is monitored or has reports; undefined for all. */
  chosen: { domain: string; isKnown: boolean } | undefined;
  /** True for the owner of the bundled samples. */
  hasSamples: boolean;
  days: number;
  panels: FoundPanels;
  /** Undefined for a viewer whose role may not see it, and for one domain. */
  arrivals: ComponentProps<typeof Arrivals> | undefined;
  coverage: OrgCoverageBody;
  today: Day;
}

/** The figures of all domains, or of the one that is chosen. */
export function Overview(props: OverviewProps) {
  const { chosen, days, hasSamples, panels } = props;
  return (
    <>
      <div class="head">
        <h1>Overview</h1>
        <FilterForm parts={['domain', 'days']} domain={chosen?.domain} days={days} />
      </div>
      {hasSamples && <Samples />}
      {chosen ? <Chosen {...props} {...chosen} /> : <AllDomains {...props} />}
      <DaysAndForgedMail {...panels} domain={chosen?.domain} days={days} />
      {chosen ? <RecordChangesPanel changed={panels.changed} /> : <DnsAndIntake {...props} />}
      <Events events={panels.events} />
      {chosen && <p class="soft">What arrived and which reporters there are is shown for all domains together.</p>}
    </>
  );
}

function AllDomains({ overview, score, items, cards, newestDays, silent, coverage }: OverviewProps) {
  const { url } = useFrame();
  return (
    <>
      <OrgHealth overview={overview} coverage={coverage} />
      <section class="panel">
        <h2>Domains, worst first</h2>
        <DomainCards cards={cards} newestDays={newestDays} coverage={coverage} />
        <SilentDomains domains={silent} />
        <p>
          <PageLink to={withFilter(url, '/domains')}>All domains</PageLink>
        </p>
      </section>
      {overview.org_health.has_data && (
        <div class="columns">
          <OpenItems items={items} />
          <ScoreParts score={cards.length > 0 ? score : undefined} isAhead />
        </div>
      )}
    </>
  );
}

function Chosen({ domain, isKnown, cards, silent, ...props }: OverviewProps & { domain: string; isKnown: boolean }) {
  return (
    <OneDomain
      domain={domain}
      isKnown={isKnown}
      card={cards.find((card) => card.domain === domain)}
      items={silent.find((each) => each.domain === domain)?.items ?? []}
      newestDay={props.newestDays.get(domain)}
      confidence={props.coverage.confidences.get(domain)}
    />
  );
}

/** What belongs to the organization and to none of its domains, beside the changes in the DNS. */
function DnsAndIntake({ panels: { changed }, arrivals, coverage: { reporters }, today }: OverviewProps) {
  return (
    <div class="columns">
      {(changed || arrivals) && (
        <div>
          <RecordChangesPanel changed={changed} />
          {arrivals && <Arrivals {...arrivals} />}
        </div>
      )}
      {reporters.length > 0 && <Reporters reporters={reporters} today={today} />}
    </div>
  );
}

function Samples() {
  return (
    <form class="notice" method="post" action="/orgs/own">
      What you see are samples, of domains that do not exist. <button class="main">Use my own reports</button>
    </form>
  );
}
