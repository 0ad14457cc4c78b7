import type { ActionItem } from '@dmarc-ledger/scoring';
import { useFrame } from '../../page/frame.ts';
import { DomainLinks } from '../../views/domain-links.tsx';

/** A domain that has no score yet, with its open items, most urgent first. */
export interface SilentDomain {
  domain: string;
  items: readonly ActionItem[];
}

const SHOWN = 5;

/** Names the domains that have no score, as no report of today or before is about them, and that need something. */
export function SilentDomains({ domains }: { domains: readonly SilentDomain[] }) {
  const { formats } = useFrame();
  if (domains.length === 0) return null;
  return (
    <p>
      {formats.counted(domains.length, 'domain', 'domains')} without a score {domains.length === 1 ? 'has' : 'have'}{' '}
      open items: <DomainLinks domains={domains.map(({ domain }) => domain)} most={SHOWN} />.
    </p>
  );
}
