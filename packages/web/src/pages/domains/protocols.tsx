import type { BodyOf, getDomainHealth } from '@dmarc-ledger/api/answers';
import { protocolNames, protocols } from '@dmarc-ledger/vocabulary';
import { DnsTag } from '../../views/tags.tsx';
import { PageLink } from '../../views/page-link.tsx';

/** The state of every protocol's record, each with the way to its page. */
export function Protocols({ domain, dns }: { domain: string; dns: BodyOf<typeof getDomainHealth>['dns'] }) {
  return (
    <ul class="items tiles">
      {protocols.map((protocol) => {
        const { status, details } = dns[protocol];
        return (
          <li key={protocol}>
            <DnsTag status={status} />{' '}
            <PageLink to={`/domains/${domain}/dns/${protocol}`}>{protocolNames[protocol]}</PageLink>
            <p>{details}</p>
          </li>
        );
      })}
    </ul>
  );
}
