import { inject } from 'vitest';
import { startKnot, type DnsServer, type KnotOptions, type Zones } from './knot.ts';

/** A Knot DNS of one test: the program that the set-up of the run has found. */
export async function dnsServer(zones: Zones, options?: KnotOptions): Promise<DnsServer> {
  const { program, missing } = inject('dns');
  if (!program) throw new Error(missing);
  return await startKnot(program, zones, options);
}
