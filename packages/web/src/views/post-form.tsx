import { idText } from '@dmarc-ledger/vocabulary';
import type { FormHTMLAttributes } from 'preact';
import { useFrame } from '../page/frame.ts';

/**
 * A form that changes something of the organization. It says of which one its page is: by the time it is sent, another
 * may have been chosen in another tab, or its person may belong to this one no more.
 */
export function PostForm({ action, ...form }: FormHTMLAttributes & { action: string }) {
  const { viewer } = useFrame();
  const query = viewer ? `?${new URLSearchParams({ org: idText(viewer.orgId) }).toString()}` : '';
  return <form {...form} method="post" action={`${action}${query}`} />;
}
