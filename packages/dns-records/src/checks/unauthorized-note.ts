/** A host that does not accept reports about a domain, and the record that is missing there. (RFC 9990, 4) */
export interface UnauthorizedHost {
  host: string;
  record: string;
}

const NOTE = /^reporters may not send to (\S+) until a TXT record at (\S+) says v=DMARC1$/;

/** The note of a check about such a host. Checks are stored with their notes: `readUnauthorizedNote` reads it back. */
export function unauthorizedNote({ host, record }: UnauthorizedHost): string {
  return `reporters may not send to ${host} until a TXT record at ${record} says v=DMARC1`;
}

/** The host of such a note; undefined for any other note. */
export function readUnauthorizedNote(note: string): UnauthorizedHost | undefined {
  const [, host, record] = NOTE.exec(note) ?? [];
  return host === undefined || record === undefined ? undefined : { host, record };
}
