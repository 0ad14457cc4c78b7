import type { DeliveryCount, MailboxRow } from '@dmarc-ledger/queries';
import { useFrame } from '../../page/frame.ts';
import { PageLink } from '../../views/page-link.tsx';

interface ArrivalsProps {
  counts: readonly DeliveryCount[];
  mailboxes: readonly MailboxRow[];
  days: number;
}

/** Whether reports arrive, and how many deliveries were refused. */
export function Arrivals({ counts, mailboxes, days }: ArrivalsProps) {
  const { formats } = useFrame();
  const all = sum(counts);
  const lost = counts.filter(({ state }) => state === 'refused' || state === 'quarantined');
  const newest = counts.map((count) => count.newest).toSorted((a, b) => Number(b) - Number(a))[0];
  const broken = mailboxes.filter(({ state }) => state === 'stopped' || state === 'retrying');
  return (
    <section class="panel">
      <h2>What arrived</h2>
      <dl class="facts">
        <dt>Last delivery</dt>
        <dd>{newest ? formats.instant(newest) : 'none yet'}</dd>
        <dt>Deliveries</dt>
        <dd>
          <PageLink to="/settings/ingest">{formats.count(all)}</PageLink> in {formats.count(days)} days
        </dd>
        <dt>Refused</dt>
        <dd>
          {lost.length === 0
            ? 'none'
            : lost.map(({ state, code, deliveries }) => (
                <div key={`${state} ${code ?? ''}`}>
                  <PageLink to={`/settings/ingest?state=${state}${code ? `&code=${encodeURIComponent(code)}` : ''}`}>
                    {formats.count(deliveries)}
                  </PageLink>{' '}
                  {code && <code>{code}</code>}
                </div>
              ))}
        </dd>
        <dt>Mailboxes</dt>
        <dd>
          {mailboxes.length === 0
            ? 'none; reports come as files'
            : broken.length === 0
              ? `${formats.count(mailboxes.length)}, all are read`
              : `${formats.count(broken.length)} of ${formats.count(mailboxes.length)} cannot be read`}
        </dd>
      </dl>
    </section>
  );
}

function sum(counts: readonly DeliveryCount[]): number {
  return counts.reduce((total, { deliveries }) => total + deliveries, 0);
}
