import { serviceOf } from '@dmarc-ledger/sources';
import type { SpfAddress } from './spf-mail.ts';

/** False for a service that forwards mail and sends nothing of its own, unless a person decided otherwise. */
export function isOwn({ slug, decision }: Pick<SpfAddress, 'slug' | 'decision'>): boolean {
  return decision === 'ours' || slug === null || serviceOf(slug)?.forwarder !== true;
}
