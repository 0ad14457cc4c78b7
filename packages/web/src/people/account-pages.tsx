import type { ActiveSession, findIdentity, listSessions } from '@dmarc-ledger/ledger/for-web';
import { idText } from '@dmarc-ledger/vocabulary';
import type { Shown } from '../page/define-page.ts';
import { useFrame } from '../page/frame.ts';

type Sessions = Awaited<ReturnType<typeof listSessions>>;

interface AccountPageProps {
  session: ActiveSession;
  sessions: Sessions;
  hasPassword: boolean;
  /** The identity provider, if there is one, and the person's account there. */
  provider: { name: string; identity: Awaited<ReturnType<typeof findIdentity>> } | undefined;
  fault: string | undefined;
  shortest: number;
}

export function accountPage(props: AccountPageProps): Shown {
  return { title: 'Your account', body: <Account {...props} /> };
}

function Account({ session, sessions, hasPassword, provider, fault, shortest }: AccountPageProps) {
  const { url } = useFrame();
  const mustProve = hasPassword && !session.isAddressProven;
  return (
    <>
      <h1>Your account</h1>
      {url.searchParams.get('saved') === 'password' && (
        <p class="notice" role="status">
          The password is set. All your other sessions have ended.
        </p>
      )}
      {fault && (
        <p class="notice error" role="alert">
          {fault}
        </p>
      )}
      <div class="columns">
        <section class="panel">
          <h2>{hasPassword ? 'Change the password' : 'Set a password'}</h2>
          <form class="form" method="post" action="/account/password">
            <label>
              E-mail address
              <input type="email" name="username" value={session.email} autocomplete="username" readOnly />
            </label>
            {mustProve && (
              <label>
                Present password
                <input type="password" name="current" autocomplete="current-password" required />
              </label>
            )}
            <label>
              New password, {shortest} characters or more
              <input type="password" name="password" autocomplete="new-password" minLength={shortest} required />
            </label>
            <button class="main">Save</button>
          </form>
        </section>
        <SessionList session={session} sessions={sessions} />
        {provider && <LinkedAccount {...provider} />}
      </div>
    </>
  );
}

function LinkedAccount({ name, identity }: NonNullable<AccountPageProps['provider']>) {
  const { formats } = useFrame();
  return (
    <section class="panel">
      <h2>{name}</h2>
      {identity ? (
        <form method="post" action="/account/identity/remove">
          <p>
            Linked since {formats.instant(identity.created_at)}, last used {formats.instant(identity.last_used_at)}.
          </p>
          <button>Unlink</button>
        </form>
      ) : (
        <p>Not linked. The first sign-in there with your address links it.</p>
      )}
    </section>
  );
}

const WAYS = { link: 'by link', password: 'by password', oidc: 'by identity provider' };

function SessionList({ session, sessions }: Pick<AccountPageProps, 'session' | 'sessions'>) {
  const { formats } = useFrame();
  return (
    <section class="panel">
      <h2>Where you are signed in</h2>
      <ul class="items">
        {sessions.map(({ id, signed_in_by, user_agent, address, last_seen_at }) => (
          <li key={id}>
            {id === session.id ? <strong>This browser</strong> : user_agent || 'Unknown browser'}
            <p class="soft small">
              {WAYS[signed_in_by]}, from {address}, last used {formats.instant(last_seen_at)}
            </p>
            {id !== session.id && (
              <form method="post" action={`/account/sessions/${idText(id)}/end`}>
                <button>End this session</button>
              </form>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
