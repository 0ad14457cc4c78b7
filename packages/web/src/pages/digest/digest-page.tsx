import { digestHtml, digestOf, latestIssue, periodOf, type Frequency } from '@dmarc-ledger/digest';
import { findDigestFacts } from '@dmarc-ledger/facts';
import { listSubscriptions, type Subscription } from '@dmarc-ledger/ledger/for-web';
import { comparableAddress } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { definePage } from '../../page/define-page.ts';
import { withFilter } from '../../page/filter.ts';
import { useEntered, useFrame } from '../../page/frame.ts';
import { PageLink } from '../../views/page-link.tsx';
import { PostForm } from '../../views/post-form.tsx';

const CHOOSE = '/digest';
const labels: { [frequency in Frequency | 'off']: string } = {
  weekly: 'every Monday',
  daily: 'every morning',
  off: 'never',
};

/** What does the digest say, and do I get it? */
export const digestPage = definePage({
  path: '/digest',
  permission: 'get digests',
  query: z.object({}),
  params: z.object({}),
  async load({ db, viewer: { orgId, email } }) {
    const own = (await listSubscriptions(db, orgId)).find((each) => comparableAddress(each.email) === email);
    return { title: 'Digest', body: <Digest own={own} /> };
  },
});

/** The newest digest as it would be sent to the viewer, as a page of its own: what a mail looks like. */
export const previewPage = definePage({
  path: '/digest/preview',
  permission: 'get digests',
  query: z.object({ frequency: z.enum(['daily', 'weekly']).catch('weekly') }),
  params: z.object({}),
  async load({ db, viewer: { orgId, orgName: organization, email, permissions }, now, today }, { frequency }) {
    const own = (await listSubscriptions(db, orgId)).find((each) => comparableAddress(each.email) === email);
    const period = periodOf(frequency, latestIssue(frequency, now));
    const seesEvents = permissions.has('alert:read');
    const asked = { period, domains: own?.domains ?? [], organization, seesEvents, today };
    const digest = digestOf(await findDigestFacts(db, orgId, asked));
    return { document: digestHtml(digest, { home: undefined, unsubscribe: undefined }) };
  },
});

function Digest({ own }: { own: Subscription | undefined }) {
  const { formats, url } = useFrame();
  const preview = (frequency: Frequency) => withFilter(url, '/digest/preview', { frequency });
  const entered = useEntered(CHOOSE);
  const chosen = entered['frequency'] ?? own?.frequency ?? 'off';
  return (
    <>
      <h1>Digest</h1>
      <section class="panel">
        <h2>By mail</h2>
        <p>
          What happened, what to do first, and what would be ready for a stricter policy. It is also sent when nothing
          happened: if none comes, something is wrong.
        </p>
        <PostForm class="form" action={CHOOSE}>
          <label>
            Send it to me
            <select name="frequency">
              {(['weekly', 'daily', 'off'] as const).map((frequency) => (
                <option key={frequency} value={frequency} selected={frequency === chosen}>
                  {labels[frequency]}
                </option>
              ))}
            </select>
          </label>
          <label>
            Only about these domains
            <textarea name="domains" rows={3} placeholder="all of them">
              {entered['domains'] ?? own?.domains.join('\n')}
            </textarea>
          </label>
          <button class="main">Save</button>
        </PostForm>
        {own && (
          <p class="soft small">
            The next one is due on {formats.day(own.due_day)} at 07:00 UTC.
            {own.sent_day && ` The last was that of ${formats.day(own.sent_day)}.`}
            {own.error_code && ` It could not be sent: ${own.error_code}.`}
          </p>
        )}
      </section>
      <section class="panel">
        <h2>Preview</h2>
        <p>
          <PageLink to={preview('weekly')}>The newest weekly one</PageLink>, and{' '}
          <PageLink to={preview('daily')}>the newest daily one</PageLink>, as they would be sent.
        </p>
      </section>
    </>
  );
}
