import { listKeys } from '@dmarc-ledger/ledger/for-web';
import { idText, type KeyScope, keyScopes, newId } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { definePage } from '../../page/define-page.ts';
import { useEntered, useFrame } from '../../page/frame.ts';
import { Table, type Column } from '../../views/table.tsx';
import { PostForm } from '../../views/post-form.tsx';

/** Which programs read or send as us? */
export const keysPage = definePage({
  path: '/settings/api-keys',
  permission: 'manage keys',
  query: z.object({}),
  params: z.object({}),
  async load({ db, viewer: { orgId } }) {
    return { title: 'API keys', body: <Keys keys={await listKeys(db, orgId)} /> };
  },
});

const scopeLabels: { [scope in KeyScope]: string } = {
  read: 'read: everything that v1 answers',
  ingest: 'ingest: only sends reports in',
  full: 'full',
};
const MAKE = '/settings/api-keys';

type Key = Awaited<ReturnType<typeof listKeys>>[number];

function Keys({ keys }: { keys: readonly Key[] }) {
  const { formats } = useFrame();
  const entered = useEntered(MAKE);
  const columns: Column<Key>[] = [
    {
      label: 'Key',
      isName: true,
      cell: ({ prefix, last_four, name }) => (
        <>
          <code>{`dml_${prefix}_…${last_four}`}</code>
          <div class="soft small">{name}</div>
        </>
      ),
    },
    { label: 'Scope', cell: ({ scope }) => scope },
    { label: 'Owner', isName: true, cell: ({ owner }) => owner ?? 'none' },
    { label: 'Last used', cell: ({ last_used_at }) => (last_used_at ? formats.instant(last_used_at) : 'never') },
    { label: 'Expires', cell: ({ expires_at }) => (expires_at ? formats.instant(expires_at) : 'never') },
    {
      label: <span class="hidden-label">Actions</span>,
      cell: ({ id, revoked_at, prefix }) =>
        revoked_at ? (
          <span class="soft">revoked {formats.instant(revoked_at)}</span>
        ) : (
          <PostForm action={`/settings/api-keys/${idText(id)}/revoke`}>
            <button aria-label={`Revoke dml_${prefix}`}>Revoke</button>
          </PostForm>
        ),
    },
  ];
  return (
    <>
      <h1>API keys</h1>
      <p>
        Programs use them with the <a href="/docs">API</a>. A key is shown once, when it is made.
      </p>
      <section class="panel">
        <Table caption="Newest first" columns={columns} rows={keys} keyOf={({ id }) => id} empty="No key yet." />
      </section>
      <section class="panel">
        <h2>Make a key</h2>
        <PostForm class="form" action={MAKE}>
          <input type="hidden" name="id" value={idText(newId())} />
          <label>
            What it is for
            <input name="name" value={entered['name']} maxLength={100} required />
          </label>
          <label>
            Scope
            <select name="scope">
              {keyScopes.map((scope) => (
                <option key={scope} value={scope} selected={scope === entered['scope']}>
                  {scopeLabels[scope]}
                </option>
              ))}
            </select>
          </label>
          <button class="main">Make the key</button>
        </PostForm>
      </section>
    </>
  );
}
