import { addUser, createLink, createOrganization, ensurePerson } from '@dmarc-ledger/ledger';
import { freePort } from '@dmarc-ledger/local-postgres';
import { openReads, webRole } from '@dmarc-ledger/schema';
import { cloneDatabase, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { openBrowser, type TestBrowser } from '@dmarc-ledger/testkit/browser';
import { idText, type Role } from '@dmarc-ledger/vocabulary';
import { makeWeb, type WebOptions } from '@dmarc-ledger/web';
import type { Browser, Page } from 'playwright-core';

/** The pages on a database of their own, with a browser. */
export interface PagesWorld extends AsyncDisposable {
  database: ClonedDatabase;
  /** The first organization, and its owner's address. */
  orgId: string;
  owner: string;
  origin: string;
  browser: TestBrowser;
  /** What the server reported as its own faults. */
  faults: unknown[];
  /** The attempts to sign in that the server reported. */
  attempts: Parameters<WebOptions['onSignIn']>[0][];
  /** The path that a form on a page of this organization is sent to. */
  form(path: string, orgId?: string): string;
  /** Adds a member, and returns a link that signs them in. */
  linkFor(email: string, role: Role, orgId?: string): Promise<string>;
  /** A browser of its own, signed in by a link. */
  signedIn(email?: string, role?: Role, orgId?: string, options?: Parameters<Browser['newContext']>[0]): Promise<Page>;
}

interface PagesWorldOptions {
  /** The identity provider for pages at this address. */
  identityProvider?: (origin: string) => Promise<WebOptions['identityProvider']>;
  /** An ingester on this database, which the pages send uploads and settings on to. */
  ingestUrl?: (database: ClonedDatabase) => Promise<string | null>;
}

export async function openPagesWorld({ identityProvider, ingestUrl }: PagesWorldOptions = {}): Promise<PagesWorld> {
  const database = await cloneDatabase();
  const { db } = database;
  const { id: orgId } = await createOrganization(db, { name: 'Example Ltd' });
  const owner = 'owner@example.com';
  await addUser(db, orgId, { email: owner, role: 'owner' });
  const reads = openReads(database.url, { role: webRole });
  const faults: unknown[] = [];
  const attempts: PagesWorld['attempts'] = [];
  const port = identityProvider ? await freePort() : 0;
  const appUrl = `http://127.0.0.1:${port}`;
  const web = await makeWeb({
    reads,
    heavyReads: reads,
    ingestUrl: (await ingestUrl?.(database)) ?? undefined,
    ...(identityProvider && { appUrl, identityProvider: await identityProvider(appUrl) }),
    onFault: (error) => faults.push(error),
    onSignIn: (attempt) => attempts.push(attempt),
  });
  const origin = await web.listen({ host: '127.0.0.1', port });
  const browser = await openBrowser();

  const linkFor = async (email: string, role: Role, org = orgId) => {
    if (email !== owner || org !== orgId) await addUser(db, org, { email, role });
    const person = await ensurePerson(db, email);
    const { token } = await createLink(db, person.id, 'sign_in');
    return `${origin}/sign-in/link?token=${token}`;
  };

  return {
    database,
    orgId,
    owner,
    origin,
    browser,
    faults,
    attempts,
    form: (path, org = orgId) => `${path}?org=${idText(org)}`,
    linkFor,
    async signedIn(email = owner, role = 'owner', org = orgId, options = {}) {
      const profile = await browser.profile({ baseURL: origin, ...options });
      const page = await profile.newPage();
      await page.goto(await linkFor(email, role, org));
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.waitForURL(({ pathname }) => !pathname.startsWith('/sign-in'));
      return page;
    },
    async [Symbol.asyncDispose]() {
      await browser[Symbol.asyncDispose]();
      await web.close();
      await reads.close();
      await database[Symbol.asyncDispose]();
      if (faults.length > 0) throw new AggregateError(faults, 'the server reported faults of its own');
    },
  };
}
