import type { NameAnswers } from '@dmarc-ledger/queries';
import { aliasOf } from '../../page/find-alias.ts';
import { useFrame } from '../../page/frame.ts';
import { dnsWords } from '../../texts/dns.ts';
import { Explain } from '../../views/explain.tsx';

type Answer = NameAnswers['servers'][number];

/** What each name server said about the names of a record. */
export function NameServers({ answers, readAt }: { answers: readonly NameAnswers[]; readAt: Date | undefined }) {
  const { formats } = useFrame();
  if (answers.length === 0) return null;
  return (
    <section class="panel">
      <h2>
        What each name server said
        <Explain term="name_servers" />
      </h2>
      {answers.map(({ name, servers }) => (
        <OneName key={name} name={name} servers={servers} isAlone={answers.length === 1} />
      ))}
      {readAt && <p class="soft small">Asked {formats.instant(readAt)}.</p>}
    </section>
  );
}

function OneName({ name, servers, isAlone }: { name: string; servers: readonly Answer[]; isAlone: boolean }) {
  const alias = aliasOf(servers);
  const differ = doServersDiffer(servers);
  return (
    <details open={isAlone || differ}>
      <summary>
        <span class="mono">{name}</span>
        {alias !== undefined && (
          <span class="soft">
            , an alias of <span class="mono">{alias}</span>
          </span>
        )}
      </summary>
      {differ && (
        <p>
          <strong>{dnsWords.serversDiffer}</strong>
        </p>
      )}
      <ul class="items">
        {servers.map(({ server, outcome, records, reason }) => (
          <li key={server}>
            <span class="mono">{server}</span> {dnsWords.server[outcome]}
            {reason !== undefined && <span class="soft"> ({reason})</span>}
            {(differ || isAlone) &&
              records.map((record) => (
                <pre key={record} class="small">
                  {record}
                </pre>
              ))}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Servers that gave no answer say nothing; the order of the records is none. */
function doServersDiffer(servers: readonly Answer[]): boolean {
  const said = servers.filter(({ outcome }) => outcome !== 'unanswered');
  return new Set(said.map(({ records }) => JSON.stringify(records.toSorted()))).size > 1;
}
