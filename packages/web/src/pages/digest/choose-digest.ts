import { frequencies } from '@dmarc-ledger/digest';
import { subscribe, unsubscribe } from '@dmarc-ledger/ledger/for-web';
import { isDomainName, normalizeDomain } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { defineAction } from '../../page/define-page.ts';
import { digestPage } from './digest-page.tsx';

const MOST_DOMAINS = 100;

/** Names with commas, spaces or line breaks between. */
const domains = z
  .string()
  .max(30_000)
  .transform((text) => [
    ...new Set(
      text
        .split(/[\s,]+/)
        .filter(Boolean)
        .map(normalizeDomain),
    ),
  ])
  .refine((names) => names.every(isDomainName), 'One of these is no domain name')
  .refine((names) => names.length <= MOST_DOMAINS, `At most ${MOST_DOMAINS} domains`);

/** How often the person who is signed in gets the digest of this organization. */
export const chooseDigest = defineAction({
  path: '/digest',
  right: 'get digests',
  form: digestPage,
  body: z.object({ frequency: z.enum([...frequencies, 'off'], 'There is no such frequency'), domains }),
  params: z.object({}),
  async run({ db, viewer: { orgId, email }, now }, wanted) {
    const { frequency } = wanted;
    if (frequency === 'off') await unsubscribe(db, orgId, email);
    else await subscribe(db, orgId, email, { frequency, domains: wanted.domains, now });
    return { redirect: '/digest' };
  },
});
