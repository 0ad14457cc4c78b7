import { findProgram, type FoundProgram } from './debian-package.ts';

/** Unbound of this machine; on Debian, root installs it when it is missing. Otherwise a sentence that says why not. */
export function findResolverProgram(): Promise<FoundProgram> {
  return findProgram(['unbound'], 'unbound');
}
