import { parseAuthenticationResults, type MethodResult, type TraceField } from '@dmarc-ledger/unpack';
import { normalizeDomain } from '@dmarc-ledger/vocabulary';
import { isOwnHop } from './own-hop.ts';

/** What one server wrote about a mail, in one field or in several that follow each other. */
export interface ResultsGroup {
  authservId: string;
  /** The results of each field, topmost first. */
  fields: (readonly MethodResult[])[];
  /** Whether a Received field of the server stands between its fields and those of the sender. */
  isSeparate: boolean;
}

/** The name of a server that does not name itself in the field, such as Microsoft 365. */
const UNNAMED = '-';

/**
 * The topmost field that one of these servers wrote, with the fields of the same name that follow it up to a Received
 * field, or to a field of another name. A server adds what it writes above what it received (RFC 8601, 4.1 and 5), so
 * what stands below the next Received may be forged. (rules, copies/several-fields-of-a-server)
 */
export function findResultsGroup(trace: readonly TraceField[], authservIds: readonly string[]): ResultsGroup | null {
  const believed = new Set(authservIds.map((id) => normalizeDomain(id.toLowerCase())));
  for (const [index, field] of trace.entries()) {
    const found = readResults(field);
    if (found && believed.has(found.authservId)) return groupAt(trace, index, found);
  }
  return null;
}

interface FieldResults {
  authservId: string;
  results: readonly MethodResult[];
}

/** Null for a field that cannot be read, and for a Received field. */
function readResults({ name, value }: TraceField): FieldResults | null {
  const parsed = name === 'authentication-results' ? parseAuthenticationResults(value) : null;
  return parsed && { authservId: normalizeDomain(parsed.authservId ?? UNNAMED), results: parsed.results };
}

function groupAt(trace: readonly TraceField[], index: number, { authservId, results }: FieldResults): ResultsGroup {
  const fields = [results];
  const below = trace.slice(index + 1);
  for (const field of authservId === UNNAMED ? [] : below) {
    const next = readResults(field);
    if (next?.authservId !== authservId) break;
    fields.push(next.results);
  }
  return { authservId, fields, isSeparate: below.some(isReceived) && isAboveReceived(trace, index) };
}

/**
 * Whether the server writes above its own Received field. Any one that stands above may be that field, unless it is of
 * a later hop: the sender's fields then follow at once, with a Received field that the sender made up.
 */
function isAboveReceived(trace: readonly TraceField[], index: number): boolean {
  return trace.slice(0, index).every((field) => !isReceived(field) || isOwnHop(field.value));
}

function isReceived({ name }: TraceField): boolean {
  return name === 'received';
}
