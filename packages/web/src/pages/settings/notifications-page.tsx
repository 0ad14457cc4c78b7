import { findNotificationPage, findTargets, type TargetRow } from '@dmarc-ledger/queries';
import {
  alertTypes,
  idText,
  newId,
  type NotificationKind,
  notificationKinds,
  shownAddress,
} from '@dmarc-ledger/vocabulary';
import type { ComponentChildren } from 'preact';
import { z } from 'zod';
import { definePage } from '../../page/define-page.ts';
import { useEntered, useFrame } from '../../page/frame.ts';
import { csvFile, csvShape, pagesOf } from '../../page/csv-file.ts';
import { pagingShape, rowsOfPage } from '../../page/paging.ts';
import { NotificationLog, notificationColumns } from './notification-log.tsx';
import { severities } from './severities.ts';
import { Table, type Column } from '../../views/table.tsx';
import { PostForm } from '../../views/post-form.tsx';

const ADD = '/settings/notifications';
const kindLabels: { [kind in NotificationKind]: string } = {
  webhook: 'webhook',
  email: 'mail',
  slack: 'Slack',
  teams: 'Teams',
};

const labelOf = (type: string) => alertTypes.find(({ code }) => code === type)?.label ?? type;

/** Where do events go, and did they arrive? */
export const notificationsPage = definePage({
  path: '/settings/notifications',
  permission: 'manage notifications',
  query: z.object({ ...csvShape, ...pagingShape }),
  params: z.object({}),
  async load({ db, viewer: { orgId } }, { format, offset }) {
    if (format === 'csv') {
      const find = async (page: { limit: number; offset: number }) =>
        (await findNotificationPage(db, orgId, page)).rows;
      return await csvFile(
        'notifications.csv',
        notificationColumns,
        pagesOf(find, ({ id }) => id),
      );
    }
    const [targets, { rows, total }] = await Promise.all([
      findTargets(db, orgId),
      findNotificationPage(db, orgId, { limit: rowsOfPage, offset }),
    ]);
    const log = <NotificationLog rows={rows} total={total} offset={offset} />;
    return { title: 'Notifications', body: <Notifications targets={targets} log={log} /> };
  },
});

function Notifications({ targets, log }: { targets: readonly TargetRow[]; log: ComponentChildren }) {
  const { url } = useFrame();
  const entered = useEntered(ADD);
  const tested = url.searchParams.get('tested');
  const targetColumns: Column<TargetRow>[] = [
    { label: 'To', isName: true, cell: ({ kind, address }) => shownAddress(kind, address) },
    { label: 'By', cell: ({ kind }) => kindLabels[kind] },
    { label: 'From', cell: ({ least_severity }) => `${least_severity} on` },
    {
      label: 'Events',
      isName: true,
      cell: ({ types }) => (types.length === 0 ? 'all' : types.map(labelOf).join(', ')),
    },
    {
      label: 'State',
      cell: ({ enabled, disabled_code }) =>
        enabled ? <span class="tag success">on</span> : <span class="tag critical">off: {disabled_code}</span>,
    },
    {
      label: <span class="hidden-label">Actions</span>,
      cell: ({ id, kind, address: whole }) => {
        const address = shownAddress(kind, whole);
        return (
          <>
            <PostForm action={`/settings/notifications/${idText(id)}/test`}>
              <button aria-label={`Test ${address}`}>Test</button>
            </PostForm>
            <PostForm action={`/settings/notifications/${idText(id)}/remove`}>
              <button aria-label={`Remove ${address}`}>Remove</button>
            </PostForm>
          </>
        );
      },
    },
  ];
  return (
    <>
      <h1>Notifications</h1>
      {tested !== null && (
        <p class={tested === 'delivered' ? 'notice' : 'notice error'} role="status">
          {tested === 'delivered' ? 'The test event was delivered.' : 'The test event did not arrive.'}{' '}
          {/^[a-z0-9_ ]{0,60}$/.exec(url.searchParams.get('answer') ?? '')?.[0]}
        </p>
      )}
      <section class="panel">
        <Table
          caption="Where events are sent"
          columns={targetColumns}
          rows={targets}
          keyOf={({ id }) => id}
          empty="Nowhere yet."
        />
      </section>
      <section class="panel">
        <h2>Send events elsewhere</h2>
        <PostForm class="form" action={ADD}>
          <input type="hidden" name="form" value={idText(newId())} />
          <label>
            By
            <select name="kind">
              {notificationKinds.map((kind) => (
                <option key={kind} value={kind} selected={kind === entered['kind']}>
                  {kindLabels[kind]}
                </option>
              ))}
            </select>
          </label>
          <label>
            URL or address
            <input name="address" value={entered['address']} required maxLength={2_000} />
          </label>
          <label>
            Events from
            <select name="least_severity">
              {severities.map((severity) => (
                <option
                  key={severity}
                  value={severity}
                  selected={severity === (entered['least_severity'] ?? 'warning')}
                >
                  {severity}
                </option>
              ))}
            </select>
          </label>
          <button class="main">Add</button>
        </PostForm>
      </section>
      {log}
    </>
  );
}
