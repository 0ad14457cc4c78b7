import { inject } from 'vitest';
import { startUnbound, type Resolver, type ResolverOptions } from './unbound.ts';

/** An Unbound of one test: the program that the set-up of the run has found. */
export async function resolverServer(options: ResolverOptions): Promise<Resolver> {
  const { program, missing } = inject('resolver');
  if (!program) throw new Error(missing);
  return await startUnbound(program, options);
}
