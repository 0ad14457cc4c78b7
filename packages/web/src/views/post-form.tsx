import { idText } from '@dmarc-ledger/vocabulary';
import type { FormHTMLAttributes } from 'preact';
import { type Frame, useFrame } from '../page/frame.ts';

/**
 * A form that changes something of the organization. It says of which one its page is: by the time it is sent, another
 * may have been chosen in another tab, or its person may belong to this one no more.
 */
export function PostForm({ action, ...form }: FormHTMLAttributes & { action: string }) {
  return <form {...form} method="post" action={`${action}${queryOf(useFrame())}`} />;
}

/** After a refusal, the browser has the page under the address of the refused form, so its forms name the page. */
function queryOf({ viewer, refused, url }: Frame): string {
  if (!viewer) return '';
  const from = refused && { from: url.pathname + url.search };
  return `?${new URLSearchParams({ org: idText(viewer.orgId), ...from }).toString()}`;
}
