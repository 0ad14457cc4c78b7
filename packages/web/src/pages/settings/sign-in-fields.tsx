import { PageLink } from '../../views/page-link.tsx';
import type { Entered } from './mailbox-form.ts';

const PATH = '/settings/mailboxes/add';

/** What a mailbox is signed in with. A secret is never shown again, also after a fault. */
export function SignInFields({ entered }: { entered: Entered }) {
  return (
    <>
      <input type="hidden" name="auth" value={entered.auth} />
      {entered.auth === 'oauth' ? <OauthFields entered={entered} /> : <PasswordField />}
    </>
  );
}

function PasswordField() {
  return (
    <>
      <label>
        Password
        <input type="password" name="password" required maxLength={1_000} autocomplete="new-password" />
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
          maxLength={2_000}
          placeholder="https://login.example.com/oauth2/v2.0/token"
        />
      </label>
      <label>
        Client
        <input name="clientId" value={clientId} required maxLength={320} autocomplete="off" />
      </label>
      <label>
        Secret of the client
        <input type="password" name="clientSecret" maxLength={4_000} autocomplete="new-password" />
      </label>
      <label>
        Refresh token, if it is not the client itself that signs in
        <input type="password" name="refreshToken" maxLength={4_000} autocomplete="new-password" />
      </label>
      <label>
        Scope
        <input
          name="scope"
          value={scope ?? ''}
          maxLength={1_000}
          placeholder="https://outlook.office365.com/.default"
        />
      </label>
    </>
  );
}
