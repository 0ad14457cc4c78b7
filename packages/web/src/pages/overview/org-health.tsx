import { confidenceOfRate, type BodyOf, type dashboardOverview, type OrgCoverageBody } from '@dmarc-ledger/api/answers';
import { withFilter } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { PassRate, Score, WindowMessages } from '../../views/numbers.tsx';
import { PageLink } from '../../views/page-link.tsx';

interface OrgHealthProps {
  overview: BodyOf<typeof dashboardOverview>;
  coverage: OrgCoverageBody;
}

/** The verdict on all domains together, with the figures behind it; before the first report, how to get one. */
export function OrgHealth({ overview, coverage }: OrgHealthProps) {
  const { formats, url } = useFrame();
  const { org_health: health, action_items_summary: items } = overview;
  const { compliance_rate: rate, total_messages: messages } = health;
  if (!health.has_data) return <NoData />;
  return (
    <section class="panel">
      <h2>{health.verdict}</h2>
      <dl class="numbers">
        <Score score={health.overall_score} grade={health.grade} />
        <PassRate
          rate={rate}
          messages={messages}
          confidence={confidenceOfRate({ rate, messages }, coverage.confidence)}
        />
        <WindowMessages messages={messages} />
        <div>
          <dt>Sending addresses</dt>
          <dd>
            {formats.count(health.unique_source_ips)} <small>in the same days</small>
          </dd>
        </div>
        <div>
          <dt>Domains that need you</dt>
          <dd>
            <PageLink to={withFilter(url, '/domains', { needs: 1 })}>
              {formats.count(health.domains_needing_attention)}
            </PageLink>{' '}
            <small>of {formats.count(health.total_domains)}</small>
          </dd>
        </div>
        <div>
          <dt>Open items</dt>
          <dd>
            <PageLink to={withFilter(url, '/domains', { needs: 1, sort_by: 'items', sort_dir: 'desc' })}>
              {formats.count(items.total_pending)}
            </PageLink>{' '}
            <small>
              {formats.count(items.high)} urgent, {formats.count(items.medium)} soon, {formats.count(items.low)} later
            </small>
          </dd>
        </div>
      </dl>
    </section>
  );
}

function NoData() {
  return (
    <section class="panel">
      <h2>No reports yet</h2>
      <p>
        Upload one, add a mailbox, or publish a DMARC record whose <code>rua</code> address leads to a mailbox that this
        server reads. The first report usually arrives within a day.
      </p>
      <p>
        <PageLink class="button main" to="/settings/ingest">
          Use my own reports
        </PageLink>
      </p>
    </section>
  );
}
