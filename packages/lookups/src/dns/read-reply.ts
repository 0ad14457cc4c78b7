import { isIP, SocketAddress } from 'node:net';
import { decode, type Answer, type DecodedPacket } from 'dns-packet';
import type { DnsRecord, RecordData, RecordType } from './record.ts';
import type { Survey } from './survey-message.ts';

/** A parsed answer. */
export interface Reply {
  /** `NOERROR`, `NXDOMAIN`, … */
  rcode: string;
  authoritative: boolean;
  authenticated: boolean;
  answers: DnsRecord[];
  authority: DnsRecord[];
  /** The number of answers left out because of their names. */
  dropped: number;
}

/** Undefined if the codec cannot parse it. */
export function readReply(bytes: Buffer, { oddRecords }: Survey): Reply | undefined {
  const packet = tryDecode(bytes);
  if (!packet) return undefined;
  const answers = packet.answers ?? [];
  const kept = answers.filter((_, place) => !oddRecords.has(place));
  const authorities = (packet.authorities ?? []).filter((_, place) => !oddRecords.has(answers.length + place));
  return {
    rcode: rcodeOf(packet),
    authoritative: packet.flag_aa,
    authenticated: packet.flag_ad,
    answers: kept.flatMap((answer) => readRecord(answer) ?? []),
    authority: authorities.flatMap((answer) => readRecord(answer) ?? []),
    dropped: answers.length - kept.length,
  };
}

/**
 * EDNS extends the code (RFC 6891, 6.1.3): without that, BADVERS would look like no error. The type definitions lack
 * both.
 */
function rcodeOf(packet: DecodedPacket): string {
  const isExtended = packet.additionals?.some((record) => record.type === 'OPT' && record.extendedRcode > 0);
  return isExtended ? 'BADVERS' : (packet as DecodedPacket & { rcode: string }).rcode;
}

function tryDecode(bytes: Buffer): DecodedPacket | undefined {
  try {
    return decode(bytes);
  } catch {
    return undefined;
  }
}

/** Undefined for types that we never query. */
function readRecord(answer: Answer): DnsRecord | undefined {
  if (answer.type === 'OPT' || !('class' in answer) || answer.class !== 'IN') return undefined;
  const data = readData(answer);
  if (data === undefined) return undefined;
  return { name: nameOf(answer.name), type: answer.type as RecordType, ttl: ttlOf(answer.ttl), data };
}

function readData(answer: Answer): RecordData[RecordType] | undefined {
  switch (answer.type) {
    case 'A':
      return answer.data;
    case 'AAAA':
      return isIP(answer.data) === 6 ? new SocketAddress({ address: answer.data, family: 'ipv6' }).address : undefined;
    case 'CNAME':
    case 'NS':
    case 'PTR':
      return nameOf(answer.data);
    case 'MX':
      return { preference: answer.data.preference ?? 0, exchange: nameOf(answer.data.exchange) };
    case 'TXT':
      return [answer.data].flat().map((part) => (typeof part === 'string' ? Buffer.from(part) : copyOf(part)));
    case 'SOA': {
      const { mname, rname, serial = 0, minimum = 0 } = answer.data;
      return { mname: nameOf(mname), rname, serial, minimum };
    }
    case 'TLSA':
      return { ...answer.data, certificate: copyOf(answer.data.certificate) };
    default:
      return undefined;
  }
}

/** The codec's bytes are a part of the message, which a cached fact would keep in memory as a whole. */
function copyOf(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

function nameOf(name: string): string {
  return name === '.' ? '' : name.toLowerCase();
}

/** A TTL with the highest bit set counts as 0 (RFC 2181, section 8). */
function ttlOf(ttl: number | undefined): number {
  return ttl === undefined || ttl > 0x7fffffff ? 0 : ttl;
}
