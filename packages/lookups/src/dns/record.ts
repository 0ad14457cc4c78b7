/** The data of a record by type. Names are lower case, without trailing dot; texts are bytes. */
export interface RecordData {
  A: string;
  /** Canonical text (RFC 5952). */
  AAAA: string;
  CNAME: string;
  NS: string;
  PTR: string;
  MX: { preference: number; exchange: string };
  /** The strings of one record; `joinText` joins them. */
  TXT: readonly Uint8Array[];
  SOA: { mname: string; rname: string; serial: number; minimum: number };
  TLSA: { usage: number; selector: number; matchingType: number; certificate: Uint8Array };
}

export type RecordType = keyof RecordData;

export interface DnsRecord<Type extends RecordType = RecordType> {
  name: string;
  type: Type;
  /** Seconds. */
  ttl: number;
  data: RecordData[Type];
}

/** Joins the strings of a TXT record, without separator (RFC 7208, 3.3; RFC 6376, 3.6.2.2). */
export function joinText(strings: readonly Uint8Array[]): string {
  return Buffer.concat(strings).toString('utf8');
}
