import type { DeliveryCount, MailboxRow } from '@dmarc-ledger/queries';
import type { Day } from '@dmarc-ledger/vocabulary';
import { useFrame } from '../../page/frame.ts';
import { deliveriesBehind } from '../settings/deliveries-behind.ts';
import { PageLink } from '../../views/page-link.tsx';

interface ArrivalsProps {
  counts: readonly DeliveryCount[];
  mailboxes: readonly MailboxRow[];
  /** The numbers are of these days, the first of which is `from`. */
  days: number;
  from: Day;
}

/** Whether reports arrive, and how many deliveries were refused. */
export function Arrivals({ counts, mailboxes, days, from }: ArrivalsProps) {
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
          <PageLink to={deliveriesBehind(from)}>{formats.count(all)}</PageLink> in {formats.count(days)} days
        </dd>
        <dt>Refused</dt>
        <dd>
          {lost.length === 0
            ? 'none'
            : lost.map((count) => (
                <div key={`${count.state} ${count.code ?? ''}`}>
                  <PageLink to={deliveriesBehind(from, count)}>{formats.count(count.deliveries)}</PageLink>{' '}
                  {count.code && <code>{count.code}</code>}
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
