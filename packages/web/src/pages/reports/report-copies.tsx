import type { ReportCopyRow } from '@dmarc-ledger/queries';
import { idText } from '@dmarc-ledger/vocabulary';
import { withFilter } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { mayDo } from '../../page/viewer.ts';
import { copiesHeading, intakeTexts, mailProofOf, wayOf } from '../../texts/intake.ts';
import { Explain } from '../../views/explain.tsx';
import { PageLink } from '../../views/page-link.tsx';
import { stateWords } from '../settings/delivery-states.ts';

/** How each copy of a report came in, with the way to its raw bytes; for roles that see the intake. */
export function ReportCopies({ reportId, copies }: { reportId: string; copies: readonly ReportCopyRow[] }) {
  const { viewer } = useFrame();
  if (!viewer || !mayDo(viewer.role, 'see intake') || copies.length === 0) return null;
  return (
    <section class="panel">
      <h2>
        {copiesHeading(copies.length)}
        <Explain term="intake" />
      </h2>
      {copies.length > 1 && <p class="soft">{intakeTexts.several}</p>}
      {copies.map((copy) => (
        <Copy key={copy.sha256} reportId={reportId} copy={copy} />
      ))}
    </section>
  );
}

function Copy({ reportId, copy }: { reportId: string; copy: ReportCopyRow }) {
  const { formats, viewer } = useFrame();
  const { sha256, isCounted, receivedAt, mailReceivedAt, finishedAt, document, deliverySha256, size } = copy;
  const delivery = `/settings/ingest/${idText(copy.deliveryId)}`;
  const isKept = copy.source !== null && copy.bytesPurgedAt === null;
  const mayRead = viewer !== undefined && mayDo(viewer.role, 'read raw reports');
  return (
    <dl class="facts">
      <dt>Figures</dt>
      <dd>
        <span class={`tag ${isCounted ? 'success' : 'neutral'}`}>
          {isCounted ? intakeTexts.counted : intakeTexts.notCounted}
        </span>
      </dd>
      <dt>Received</dt>
      <dd>
        {formats.instant(receivedAt)} by {wayOf(copy)}
      </dd>
      {mailReceivedAt && (
        <>
          <dt>Mail received</dt>
          <dd>{formats.instant(mailReceivedAt)}</dd>
        </>
      )}
      <dt>Its mail</dt>
      <dd>{mailProofOf(copy)}</dd>
      {copy.state && (
        <>
          <dt>Delivery</dt>
          <dd>
            <PageLink to={delivery}>{copy.name ?? idText(copy.deliveryId)}</PageLink>{' '}
            <span class={`tag ${stateWords[copy.state].tone}`}>{stateWords[copy.state].label}</span>{' '}
            {copy.code && <code>{copy.code}</code>} {finishedAt && `finished ${formats.instant(finishedAt)}`}
          </dd>
        </>
      )}
      <dt>Document</dt>
      <dd>{document || 'the whole delivery'}</dd>
      <dt>SHA-256</dt>
      <dd class="mono small">{sha256}</dd>
      {deliverySha256 && size !== null && (
        <>
          <dt>Of the delivery</dt>
          <dd>
            <span class="mono small">{deliverySha256}</span>, {formats.count(size)} bytes
          </dd>
        </>
      )}
      <dt>Raw bytes</dt>
      <dd>{isKept ? <RawLinks reportId={reportId} copy={copy} mayRead={mayRead} /> : intakeTexts.deleted}</dd>
    </dl>
  );
}

function RawLinks({ reportId, copy, mayRead }: { reportId: string; copy: ReportCopyRow; mayRead: boolean }) {
  const { url, viewer } = useFrame();
  const xml = withFilter(url, `/reports/${idText(reportId)}/xml`, { copy: copy.sha256 });
  const mayReadMail = viewer !== undefined && mayDo(viewer.role, 'read mail') && !copy.isShared;
  if (!mayRead) return <>kept; your role does not open them</>;
  return (
    <>
      <a href={xml}>Show the XML</a> · <a href={`${xml}&save=1`}>Save the XML</a>
      {mayReadMail && (
        <>
          {' '}
          ·{' '}
          <a href={`/settings/ingest/${idText(copy.deliveryId)}/raw`}>
            {copy.source === 'mailbox' ? 'Save the mail' : 'Save what was received'}
          </a>
        </>
      )}
    </>
  );
}
