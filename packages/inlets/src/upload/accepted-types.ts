const NEVER = /^(?:image|audio|video|font|model)\//;
const NEVER_EITHER = new Set(['text/html', 'application/pdf', 'application/javascript', 'text/css']);

/**
 * What a report may be sent as. The content decides what it is; types that can hold no report are turned away at once.
 */
export function isAcceptedType(contentType: string | undefined): boolean {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  return !NEVER.test(type) && !NEVER_EITHER.has(type);
}
