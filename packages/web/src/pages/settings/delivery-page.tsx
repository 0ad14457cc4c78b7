import { findDelivery, type DeliveryDetail } from '@dmarc-ledger/queries';
import { HttpProblem, idText, parseId } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { definePage } from '../../page/define-page.ts';
import { mayDo } from '../../page/viewer.ts';
import { useFrame } from '../../page/frame.ts';
import { pagingShape } from '../../page/paging.ts';
import { Pager, Table, type Column } from '../../views/table.tsx';
import { stateWords } from './delivery-states.ts';
import { PageLink } from '../../views/page-link.tsx';
import { PostForm } from '../../views/post-form.tsx';

/** An archive of its owner may have thousands of documents. */
const ROWS = 200;

/** What became of one delivery, part by part? */
export const deliveryPage = definePage({
  path: '/settings/ingest/:id',
  permission: 'see intake',
  query: z.object(pagingShape),
  params: z.object({ id: z.string().transform((text) => parseId(text) ?? '') }),
  async load({ db, viewer: { orgId } }, { id, offset }) {
    const delivery = id === '' ? undefined : await findDelivery(db, orgId, id);
    if (!delivery) throw new HttpProblem('not_found', { status: 404, error: 'There is no such delivery' });
    return { title: delivery.name ?? 'A delivery', body: <Delivery delivery={delivery} offset={offset} /> };
  },
});

/** The pages of a report, by its kind. */
const PAGES = new Map([
  ['rua', '/reports'],
  ['tlsrpt', '/tls/reports'],
]);

type Part = NonNullable<DeliveryDetail['parts']>[number];

function Delivery({ delivery, offset }: { delivery: DeliveryDetail; offset: number }) {
  const { formats, viewer } = useFrame();
  const parts = delivery.parts ?? [];
  const isRefused = delivery.state === 'refused' || delivery.state === 'quarantined';
  const columns: Column<Part>[] = [
    { label: 'Part', isName: true, cell: ({ path }) => path || 'the whole' },
    { label: 'Kind', cell: ({ kind }) => kind ?? 'not readable' },
    { label: 'Outcome', cell: ({ outcome }) => outcome },
    {
      label: 'Why',
      isName: true,
      cell: ({ code, message, warnings }) => (
        <>
          {code && <code>{code}</code>} {message}
          {warnings.map((warning) => (
            <div key={warning} class="soft small">
              {warning}
            </div>
          ))}
        </>
      ),
    },
    {
      label: 'Reports',
      isName: true,
      cell: ({ kind, reports }) =>
        reports.map(({ id, records, messages }) => (
          <div key={id}>
            <ReportLink kind={kind} id={id} />{' '}
            {kind === 'rua' && (
              <span class="soft small">
                {formats.counted(records, 'record', 'records')}, {formats.counted(messages, 'message', 'messages')}
              </span>
            )}
          </div>
        )),
    },
  ];
  return (
    <>
      <p class="small">
        <PageLink to="/settings/ingest">Intake</PageLink>
      </p>
      <h1>{delivery.name ?? 'A delivery without a name'}</h1>
      <section class="panel">
        <dl class="facts">
          <dt>State</dt>
          <dd>
            <span class={`tag ${stateWords[delivery.state].tone}`}>{stateWords[delivery.state].label}</span>{' '}
            {delivery.code && <code>{delivery.code}</code>}
          </dd>
          <dt>Received</dt>
          <dd>
            {formats.instant(delivery.received_at)} by {delivery.source}
          </dd>
          {delivery.finished_at && (
            <>
              <dt>Finished</dt>
              <dd>{formats.instant(delivery.finished_at)}</dd>
            </>
          )}
          <dt>Size</dt>
          <dd>{formats.count(delivery.size)} bytes</dd>
          <dt>SHA-256</dt>
          <dd class="mono small">{delivery.sha256.toString('hex')}</dd>
          <dt>In the ledger</dt>
          <dd>{idText(delivery.id)}</dd>
        </dl>
        {viewer && mayDo(viewer.role, 'read mail') && !delivery.bytes_purged_at && !delivery.only_domains && (
          <p>
            <a class="button" href={`/settings/ingest/${idText(delivery.id)}/raw`}>
              {delivery.source === 'mailbox' ? 'Save the mail' : 'Save what was received'}
            </a>
          </p>
        )}
        {isRefused && viewer && mayDo(viewer.role, 'replay') && (
          <PostForm action={`/settings/ingest/${idText(delivery.id)}/replay`}>
            <button>Read it again</button>
          </PostForm>
        )}
      </section>
      <section class="panel">
        <h2>What was in it</h2>
        <Table
          caption="Every document of the delivery"
          columns={columns}
          rows={parts.slice(offset, offset + ROWS)}
          keyOf={({ path }) => path}
          empty={parts.length > 0 ? 'There are no more.' : 'It has not been read yet.'}
        />
        <Pager total={parts.length} limit={ROWS} offset={offset} />
      </section>
    </>
  );
}

/** A report by its id: a link where its kind has a page of its own. */
function ReportLink({ kind, id }: { kind: string | null; id: string }) {
  const folder = PAGES.get(kind ?? '');
  const text = idText(id);
  return folder === undefined ? <>{text}</> : <PageLink to={`${folder}/${text}`}>{text}</PageLink>;
}
