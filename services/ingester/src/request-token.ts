import { requestToken } from '@dmarc-ledger/inlets';
import { isPublicAddress } from '@dmarc-ledger/lookups';
import type { RequestToken } from '@dmarc-ledger/pipeline';

/** Requests a token; from an endpoint that was entered on the pages, only at public addresses. */
export const requestAnyToken: RequestToken = ({ isPublicOnly, ...input }) =>
  requestToken({ ...input, isAllowed: isPublicOnly ? isPublicAddress : undefined });
