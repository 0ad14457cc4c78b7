import { listUsers } from '@dmarc-ledger/ledger/for-web';
import { comparableAddress, roles } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { definePage } from '../../page/define-page.ts';
import { useEntered, useFrame } from '../../page/frame.ts';
import { Explain } from '../../views/explain.tsx';
import { Table, type Column } from '../../views/table.tsx';
import { WrittenName } from '../../views/written-name.tsx';
import { PostForm } from '../../views/post-form.tsx';

/** Who belongs to the organization, and what may they do? */
export const peoplePage = definePage({
  path: '/settings/people',
  permission: 'manage people',
  query: z.object({}),
  params: z.object({}),
  async load({ db, viewer: { orgId } }) {
    const people = (await listUsers(db, orgId)).filter(({ removed_at }) => removed_at === null);
    return { title: 'People', body: <People people={people} /> };
  },
});

const INVITE = '/settings/people/invite';

type Person = Awaited<ReturnType<typeof listUsers>>[number];

function People({ people }: { people: readonly Person[] }) {
  const { formats, viewer } = useFrame();
  const entered = useEntered(INVITE);
  const columns: Column<Person>[] = [
    {
      label: 'Address',
      isName: true,
      cell: ({ email }) => (
        <>
          {email}
          <WrittenName domain={email.slice(email.lastIndexOf('@') + 1)} />
        </>
      ),
    },
    { label: 'Role', cell: ({ role }) => role },
    { label: 'Since', cell: ({ created_at }) => formats.instant(created_at) },
    {
      label: <span class="hidden-label">Actions</span>,
      cell: ({ email }) =>
        comparableAddress(email) !== viewer?.email && (
          <PostForm action="/settings/people/remove">
            <input type="hidden" name="email" value={email} />
            <button aria-label={`Remove ${email}`}>Remove</button>
          </PostForm>
        ),
    },
  ];
  return (
    <>
      <h1>People</h1>
      <section class="panel">
        <Table caption="Members" columns={columns} rows={people} keyOf={({ email }) => email} empty="Nobody yet." />
      </section>
      <section class="panel">
        <h2>
          Invite somebody
          <Explain term="roles" />
        </h2>
        <PostForm class="form" action={INVITE}>
          <label>
            E-mail address
            <input type="email" name="email" value={entered['email']} required />
          </label>
          <label>
            Role
            <select name="role">
              {roles.map((role) => (
                <option key={role} value={role} selected={role === (entered['role'] ?? 'viewer')}>
                  {role}
                </option>
              ))}
            </select>
          </label>
          <button class="main">Invite</button>
        </PostForm>
      </section>
    </>
  );
}
