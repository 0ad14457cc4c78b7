import { ReportError } from '../errors.ts';
import { MAX_ROOTS } from '../limits.ts';

/** The text of one `<feedback>` element, and the text before it; a root that is never closed has no end. */
export interface Segment {
  before: string;
  text: string;
  isClosed: boolean;
}

const ROOT_TAG = /<(\/?)(?:[\w.-]+:)?feedback(?=[\s/>])[^<>]*>/gi;

/** Every feedback element of a text, in order, and what follows the last; of more than a document may have none. */
export function feedbackSegments(text: string): { segments: Segment[]; after: string } {
  const segments: Segment[] = [];
  let from = 0;
  let open: number | null = null;
  const add = (end: number, isClosed: boolean) => {
    if (open !== null) segments.push({ before: text.slice(from, open), text: text.slice(open, end), isClosed });
    if (segments.length > MAX_ROOTS)
      throw new ReportError('too_many_reports', `more than ${MAX_ROOTS} reports in a document`);
    from = end;
    open = null;
  };
  for (const tag of text.matchAll(ROOT_TAG)) {
    const end = tag.index + tag[0].length;
    if (tag[1] === '/') add(end, true);
    else {
      if (open !== null) add(tag.index, false);
      open = tag.index;
      if (tag[0].endsWith('/>')) add(end, true);
    }
  }
  if (open !== null) add(text.length, false);
  return { segments, after: text.slice(from) };
}
