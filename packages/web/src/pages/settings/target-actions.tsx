import { admitConnection } from '@dmarc-ledger/ledger/for-web';
import { HttpProblem, notificationKinds, parseId } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { defineAction } from '../../page/define-page.ts';
import { CopyText } from '../../views/copy-text.tsx';
import { PageLink } from '../../views/page-link.tsx';
import { requireConnection } from './connections.ts';
import { notificationsPage } from './notifications-page.tsx';
import { severities } from './severities.ts';

const params = z.object({ id: z.string().transform((text) => parseId(text) ?? '') });
const HOME = '/settings/notifications';

/**
 * Adds a target of notifications; the secret of a webhook is shown once. The form has an id, so that the same form makes
 * one secret, however often the browser sends it.
 */
export const addTarget = defineAction({
  path: HOME,
  right: 'manage notifications',
  form: notificationsPage,
  body: z.object({
    form: z.string().default('').transform(parseId),
    kind: z.enum(notificationKinds, 'There is no such kind'),
    address: z.string().trim().min(1, 'Give a URL or an address').max(2_000),
    least_severity: z.enum(severities, 'There is no such severity'),
  }),
  params: z.object({}),
  async run({ ask }, input) {
    const { secret, was_known } = await ask({ what: 'add_target', ...input });
    if (typeof secret !== 'string') return { redirect: HOME };
    const title = was_known === true ? 'A new secret for the webhook' : 'The new webhook';
    return {
      title,
      body: (
        <section class="panel">
          <h1>{title}</h1>
          {was_known === true && (
            <p class="notice">
              This webhook existed before: its earlier secret no longer works. It keeps its types of events.
            </p>
          )}
          <p>Its receiver checks signatures with this secret. Copy it now: it is not shown again.</p>
          <CopyText text={secret} />
          <p>
            <PageLink to={HOME}>Back to the notifications</PageLink>
          </p>
        </section>
      ),
    };
  },
});

/** Sends a test event, and says what the receiver answered. */
export const testTarget = defineAction({
  path: '/settings/notifications/:id/test',
  right: 'manage notifications',
  body: z.object({}),
  params,
  async run({ db, viewer, ask }, { id }) {
    requireId(id);
    requireConnection(await admitConnection(db, viewer.orgId));
    const { delivered, status, code } = await ask({ what: 'test_target', id });
    const query = new URLSearchParams({
      tested: delivered === true ? 'delivered' : 'failed',
      answer: [code, status].filter((part) => typeof part === 'string' || typeof part === 'number').join(' '),
    });
    return { redirect: `${HOME}?${query.toString()}` };
  },
});

/** Sends nothing more to a target. Its log stays. */
export const removeTarget = defineAction({
  path: '/settings/notifications/:id/remove',
  right: 'manage notifications',
  body: z.object({}),
  params,
  async run({ ask }, { id }) {
    requireId(id);
    await ask({ what: 'remove_target', id });
    return { redirect: HOME };
  },
});

function requireId(id: string): void {
  if (id === '') throw new HttpProblem('not_found', { status: 404, error: 'There is no such target' });
}
