import { z } from 'zod';

/** The most characters of each text of the form. */
export const LONGEST = {
  host: 253,
  port: 5,
  username: 320,
  password: 1_000,
  tokenUrl: 2_000,
  clientId: 320,
  clientSecret: 4_000,
  refreshToken: 4_000,
  scope: 1_000,
  folder: 200,
  ca: 16_000,
};

const field = (name: keyof typeof LONGEST, words: string) =>
  z.string().max(LONGEST[name], `${words} has at most ${LONGEST[name]} characters`).default('');
const trimmed = (text: string) => text.trim();
const optional = (text: string) => text.trim() || null;
export const auth = z.enum(['password', 'oauth']).catch('password');
/** The form for a mailbox, as it is posted. A text that is too long is refused: the mailbox without it is another. */
export const body = z.object({
  auth,
  host: field('host', 'The name of the server').transform(trimmed),
  port: field('port', 'The port')
    .refine((text) => /^\d*$/.test(text.trim()), 'The port is a number')
    .transform((text) => (text.trim() === '' ? undefined : Number(text))),
  tls: z.enum(['implicit', 'starttls']).catch('implicit'),
  username: field('username', 'The user name').transform(trimmed),
  password: field('password', 'The password'),
  tokenUrl: field('tokenUrl', 'The token endpoint').transform(trimmed),
  clientId: field('clientId', 'The client').transform(trimmed),
  clientSecret: field('clientSecret', 'The secret of the client').transform(optional),
  refreshToken: field('refreshToken', 'The refresh token').transform(optional),
  scope: field('scope', 'The scope').transform(optional),
  folder: field('folder', 'The folder').transform((text) => text.trim() || 'INBOX'),
  ca: field('ca', 'The certificate of the authority').transform(optional),
});

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
}: z.output<typeof body>): object {
  if (kind === 'password') return { auth: kind, password };
  return { auth: kind, tokenUrl, clientId, clientSecret, refreshToken, scope };
}
