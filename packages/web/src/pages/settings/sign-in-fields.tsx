import { PageLink } from '../../views/page-link.tsx';
import { LONGEST } from './mailbox-form.ts';

const PATH = '/settings/mailboxes/add';

interface Entered {
  [name: string]: string | undefined;
}

/** What a mailbox is signed in with. A secret is never shown again, also after a fault. */
export function SignInFields({ auth, entered }: { auth: 'password' | 'oauth'; entered: Entered }) {
  return (
    <>
      <input type="hidden" name="auth" value={auth} />
      {auth === 'oauth' ? <OauthFields entered={entered} /> : <PasswordField />}
    </>
  );
}

function PasswordField() {
  return (
    <>
      <label>
        Password
        <input type="password" name="password" required maxLength={LONGEST.password} autocomplete="new-password" />
      </label>
      <p class="small">
        Microsoft 365 accepts no password: <PageLink to={`${PATH}?auth=oauth`}>sign in with OAuth 2</PageLink>.
      </p>
    </>
  );
}

function OauthFields({ entered: { tokenUrl, clientId, scope } }: { entered: Entered }) {
  return (
    <>
      <p class="small">
        <PageLink to={PATH}>Sign in with a password</PageLink>. What to register at Google and Microsoft is in{' '}
        <a href="/help/mailboxes">the help</a>.
      </p>
      <label>
        Token endpoint
        <input
          type="url"
          name="tokenUrl"
          value={tokenUrl}
          required
          maxLength={LONGEST.tokenUrl}
          placeholder="https://login.example.com/oauth2/v2.0/token"
        />
      </label>
      <label>
        Client
        <input name="clientId" value={clientId} required maxLength={LONGEST.clientId} autocomplete="off" />
      </label>
      <label>
        Secret of the client
        <input type="password" name="clientSecret" maxLength={LONGEST.clientSecret} autocomplete="new-password" />
      </label>
      <label>
        Refresh token, if it is not the client itself that signs in
        <input type="password" name="refreshToken" maxLength={LONGEST.refreshToken} autocomplete="new-password" />
      </label>
      <label>
        Scope
        <input
          name="scope"
          value={scope}
          maxLength={LONGEST.scope}
          placeholder="https://outlook.office365.com/.default"
        />
      </label>
    </>
  );
}
