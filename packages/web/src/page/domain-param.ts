import { isDomainName, normalizeDomain } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';

/** The domain of a page's path, in any of its forms. */
export const domainParams = z.object({
  domain: z.string().transform(normalizeDomain).refine(isDomainName, 'This is no domain name'),
});
