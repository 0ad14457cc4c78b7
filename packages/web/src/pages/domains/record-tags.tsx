import { partsOf } from '../../texts/record-tags.ts';
import type { Protocol } from '@dmarc-ledger/vocabulary';

/** A published record, whole and part by part. */
export function RecordTags({ protocol, record }: { protocol: Protocol; record: string }) {
  const parts = partsOf(protocol, record);
  return (
    <>
      <pre>{record}</pre>
      {parts.length > 1 && (
        <details open>
          <summary>Part by part</summary>
          <dl class="facts">
            {parts.map(({ text, meaning }, index) => (
              <>
                <dt key={index} class="mono">
                  {text}
                </dt>
                <dd>{meaning ?? <span class="soft">not known</span>}</dd>
              </>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}
