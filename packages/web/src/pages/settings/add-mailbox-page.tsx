import { admitConnection } from '@dmarc-ledger/ledger/for-web';
import { z } from 'zod';
import { defineAction, definePage } from '../../page/define-page.ts';
import { useEntered } from '../../page/frame.ts';
import { PageLink } from '../../views/page-link.tsx';
import { requireConnection } from './connections.ts';
import { PostForm } from '../../views/post-form.tsx';
import { auth, body, LONGEST, signInOf, USUAL_PORT } from './mailbox-form.ts';
import { SignInFields } from './sign-in-fields.tsx';

const PATH = '/settings/mailboxes/add';

/** The form for a mailbox, with the fields of a password, or of OAuth. */
export const addMailboxPage = definePage({
  path: PATH,
  permission: 'manage mailboxes',
  query: z.object({ auth }),
  params: z.object({}),
  load: async (_, given) => ({ title: 'Add a mailbox', body: <AddMailbox {...given} /> }),
});

/** Signs in to the mailbox, and adds it when that worked. */
export const addMailboxAction = defineAction({
  path: PATH,
  right: 'manage mailboxes',
  form: addMailboxPage,
  body,
  params: z.object({}),
  async run({ db, viewer, ask }, entered) {
    requireConnection(await admitConnection(db, viewer.orgId));
    const { host, tls, username, folder, ca } = entered;
    const port = entered.port ?? USUAL_PORT[tls];
    const signIn = signInOf(entered);
    const by = { email: viewer.email, role: viewer.role };
    const { messages } = await ask({ what: 'add_mailbox', host, port, tls, username, folder, ca, signIn, by });
    return { redirect: `/settings/ingest?mailbox=${typeof messages === 'number' ? messages : 0}` };
  },
});

function AddMailbox({ auth: kind }: { auth: z.output<typeof auth> }) {
  const entered = useEntered(PATH);
  const { host, port, tls, username, folder = 'INBOX', ca } = entered;
  return (
    <>
      <p class="small">
        <PageLink to="/settings/ingest">Intake</PageLink>
      </p>
      <h1>Add a mailbox</h1>
      <section class="panel">
        <p>
          It is signed in to before it is added. Mail with reports is moved to the folder <code>Processed</code>, mail
          in which nothing can be read to <code>Refused</code>.
        </p>
        <PostForm class="form" action={PATH}>
          <label>
            IMAP server
            <input name="host" value={host} required maxLength={LONGEST.host} placeholder="imap.example.com" />
          </label>
          <label>
            Encryption
            <select name="tls">
              <option value="implicit" selected={tls !== 'starttls'}>
                TLS, port 993
              </option>
              <option value="starttls" selected={tls === 'starttls'}>
                STARTTLS, port 143
              </option>
            </select>
          </label>
          <label>
            User name
            <input name="username" value={username} required maxLength={LONGEST.username} autocomplete="off" />
          </label>
          <SignInFields auth={kind} entered={entered} />
          <label>
            Folder
            <input name="folder" value={folder} required maxLength={LONGEST.folder} />
          </label>
          <details open={Boolean(ca || port)}>
            <summary>A server of your own</summary>
            <label>
              Another port
              <input name="port" value={port} inputMode="numeric" maxLength={LONGEST.port} />
            </label>
            <label>
              The authority that signed its certificate, as PEM
              <textarea name="ca" rows={4} maxLength={LONGEST.ca}>
                {ca}
              </textarea>
            </label>
          </details>
          <button class="main">Sign in and add</button>
        </PostForm>
      </section>
    </>
  );
}
