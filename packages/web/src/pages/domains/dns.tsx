import type { DkimKeysBody, SpfBody } from '@dmarc-ledger/api/answers';
import type { StoredCheck } from '@dmarc-ledger/facts';
import type { CheckChange, NameAnswers } from '@dmarc-ledger/queries';
import { protocolNames, type Day, type Protocol } from '@dmarc-ledger/vocabulary';
import { aliasesOf } from '../../page/find-alias.ts';
import { useFrame } from '../../page/frame.ts';
import { recordToPublish } from '../../texts/publish.ts';
import { dmarcToCorrect } from '../../texts/publish-dmarc.ts';
import { aliasText } from '../../texts/to-publish.ts';
import { dnsWords } from '../../texts/dns.ts';
import { CopyText } from '../../views/copy-text.tsx';
import { DnsTag } from '../../views/tags.tsx';
import { CheckHistory, standsSince } from './check-history.tsx';
import { KeyTable } from '../dns/key-table.tsx';
import { SpfTree } from '../dns/spf-tree.tsx';
import { NameServers } from './name-servers.tsx';
import { RecordTags } from './record-tags.tsx';
import { PageLink } from '../../views/page-link.tsx';

interface DnsViewProps {
  domain: string;
  protocol: Protocol;
  check: StoredCheck | undefined;
  /** False for a check of a week ago or earlier, as of a domain that is no longer monitored. */
  isRecent: boolean;
  /** The hosts of its MX records; absent where they are not known. */
  mailServers: readonly string[] | undefined;
  changes: readonly CheckChange[];
  addresses: readonly string[];
  today: Day;
  /** What each name server said; null before the first check. */
  said: { answers: NameAnswers[]; readAt: Date } | null;
  /** SPF and DKIM only. */
  spf?: SpfBody;
  keys?: DkimKeysBody;
}

/** One protocol of a domain: what is published, what to publish, and how it came about. */
export function DnsView({ domain, protocol, check, isRecent, mailServers, changes, ...more }: DnsViewProps) {
  const { addresses, today, said, spf, keys } = more;
  const { formats } = useFrame();
  const { records = [], notes = [] } = check ?? {};
  const isKnown = isRecent && check !== undefined && check.status !== 'unknown';
  const aliases = aliasesOf(said?.answers ?? []);
  const stands = { domain, isKnown, records, notes, inheritedFrom: check?.inherited_from, mailServers, aliases };
  const correct = protocol === 'dmarc' && isKnown ? dmarcToCorrect(stands) : undefined;
  return (
    <>
      <p class="small">
        <PageLink to={`/domains/${domain}`}>{domain}</PageLink>
      </p>
      <h1>
        {protocolNames[protocol]} of {domain}
      </h1>
      <section class="panel">
        <h2>{check ? <DnsTag status={isRecent ? check.status : 'unknown'} /> : 'Not checked yet'}</h2>
        {check && !isRecent && (
          <p>
            <strong>Last checked {formats.instant(check.checked_at)}.</strong> {dnsWords.foundThen}
          </p>
        )}
        {check ? <p>{check.details}</p> : <p>The first check follows within minutes.</p>}
        {check?.inherited_from && (
          <p>
            The record of <strong>{check.inherited_from}</strong> applies.
          </p>
        )}
        {check?.notes.map((note) => (
          <p key={note} class="soft">
            {note}
          </p>
        ))}
        {check && (
          <p class="soft small">
            Checked {formats.instant(check.checked_at)}; as it is since{' '}
            {formats.instant(standsSince(changes) ?? check.changed_at)}.
          </p>
        )}
      </section>
      <section class="panel">
        <h2>{check && !isRecent ? 'Published then' : 'Published'}</h2>
        {check && check.records.length > 0 ? (
          check.records.map((record) => <RecordTags key={record} protocol={protocol} record={record} />)
        ) : (
          <p class="soft">{isKnown ? 'Nothing.' : dnsWords.notKnown}</p>
        )}
        {protocol === 'dmarc' && (
          <p>
            <PageLink to={`/domains/${domain}/enforce`}>
              What a stricter policy would do, and the record for it
            </PageLink>
          </p>
        )}
      </section>
      {spf && spf.terms.length > 0 && (
        <section class="panel">
          <h2>What it refers to</h2>
          <SpfTree terms={spf.terms} />
          <p>
            <PageLink to={`/domains/${domain}/spf`}>Which of it your mail needs, and the shortest record</PageLink>
          </p>
        </section>
      )}
      {keys && (
        <section class="panel">
          <h2>Keys by selector</h2>
          <KeyTable domain={keys.domain} keys={keys.keys} total={keys.total} />
          <p>
            <PageLink to={`/domains/${domain}/dkim`}>What to do about the keys</PageLink>
          </p>
        </section>
      )}
      {correct !== undefined && (
        <section class="panel">
          <h2>To correct</h2>
          <p>{correct}</p>
        </section>
      )}
      <Publish records={recordToPublish(protocol, { ...stands, addresses, today })} />
      <NameServers answers={said?.answers ?? []} readAt={said?.readAt} />
      <section class="panel">
        <h2>How it changed</h2>
        <CheckHistory changes={changes} />
      </section>
    </>
  );
}

function Publish({ records }: { records: ReturnType<typeof recordToPublish> }) {
  if (records.length === 0) return null;
  return (
    <section class="panel">
      <h2>To publish</h2>
      <ol class="items">
        {records.map(({ what, name, type, value, aliasOf }) => (
          <li key={name + value}>
            {what}
            <dl class="facts">
              <dt>Name</dt>
              <dd>
                <CopyText text={name} />
              </dd>
              <dt>Type</dt>
              <dd>{type}</dd>
              <dt>Value</dt>
              <dd>
                <CopyText text={value} />
              </dd>
            </dl>
            {aliasOf !== undefined && <p>{aliasText({ name, target: aliasOf })}</p>}
          </li>
        ))}
      </ol>
      <p class="soft small">
        Open the DNS settings of the domain at your provider, add an entry of this type, and paste name and value. Some
        providers want the name without the domain at its end. The next check sees it within an hour.
      </p>
    </section>
  );
}
