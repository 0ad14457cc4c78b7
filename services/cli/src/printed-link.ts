import { createLink, ensurePerson } from '@dmarc-ledger/ledger';
import { apiEnv, appEnv, readEnv } from '@dmarc-ledger/runtime';
import type { Db, LinkPurpose } from '@dmarc-ledger/schema';
import { instantText } from '@dmarc-ledger/vocabulary';

/** Creates a link that signs a person in once, with the address of the pages that the environment names. */
export async function printedLink(db: Db, email: string, purpose: LinkPurpose) {
  const { APP_URL, PORT } = readEnv({ ...appEnv, ...apiEnv }, process.env);
  const { id } = await ensurePerson(db, email);
  const { token, expiresAt } = await createLink(db, id, purpose);
  const base = APP_URL ?? `http://127.0.0.1:${PORT}`;
  return { url: `${base}/sign-in/link?token=${token}`, expires_at: instantText(expiresAt), token };
}
