/**
 * The kind of a content by its first bytes; declared types and names are ignored. (rules, reading-reports/containers)
 */
export type Kind =
  | 'gzip'
  | 'zip'
  | 'tar'
  | 'xml'
  | 'json'
  | 'mail'
  | 'html'
  | 'unsupported'
  | 'placeholder'
  | 'empty'
  | 'other';

const MAGIC: readonly (readonly [string, Kind])[] = [
  ['1f8b', 'gzip'],
  ['504b0304', 'zip'],
  ['504b0506', 'zip'],
  ['789f3e22', 'unsupported'], // TNEF
  ['d0cf11e0a1b11ae1', 'unsupported'], // OLE, Outlook .msg
  ['377abcaf271c', 'unsupported'], // 7z
  ['526172211a07', 'unsupported'], // rar
  ['fd377a585a00', 'unsupported'], // xz
  ['425a68', 'unsupported'], // bzip2
];
const TAR_MARK = 257;
const UTF16 = /^(?:\xff\xfe)?(?:[\t\n\r ]\0)*<\0|^(?:\xfe\xff)?(?:\0[\t\n\r ])*\0</;
const HTML = /^\s*(?:<!--[^]*?-->\s*)?<(?:!doctype html|html|head|body|svg)\b/i;
const XML_START = /^\s*<[?!\w]/;
const XML_WITHIN = /<\?xml\s|<(?:[\w.-]+:)?feedback[\s>]/i;
const JSON_START = /^\s*(?:\{|\[\s*[{\]])/;
const MAIL_START = /^(?:\s*\n)?(?:>?From [^\n]*\n)?[!-9;-~]{1,76}[ \t]*:/;

export function sniff(head: Buffer): Kind {
  if (head.length === 0) return 'empty';
  const hex = head.toString('hex', 0, 8);
  const magic = MAGIC.find(([mark]) => hex.startsWith(mark));
  if (magic) return magic[1];
  if (head.toString('latin1', TAR_MARK, TAR_MARK + 5) === 'ustar') return 'tar';
  return sniffText(head.toString('latin1').replace(/^\xef\xbb\xbf/, ''));
}

function sniffText(text: string): Kind {
  if (text.trim() === '') return 'empty';
  if (text.trim() === 'unused') return 'placeholder';
  if (HTML.test(text)) return 'html';
  if (XML_START.test(text) || UTF16.test(text)) return 'xml';
  if (JSON_START.test(text)) return 'json';
  if (MAIL_START.test(text)) return 'mail';
  return XML_WITHIN.test(text) ? 'xml' : 'other';
}
