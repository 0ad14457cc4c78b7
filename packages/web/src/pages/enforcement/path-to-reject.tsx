import { EXAMPLE_ADDRESS, ownAddressText } from '@dmarc-ledger/enforcement';
import { enforcementWords } from '../../texts/enforcement.ts';
import { publishWords } from '../../texts/publish-dmarc.ts';
import { aliasText } from '../../texts/to-publish.ts';
import { CopyText } from '../../views/copy-text.tsx';
import type { EnforcementBody } from './enforcement-body.ts';

/** The stages in order, with the record to publish, what to watch, and the way back. */
export function PathToReject({ answer, aliasOf }: { answer: EnforcementBody; aliasOf: string | undefined }) {
  const { path, permissions, domain, is_record_read } = answer;
  const isWithoutAddress = path.some(({ record }) => record?.includes(EXAMPLE_ADDRESS));
  return (
    <section class="panel">
      <h2>The path to reject</h2>
      <p class="soft">
        The record belongs at <code>_dmarc.{domain}</code>. RFC 9989 has no pct: test mode takes its place, at receivers
        that know it.
      </p>
      {aliasOf !== undefined && <p>{aliasText({ name: `_dmarc.${domain}`, target: aliasOf })}</p>}
      {!is_record_read && <p>{enforcementWords.recordNotRead}</p>}
      {is_record_read && isWithoutAddress && <p>{ownAddressText}</p>}
      <ol class="items">
        {path.map(({ stage, title, is_current, tags, record, watch, back }) => (
          <li key={stage} aria-current={is_current ? 'step' : undefined}>
            <strong>{title}</strong>
            {is_current && ' (the domain stands here)'}
            {tags !== null && !is_record_read && <div class="mono">{tags}</div>}
            {record !== null && is_record_read && <CopyText text={record} />}
            <dl class="facts">
              <dt>Watch</dt>
              <dd>{watch}</dd>
              <dt>Way back</dt>
              <dd>{back}</dd>
            </dl>
          </li>
        ))}
      </ol>
      {permissions.map(({ host, name, type, value }) => (
        <div key={name}>
          <p>{publishWords.permission(host)}</p>
          <CopyText text={name} />
          {type} <CopyText text={value} />
        </div>
      ))}
    </section>
  );
}
