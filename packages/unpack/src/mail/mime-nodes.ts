import type { Transform } from 'node:stream';
import type { MailParser } from 'mailparser';
import { delimiterIn, withoutSpaceAtEnd } from './delimiter.ts';
import { QuotedPrintableDecoder } from './quoted-printable.ts';

const BOUNDARY = '_boundary';
const NO_MULTIPART = { multipart: false, contentType: 'application/octet-stream', [BOUNDARY]: false };

interface MimeNode {
  contentType: string | false;
  encoding: string | false;
  headers: { hasHeader: (name: string) => boolean; add: (name: string, value: string) => void } | false;
  parentNode: MimeNode | false;
  getDecoder: () => Transform;
  parseHeaders: () => void;
  [BOUNDARY]: Buffer | false;
}

/** The part of the parser that finds the nodes of a message. */
interface Splitter {
  node: MimeNode;
  newNode: (parent: MimeNode | false) => void;
  /** Which boundary of the present node, or of the one around it, the line is; false for none. */
  checkBoundary: (line: Buffer) => number | false;
}

/**
 * Corrects how the parser reads boundaries, declared types and encodings. `boundaries`: those that begin a part of the
 * message.
 */
export function adaptNodes(parser: MailParser, boundaries: ReadonlySet<string>): void {
  const splitter: unknown = Reflect.get(parser, 'splitter');
  if (!isSplitter(splitter)) throw new Error('The mail parser is not the one that we know.');
  findBoundaries(splitter);
  const adapt = (node: MimeNode) => {
    const parse = node.parseHeaders.bind(node);
    node.parseHeaders = () => {
      const isNew = !node.headers;
      parse();
      if (isNew) adaptNode(node, boundaries);
    };
  };
  const newNode = splitter.newNode.bind(splitter);
  splitter.newNode = (parent) => {
    newNode(parent);
    adapt(splitter.node);
  };
  adapt(splitter.node);
}

function isSplitter(value: unknown): value is Splitter {
  const has = (name: string) => typeof value === 'object' && value !== null && Reflect.has(value, name);
  return ['node', 'newNode', 'checkBoundary'].every(has);
}

/**
 * A boundary may have white space behind it (RFC 2046, 5.1.1), and ends every multipart within its own that has not
 * ended (5.1.2).
 */
function findBoundaries(splitter: Splitter): void {
  const check = splitter.checkBoundary.bind(splitter);
  splitter.checkBoundary = (line) => {
    const delimiter = delimiterIn(line);
    if (!delimiter) return false;
    const { node } = splitter;
    for (let around: MimeNode | false = node; around; around = around.parentNode) {
      splitter.node = around;
      const found = check(delimiter);
      if (found) return found;
    }
    splitter.node = node;
    return false;
  };
}

function adaptNode(node: MimeNode, boundaries: ReadonlySet<string>): void {
  Object.assign(node, isMisdeclared(node, boundaries) ? NO_MULTIPART : { [BOUNDARY]: boundaryOf(node) });
  decodeAsItComes(node);
  declareMessage(node);
}

/**
 * An attachment may be declared as a multipart: without a boundary, or in an encoding that no multipart may have (RFC
 * 2045, 6.4) and without parts. The parser would drop its content.
 */
function isMisdeclared(node: MimeNode, boundaries: ReadonlySet<string>): boolean {
  if (!node.contentType || !node.contentType.startsWith('multipart/')) return false;
  const boundary = boundaryOf(node);
  const isEncoded = node.encoding === 'base64' || node.encoding === 'quoted-printable';
  return !boundary || (isEncoded && !boundaries.has(boundary.toString('latin1')));
}

/** No boundary ends in white space. (RFC 2046, 5.1.1) */
function boundaryOf(node: MimeNode): Buffer | false {
  const boundary = node[BOUNDARY] && withoutSpaceAtEnd(node[BOUNDARY]);
  return boundary && boundary.length > 0 && boundary;
}

/** The parser's own decoder of quoted-printable decodes all of a part at its end, in one piece. */
function decodeAsItComes(node: MimeNode): void {
  if (node.encoding === 'quoted-printable') node.getDecoder = () => new QuotedPrintableDecoder();
}

/** A part of a digest is a message unless it says otherwise (RFC 2046, 5.1.5); the parser takes it for text. */
function declareMessage({ parentNode, headers }: MimeNode): void {
  if (!parentNode || parentNode.contentType !== 'multipart/digest') return;
  if (headers && !headers.hasHeader('content-type')) headers.add('Content-Type', 'message/rfc822');
}
