import { z } from 'zod';

const field = (most: number) => z.string().max(most).catch('');
const optional = (most: number) => field(most).transform((text) => text.trim() || null);
export const auth = z.enum(['password', 'oauth']).catch('password');
/** The form for a mailbox, as it is posted. */
export const body = z.object({
  auth,
  host: field(253).transform((text) => text.trim()),
  port: field(5).transform((text) => (/^\d+$/.test(text.trim()) ? Number(text) : undefined)),
  tls: z.enum(['implicit', 'starttls']).catch('implicit'),
  username: field(320).transform((text) => text.trim()),
  password: field(1_000),
  tokenUrl: field(2_000).transform((text) => text.trim()),
  clientId: field(320).transform((text) => text.trim()),
  clientSecret: optional(4_000),
  refreshToken: optional(4_000),
  scope: optional(1_000),
  folder: field(200).transform((text) => text.trim() || 'INBOX'),
  ca: field(16_000).transform((text) => text.trim() || null),
});
export type Entered = z.output<typeof body>;

export const USUAL_PORT = { implicit: 993, starttls: 143 };

/** How the mailbox is signed in to, as the ingester takes it. */
export function signInOf({
  auth: kind,
  password,
  tokenUrl,
  clientId,
  clientSecret,
  refreshToken,
  scope,
}: Entered): object {
  if (kind === 'password') return { auth: kind, password };
  return { auth: kind, tokenUrl, clientId, clientSecret, refreshToken, scope };
}
