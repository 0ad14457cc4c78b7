import { isDomainName, normalizeDomain, present } from '@dmarc-ledger/vocabulary';
import type { ReportHeader } from '@dmarc-ledger/dmarc';

/** The claims of a report's file name. A hint only: the content decides. */
export interface FileNameHint {
  domain: string;
  begin: number;
  end: number;
}

const FILE_NAME = /^[^!]+!([^!]+)!(\d{1,12})!(\d{1,12})(?:![A-Za-z0-9]+)?\.(?:xml|xml\.gz|zip|xml\.zip|gz)$/;

/** receiver "!" policy-domain "!" begin "!" end. (RFC 9990, 3.5.2) */
export function readFileName(name: string | null | undefined): FileNameHint | null {
  const match = FILE_NAME.exec(name?.slice(-MAX_NAME).split(/[\\/]/).at(-1) ?? '');
  if (!match) return null;
  const domain = normalizeDomain(present(match[1]));
  return isDomainName(domain) ? { domain, begin: Number(match[2]), end: Number(match[3]) } : null;
}

const MAX_NAME = 600;

/** True when the name contradicts the content's domain or window. */
export function disagrees(hint: FileNameHint, { metadata, policyPublished }: ReportHeader): boolean {
  return (
    hint.domain !== policyPublished.domain ||
    (metadata.begin !== null && hint.begin !== metadata.begin) ||
    (metadata.end !== null && hint.end !== metadata.end)
  );
}
