import { createKey, revokeKey } from '@dmarc-ledger/ledger/for-web';
import { HttpProblem, keyScopes, parseId } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { defineAction } from '../../page/define-page.ts';
import { CopyText } from '../../views/copy-text.tsx';
import { PageLink } from '../../views/page-link.tsx';
import { keysPage } from './keys-page.tsx';

/**
 * Makes a key that its maker owns, so that their role narrows it, and shows it once. The form has its id, so that the
 * same form makes one key, however often the browser sends it.
 */
export const makeKey = defineAction({
  path: '/settings/api-keys',
  right: 'manage keys',
  form: keysPage,
  body: z.object({
    id: z.string().default('').transform(parseId),
    name: z.string().trim().max(100),
    scope: z.enum(keyScopes, 'There is no such scope'),
  }),
  params: z.object({}),
  async run({ db, viewer }, input) {
    const { key } = await createKey(db, viewer.orgId, { ...input, ownerEmail: viewer.email });
    return {
      title: 'The new key',
      body: (
        <section class="panel">
          <h1>The new key</h1>
          <p>Copy it now: only its hash is stored, and it is not shown again.</p>
          <CopyText text={key} />
          <p>
            <PageLink to="/settings/api-keys">Back to the keys</PageLink>
          </p>
        </section>
      ),
    };
  },
});

/** Revokes a key; doing it again changes nothing. */
export const revoke = defineAction({
  path: '/settings/api-keys/:id/revoke',
  right: 'manage keys',
  body: z.object({}),
  params: z.object({ id: z.string().transform((text) => parseId(text) ?? '') }),
  async run({ db, viewer: { orgId } }, { id }) {
    if (id === '') throw new HttpProblem('not_found', { status: 404, error: 'There is no such key' });
    await revokeKey(db, orgId, id);
    return { redirect: '/settings/api-keys' };
  },
});
