import { MAX_RECORDS } from './limits.ts';
import { readWireName } from './wire-name.ts';

/** The parts of a message that are read from its bytes directly. */
export interface Survey {
  id: number;
  isResponse: boolean;
  isTruncated: boolean;
  /** Without the bits from EDNS. */
  rcode: number;
  /** The question it answers, in the sender's spelling. */
  question: { name: string; type: number } | undefined;
  /** Indices of records, over all sections, whose names the codec would misread. */
  oddRecords: ReadonlySet<number>;
}

const HEADER = 12;
const IN = 1;
const NAME_TYPES = { NS: 2, CNAME: 5, SOA: 6, PTR: 12, MX: 15 };
const ADDRESS_BYTES = new Map([
  [1, 4],
  [28, 16],
]);
const TXT = 16;

/**
 * Checks a message before the codec decodes it. Undefined: it is malformed. The codec decodes a label with a dot or a
 * zero byte as text, and does not check the length of addresses. Only the question of a truncated message is read, as
 * everything after it may be cut.
 */
export function surveyMessage(bytes: Buffer): Survey | undefined {
  if (bytes.length < HEADER) return undefined;
  const flags = bytes.readUInt16BE(2);
  const isTruncated = (flags & 0x0200) !== 0;
  const questions = bytes.readUInt16BE(4);
  const records = bytes.readUInt16BE(6) + bytes.readUInt16BE(8) + bytes.readUInt16BE(10);
  if (questions > 1 || records > MAX_RECORDS) return undefined;
  const asked = questions === 1 ? readQuestion(bytes) : undefined;
  if (questions === 1 && !asked) return undefined;
  const oddRecords = isTruncated ? new Set<number>() : findOddRecords(bytes, asked?.end ?? HEADER, records);
  if (!oddRecords) return undefined;
  const isResponse = (flags & 0x8000) !== 0;
  return { id: bytes.readUInt16BE(0), isResponse, isTruncated, rcode: flags & 0x0f, question: asked, oddRecords };
}

function readQuestion(bytes: Buffer): { name: string; type: number; end: number } | undefined {
  const name = readWireName(bytes, HEADER);
  if (!name || name.end + 4 > bytes.length || bytes.readUInt16BE(name.end + 2) !== IN) return undefined;
  return { name: name.text, type: bytes.readUInt16BE(name.end), end: name.end + 4 };
}

function findOddRecords(bytes: Buffer, start: number, records: number): Set<number> | undefined {
  const odd = new Set<number>();
  let at = start;
  for (let place = 0; place < records; place += 1) {
    const owner = readWireName(bytes, at);
    if (!owner || owner.end + 10 > bytes.length) return undefined;
    const type = bytes.readUInt16BE(owner.end);
    const from = owner.end + 10;
    const to = from + bytes.readUInt16BE(owner.end + 8);
    if (to > bytes.length) return undefined;
    const data = surveyData(bytes, type, from, to);
    if (!data) return undefined;
    if (owner.isOdd || data.isOdd) odd.add(place);
    at = to;
  }
  return odd;
}

/** Undefined if the data does not have the length that its type requires. */
function surveyData(bytes: Buffer, type: number, from: number, to: number): { isOdd: boolean } | undefined {
  const length = ADDRESS_BYTES.get(type);
  if (length !== undefined) return to - from === length ? { isOdd: false } : undefined;
  if (type === TXT) return hasWholeStrings(bytes, from, to) ? { isOdd: false } : undefined;
  if (!Object.values(NAME_TYPES).includes(type)) return { isOdd: false };
  const name = readWireName(bytes, type === NAME_TYPES.MX ? from + 2 : from);
  if (!name) return undefined;
  if (type !== NAME_TYPES.SOA) return name.end === to ? name : undefined;
  const mailbox = readWireName(bytes, name.end);
  return mailbox && mailbox.end + 20 === to ? name : undefined;
}

function hasWholeStrings(bytes: Buffer, from: number, to: number): boolean {
  let at = from;
  while (at < to) at += 1 + bytes[at]!;
  return at === to;
}
