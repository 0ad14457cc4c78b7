import { findProgram, type FoundProgram } from './debian-package.ts';

/** Knot DNS of this machine; on Debian, root installs it when it is missing. Otherwise a sentence that says why not. */
export function findDnsProgram(): Promise<FoundProgram> {
  return findProgram(['knotd'], 'knot');
}
