import type { MailboxRow } from '@dmarc-ledger/queries';
import { idText } from '@dmarc-ledger/vocabulary';
import { useFrame } from '../../page/frame.ts';
import { mayDo } from '../../page/viewer.ts';
import { PageLink } from '../../views/page-link.tsx';
import { Table, type Column } from '../../views/table.tsx';
import { PostForm } from '../../views/post-form.tsx';

const TONES: { [state in MailboxRow['state']]: string } = {
  new: 'neutral',
  connected: 'success',
  retrying: 'warning',
  throttled: 'warning',
  held: 'neutral',
  stopped: 'critical',
};

/** Each mailbox with its state, its last success, and what waits in it. */
export function Mailboxes({ mailboxes }: { mailboxes: readonly MailboxRow[] }) {
  const { formats, url, viewer } = useFrame();
  const mayManage = viewer !== undefined && mayDo(viewer.role, 'manage mailboxes');
  const found = url.searchParams.get('mailbox');
  const columns: Column<MailboxRow>[] = [
    {
      label: 'Mailbox',
      isName: true,
      cell: ({ username, host, folder }) => (
        <>
          {username}
          <div class="soft small">
            {host}, {folder}
          </div>
        </>
      ),
    },
    {
      label: 'State',
      isName: true,
      cell: ({ state, fault, paused_at }) =>
        paused_at ? (
          <>
            <span class="tag neutral">paused</span>
            <div class="small">since {formats.instant(paused_at)}</div>
          </>
        ) : (
          <>
            <span class={`tag ${TONES[state]}`}>{state}</span>
            {fault && <div class="small">{fault}</div>}
          </>
        ),
    },
    { label: 'Waiting', isNumber: true, cell: ({ backlog }) => formats.count(backlog) },
    { label: 'Last read', cell: ({ succeeded_at }) => (succeeded_at ? formats.instant(succeeded_at) : 'never') },
  ];
  if (mayManage)
    columns.push({
      label: <span class="hidden-label">Actions</span>,
      cell: ({ id, username, paused_at }) => (
        <MailboxActions id={idText(id)} username={username} isPaused={paused_at !== null} />
      ),
    });
  return (
    <>
      {found !== null && /^\d{1,15}$/.test(found) && (
        <p class="notice" role="status">
          Signed in. {formats.count(Number(found))} messages are in the folder.
        </p>
      )}
      <Table
        caption="Where reports arrive by mail"
        columns={columns}
        rows={mailboxes}
        keyOf={({ id }) => id}
        empty="None yet."
      />
      {mayManage && (
        <p>
          <PageLink class="button" to="/settings/mailboxes/add">
            Add a mailbox
          </PageLink>
        </p>
      )}
    </>
  );
}

function MailboxActions({ id, username, isPaused }: { id: string; username: string; isPaused: boolean }) {
  const change = isPaused ? 'resume' : 'pause';
  const label = isPaused ? 'Resume' : 'Pause';
  return (
    <>
      <PostForm action={`/settings/mailboxes/${id}/test`}>
        <button aria-label={`Test ${username}`}>Test</button>
      </PostForm>
      <PostForm action={`/settings/mailboxes/${id}/${change}`}>
        <button aria-label={`${label} ${username}`}>{label}</button>
      </PostForm>
      <PostForm action={`/settings/mailboxes/${id}/remove`}>
        <button aria-label={`Remove ${username}`}>Remove</button>
      </PostForm>
    </>
  );
}
