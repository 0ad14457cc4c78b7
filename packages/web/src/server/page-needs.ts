import { dayOf, idText } from '@dmarc-ledger/vocabulary';
import type { PageNeeds } from '../page/define-page.ts';
import type { Viewer } from '../page/viewer.ts';
import { openRaw } from './open-raw.ts';
import type { WebNeeds } from './web-needs.ts';

/** What a page reads with: the viewer's organization alone, by the role of the pages. */
export function pageNeedsOf(needs: WebNeeds, viewer: Viewer): PageNeeds {
  const { reads, heavyReads, caches, now, onRawRead } = needs;
  const instant = now();
  return {
    db: reads.of(viewer.orgId),
    viewer,
    caller: {
      orgId: viewer.orgId,
      keyId: '',
      scope: 'full',
      permissions: viewer.permissions,
      plan: '',
      hourlyQuota: null,
    },
    now: instant,
    today: dayOf(instant.getTime() / 1_000),
    expensively: async (work) => await work(heavyReads.of(viewer.orgId)),
    caches,
    async openRaw(request) {
      const { orgId, email } = viewer;
      const opened = await openRaw(needs, orgId, request);
      onRawRead({ email, orgId, what: request.what, id: idText(request.id) });
      return opened;
    },
    get meter(): never {
      throw new TypeError('pages are not metered');
    },
  };
}
