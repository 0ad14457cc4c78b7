import type { RawRecord } from '../xml/raw-report.ts';

const LEAK = '=HASH(0x';

/**
 * True when a value is the printed reference of a Perl object: the reporter's template failed, and so did its figures.
 */
export function hasTemplateLeak({ row, identifiers, auth_results }: RawRecord): boolean {
  return (
    leaks(
      row?.source_ip,
      row?.count,
      row?.policy_evaluated?.disposition,
      row?.policy_evaluated?.dkim,
      row?.policy_evaluated?.spf,
    ) ||
    leaks(identifiers?.header_from, identifiers?.envelope_from, identifiers?.envelope_to) ||
    (auth_results?.dkim?.some(({ domain, result }) => leaks(domain, result)) ?? false) ||
    (auth_results?.spf?.some(({ domain, result }) => leaks(domain, result)) ?? false)
  );
}

function leaks(...texts: (string | null | undefined)[]): boolean {
  return texts.some((text) => text != null && text.length > LEAK.length && text.includes(LEAK));
}
