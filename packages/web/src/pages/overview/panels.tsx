import { DaysChart } from '../../charts/days-chart.tsx';
import { withFilter } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { ForgedMailPanel } from '../../views/forged-mail.tsx';
import { PageLink } from '../../views/page-link.tsx';
import { RecordChanges } from '../../views/record-changes.tsx';
import { EventList } from '../events/event-list.tsx';
import type { FoundPanels } from './find-panels.ts';

interface DaysProps extends Pick<FoundPanels, 'bars' | 'forged'> {
  domain: string | undefined;
  days: number;
}

/** The messages of each day, and the waves of forged mail among them. */
export function DaysAndForgedMail({ bars, forged, domain, days }: DaysProps) {
  const what = domain === undefined ? 'Messages' : `Messages of ${domain}`;
  return (
    <>
      <section class="panel">
        <h2>Messages by day</h2>
        <DaysChart days={bars} label={`${what} by day, the last ${days} days`} />
      </section>
      <ForgedMailPanel waves={forged} days={days} />
    </>
  );
}

/** Nothing for a viewer whose role may not see domains. */
export function RecordChangesPanel({ changed }: Pick<FoundPanels, 'changed'>) {
  if (!changed) return null;
  return (
    <section class="panel">
      <h2>What changed in the DNS, the last {changed.days} days</h2>
      <RecordChanges {...changed} />
    </section>
  );
}

/** The newest events; nothing for a viewer whose role may not see them. */
export function Events({ events }: Pick<FoundPanels, 'events'>) {
  const { url } = useFrame();
  if (!events) return null;
  return (
    <section class="panel">
      <h2>What happened</h2>
      <EventList events={events} back={withFilter(url, '/')} />
      <p>
        <PageLink to={withFilter(url, '/events?days=')}>All events</PageLink>
      </p>
    </section>
  );
}
