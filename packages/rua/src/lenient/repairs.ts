/** A text after one repair, and the code of the warning when there was something to repair. */
export interface Repaired {
  text: string;
  code: string | null;
}

const FORBIDDEN =
  // eslint-disable-next-line no-control-regex -- these are what XML 1.0 forbids
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
const REFERENCE = /&#(?:(\d{1,9})|x([0-9a-f]{1,8}));/gi;
/** In place of what is forbidden; it is forbidden itself, so no text has another. */
const MARK = '\uFFFF';
const INSIDE_WORD = /(?<=[^\s<>\uFFFF])\uFFFF+(?=[^\s<>\uFFFF])/g;
const SCHEMA_TAG = /<\/?(?:xs|xsd):[^<>]*>/g;
const COMMENT = '<!--';
const SECTION = /<!--|<!\[CDATA\[/g;
const BARE_AMPERSAND = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,9}|#x[0-9a-fA-F]{1,8});)/g;
const FREE_NAMES = 'org_name|email|extra_contact_info|report_id|error|generator|comment|human_result';
const FREE_TEXT = new RegExp(`<((?:[\\w.-]+:)?(?:${FREE_NAMES}))(?:\\s[^<>]*)?>`, 'g');
const FREE_CONTENT = new RegExp(`${FREE_TEXT.source}[^<]*`, 'g');
const LONGEST_FREE_TEXT = 2_000;

/**
 * Without the characters that XML forbids, written out or as references. Inside a word of what is counted they leave a
 * mark, so that it is no number, address or domain: two numbers must not become one. (XML 1.0, 2.2)
 */
export function stripForbidden(text: string): Repaired {
  const marked = text
    .replace(FORBIDDEN, MARK)
    .replace(REFERENCE, (reference, decimal: string | undefined, hex: string | undefined) =>
      isAllowed(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)) ? reference : MARK,
    );
  if (marked === text) return { text, code: null };
  const stripped = marked
    .replace(FREE_CONTENT, (content) => content.replaceAll(MARK, ''))
    .replace(INSIDE_WORD, '\uFFFD')
    .replaceAll(MARK, '');
  return { text: stripped, code: 'xml_control_chars' };
}

function isAllowed(codePoint: number): boolean {
  return (
    (codePoint >= 0x20 || codePoint === 9 || codePoint === 10 || codePoint === 13) &&
    codePoint <= 0x10ffff &&
    (codePoint < 0xd800 || codePoint > 0xdfff) &&
    codePoint !== 0xfffe &&
    codePoint !== 0xffff
  );
}

/**
 * Without comments, and with the content of CDATA sections as ordinary text; one that does not end stays. Both are
 * found in one pass, as each may contain what begins the other. (XML 1.0, 2.5 and 2.7)
 */
export function resolveSections(text: string): Repaired {
  let resolved = '';
  let from = 0;
  const unclosed = new Set<string>();
  for (const { index, 0: open } of text.matchAll(SECTION)) {
    if (index < from || unclosed.has(open)) continue;
    const close = open === COMMENT ? '-->' : ']]>';
    const end = text.indexOf(close, index + open.length);
    if (end < 0) {
      unclosed.add(open); // nor does a later one
      continue;
    }
    resolved += text.slice(from, index) + (open === COMMENT ? '' : escapeText(text.slice(index + open.length, end)));
    from = end + close.length;
  }
  return { text: resolved + text.slice(from), code: null };
}

/** Without the schema tags that one reporter leaves open inside its reports. */
export function stripSchemaTags(text: string): Repaired {
  const stripped = text.replace(SCHEMA_TAG, '');
  return { text: stripped, code: stripped === text ? null : 'xml_schema_tag' };
}

/** With markup in free texts, and ampersands that begin no reference, as the text they were meant to be. */
export function escapeMarkup(text: string): Repaired {
  let escaped = '';
  let from = 0;
  for (const open of text.matchAll(FREE_TEXT)) {
    const start = open.index + open[0].length;
    if (open.index < from) continue;
    const content = text.slice(start, start + LONGEST_FREE_TEXT);
    const length = content.indexOf(`</${open[1]}`);
    if (length < 0 || !content.slice(0, length).includes('<') || content.slice(0, length).includes('</')) continue;
    escaped += text.slice(from, start) + content.slice(0, length).replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    from = start + length;
  }
  const repaired = (escaped + text.slice(from)).replace(BARE_AMPERSAND, '&amp;');
  return { text: repaired, code: repaired === text ? null : 'xml_unescaped_markup' };
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
