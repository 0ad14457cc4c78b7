const NEVER = /^(?:image|audio|video|font|model)\//;
const NEVER_EITHER = new Set(['text/html', 'application/pdf', 'application/javascript', 'text/css']);

/**
 * The media types of an upload. The content decides what it is; types that cannot contain a report are refused at once.
 */
export function isAcceptedType(contentType: string | undefined): boolean {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  return !NEVER.test(type) && !NEVER_EITHER.has(type);
}
