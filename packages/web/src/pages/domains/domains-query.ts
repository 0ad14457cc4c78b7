import { codesOf, dmarcPolicies, verificationStates } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { searchText } from '../../page/paging.ts';

const sorts = ['score', 'domain', 'compliance', 'messages', 'items'] as const;
/** The filter and the sort of the list of domains. */
export const domainsQuery = z.object({
  search: searchText,
  policy: z.enum(codesOf(dmarcPolicies)).optional().catch(undefined),
  state: z.enum(codesOf(verificationStates)).optional().catch(undefined),
  /** Only those that need somebody, as the overview counts them. */
  needs: z.literal('1').optional().catch(undefined),
  format: z.enum(['csv']).optional().catch(undefined),
  sort_by: z.enum(sorts).catch('score'),
  sort_dir: z.enum(['asc', 'desc']).catch('asc'),
});
export type DomainsQuery = z.output<typeof domainsQuery>;
