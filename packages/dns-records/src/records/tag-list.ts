import { cutText, trimAsciiSpace } from '@dmarc-ledger/vocabulary';

/** A record of `name=value` pairs separated by semicolons. */
export interface TagList {
  /** Values by name, in lower case unless it is asked for as written; the first value of a repeated name. */
  tags: ReadonlyMap<string, string>;
  /** Names that occur more than once. */
  repeated: string[];
  /** Parts that are not pairs. */
  broken: string[];
}

/** A zone of a stranger may have any number. */
const STRAYS = 5;
const QUOTED = /^\s*["'`\u2018-\u201F]/;
const NAME = /^[a-z][\w-]*$/i;

/**
 * Reads a tag list in the syntax of DMARC, DKIM, BIMI and APRF: whitespace around separators is ignored. (RFC 6376,
 * 3.2; rules, domain-checks/tag-lists)
 * @param asWritten names keep their case, as in a DKIM key
 */
export function readTagList(text: string, { asWritten = false } = {}): TagList {
  const tags = new Map<string, string>();
  const repeated = new Set<string>();
  const broken: string[] = [];
  for (const piece of text.split(';')) {
    const trimmed = trimAsciiSpace(piece);
    if (trimmed === '') continue;
    const equals = trimmed.indexOf('=');
    const written = trimAsciiSpace(trimmed.slice(0, Math.max(equals, 0)));
    const name = asWritten ? written : written.toLowerCase();
    if (!NAME.test(name)) broken.push(cutText(trimmed, 60));
    else if (tags.has(name)) repeated.add(name);
    else tags.set(name, trimAsciiSpace(trimmed.slice(equals + 1)));
  }
  return { tags, repeated: [...repeated], broken };
}

/** Returns the texts that are records of this kind: their first tag is the exact version. */
export function candidatesOf(texts: readonly string[], version: string): string[] {
  const isCandidate = new RegExp(`^[ \\t\\r\\n]*v[ \\t\\r\\n]*=[ \\t\\r\\n]*${version}[ \\t\\r\\n]*(?:;|$)`);
  return texts.filter((text) => isCandidate.test(text));
}

/** Notes the texts that are meant as a record of this kind, and are none as they begin otherwise. */
export function strayNotes(texts: readonly string[], meant: RegExp, begin: string): string[] {
  return texts
    .filter((text) => meant.test(text))
    .slice(0, STRAYS)
    .map((text) => {
      const reason = faultOfCopy(text) ?? `it does not begin with ${begin}`;
      return `receivers read no record in ${cutText(text, 60)}, as ${reason}`;
    });
}

/** What copying from a zone file or a document added to a text: escapes and quotation marks are no part of a record. */
export function faultOfCopy(text: string): string | undefined {
  if (text.includes('\\;')) return 'it has a backslash before a semicolon';
  return QUOTED.test(text) ? 'it begins with a quotation mark' : undefined;
}

/**
 * The same for records without whitespace around `=`, whose version a semicolon must follow. (RFC 8461, 3.1; RFC 8460,
 * 3)
 */
export function strictCandidatesOf(texts: readonly string[], version: string): string[] {
  return texts.filter((text) => text.startsWith(`v=${version};`) || text === `v=${version}`);
}

/** The first value of a field of such a record. */
export function strictValueOf(text: string, name: string): string | undefined {
  const fields = text.split(';').map(trimAsciiSpace);
  return fields.find((field) => field.startsWith(`${name}=`))?.slice(name.length + 1);
}
