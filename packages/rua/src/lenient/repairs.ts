/** A text after one repair, and the code of the warning when there was something to repair. */
export interface Repaired {
  text: string;
  code: string | null;
}

const FORBIDDEN =
  // eslint-disable-next-line no-control-regex -- these are what XML 1.0 forbids
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
const REFERENCE = /&#(?:(\d{1,9})|x([0-9a-f]{1,8}));/gi;
const SCHEMA_TAG = /<\/?(?:xs|xsd):[^<>]*>/g;
const BARE_AMPERSAND = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,9}|#x[0-9a-fA-F]{1,8});)/g;
const FREE_TEXT =
  /<((?:[\w.-]+:)?(?:org_name|email|extra_contact_info|report_id|error|generator|comment|human_result))(?:\s[^<>]*)?>/g;
const LONGEST_FREE_TEXT = 2_000;

/** Without the characters that XML forbids, written out or as references. (XML 1.0, 2.2) */
export function stripForbidden(text: string): Repaired {
  const stripped = text
    .replace(FORBIDDEN, '')
    .replace(REFERENCE, (reference, decimal: string | undefined, hex: string | undefined) =>
      isAllowed(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)) ? reference : '',
    );
  return { text: stripped, code: stripped === text ? null : 'xml_control_chars' };
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

/** Without comments; one that does not end stays. */
export function stripComments(text: string): Repaired {
  return { text: replaceSections(text, '<!--', '-->', () => ''), code: null };
}

/** With the content of CDATA sections as ordinary text. */
export function unwrapCdata(text: string): Repaired {
  return { text: replaceSections(text, '<![CDATA[', ']]>', escapeText), code: null };
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

function replaceSections(text: string, open: string, close: string, by: (content: string) => string): string {
  let result = '';
  let from = 0;
  for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, from)) {
    const end = text.indexOf(close, start + open.length);
    if (end < 0) break;
    result += text.slice(from, start) + by(text.slice(start + open.length, end));
    from = end + close.length;
  }
  return result + text.slice(from);
}
