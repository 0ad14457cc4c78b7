import type { LinkPurpose } from '@dmarc-ledger/schema';
import type { Shown } from '../page/define-page.ts';

interface SignInPageProps {
  next: string;
  email: string;
  fault?: string;
  /** The name of the identity provider, if there is one. */
  provider: string | undefined;
  /** Whether a link may be asked for by mail. */
  canMail: boolean;
}

/** The ways to sign in: at the identity provider, with a password, and how to without either. */
export function signInPage({ next, email, fault, provider, canMail }: SignInPageProps): Shown {
  return {
    title: 'Sign in',
    body: (
      <div class="alone">
        <section class="panel">
          <h1>DMARC Ledger</h1>
          {fault && (
            <p class="notice error" role="alert">
              {fault}
            </p>
          )}
          {provider !== undefined && (
            <p>
              <a class="button main" href={`/sign-in/provider?next=${encodeURIComponent(next)}`}>
                Sign in with {provider}
              </a>
            </p>
          )}
          <form class="form" method="post" action="/sign-in">
            <input type="hidden" name="next" value={next} />
            <label>
              E-mail address
              <input type="email" name="email" value={email} autocomplete="username" required />
            </label>
            <label>
              Password
              <input type="password" name="password" autocomplete="current-password" required />
            </label>
            <button class="main">Sign in</button>
          </form>
        </section>
        {canMail && (
          <details class="small">
            <summary>Forgot the password?</summary>
            <form class="form" method="post" action="/sign-in/forgot">
              <label>
                Your address
                <input type="email" name="email" value={email} autocomplete="username" required />
              </label>
              <button>Mail me a link</button>
            </form>
          </details>
        )}
        <p class="soft small">
          No password yet, or forgotten? Whoever runs this server gets you a link that works once:{' '}
          <code>dmarc-ledger sign-in you@example.com</code>
        </p>
      </div>
    ),
  };
}

/** The same for every address, whether it belongs to somebody or not. */
export function forgotPage(): Shown {
  return {
    title: 'Sign in',
    body: (
      <div class="alone">
        <section class="panel">
          <h1>Look into your mail</h1>
          <p>If the address belongs to a member, a link that works once is on its way. It ends in an hour.</p>
          <p>
            Nothing arrives? This server may send no mail: whoever runs it prints a link with{' '}
            <code>dmarc-ledger sign-in you@example.com</code>.
          </p>
          <p>
            <a href="/sign-in">Back</a>
          </p>
        </section>
      </div>
    ),
  };
}

interface LinkPageProps {
  token: string;
  next: string;
  link: { email: string; purpose: LinkPurpose } | undefined;
}

/** One click from a link to the pages. */
export function linkPage({ token, next, link }: LinkPageProps): Shown {
  return {
    title: 'Sign in',
    body: (
      <div class="alone">
        <section class="panel">
          <h1>DMARC Ledger</h1>
          {link ? (
            <form class="form" method="post" action="/sign-in/link">
              <input type="hidden" name="token" value={token} />
              <input type="hidden" name="next" value={next} />
              <p>
                Sign in as <strong>{link.email}</strong>. The link works once.
              </p>
              <button class="main">Continue</button>
            </form>
          ) : (
            <>
              <p>This link was used already, or it has expired.</p>
              <p>
                <code>dmarc-ledger sign-in you@example.com</code> makes a new one, or{' '}
                <a href="/sign-in">sign in with a password</a>.
              </p>
            </>
          )}
        </section>
      </div>
    ),
  };
}
