import { withFilter } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { monitoringTexts } from '../../texts/monitoring.ts';
import { PageLink } from '../../views/page-link.tsx';

/** A domain that reports are about and that nobody monitors, such as one that was removed. */
export function Unmonitored({ domain }: { domain: string }) {
  const { url } = useFrame();
  return (
    <>
      <h1>{domain}</h1>
      <section class="panel">
        <h2>Not monitored</h2>
        <p>
          Its reports count, but its DNS records are not checked, and nothing is advised about it.{' '}
          {monitoringTexts.sharedMailbox}
        </p>
        <p>
          <PageLink class="button" to={`/domains/add?domain=${domain}`}>
            Monitor it
          </PageLink>
        </p>
        <p>
          <PageLink to={withFilter(url, '/reports', { domain })}>Its reports</PageLink>
          {' · '}
          <PageLink to={withFilter(url, '/senders', { domain })}>Its senders</PageLink>
        </p>
      </section>
    </>
  );
}
