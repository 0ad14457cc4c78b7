import { useFrame } from '../../page/frame.ts';
import { Facts } from '../../views/facts.tsx';
import type { SourceBody } from './source-body.ts';

/** What is known of the host, and how old that is. */
export function SourceFacts({ source }: { source: SourceBody }) {
  const { formats } = useFrame();
  const { enrichment, geo } = source;
  const facts: [string, string | null | undefined][] = [
    ['Host name', source.hostname],
    ['Network', enrichment?.isp],
    ['Used for', enrichment?.usage_type],
    ['Place', geo && [geo.city, geo.country].filter(Boolean).join(', ')],
    ['Written by reporters', source.source_ip_as_reported],
    ['Sends as', source.domains.join(', ')],
    ['First seen', source.first_seen && formats.instant(source.first_seen)],
    ['Last seen', source.last_seen && formats.instant(source.last_seen)],
    ['Looked up', enrichment?.updated_at ? formats.instant(enrichment.updated_at) : 'not yet'],
  ];
  return (
    <section class="panel">
      <h2>Who it is</h2>
      <Facts facts={facts} />
    </section>
  );
}
