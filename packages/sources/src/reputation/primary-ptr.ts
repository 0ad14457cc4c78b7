import type { PtrFact } from './address-facts.ts';
import type { PtrName } from '../senders/evidence.ts';
import { isGenericPtr } from '../reverse-dns/generic-ptr.ts';

const ORDER = [true, null, false] as const;

/**
 * Returns the name to use for an address: the first that resolves back, else the first for which that is unknown. Null
 * for an address without name.
 */
export function primaryPtr(names: readonly PtrName[], ip: string): PtrFact {
  const best = ORDER.map((confirmed) => names.find((name) => name.confirmed === confirmed)).find((name) => name);
  return best ? { name: best.name, confirmed: best.confirmed, generic: isGenericPtr(best.name, ip) } : null;
}
