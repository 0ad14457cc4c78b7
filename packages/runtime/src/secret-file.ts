import { readFileSync, statSync } from 'node:fs';
import { errorCode } from '@dmarc-ledger/vocabulary';

/** Secrets are shorter; a path that was given by mistake is not read into memory. */
const MOST_BYTES = 64 * 1024;

/**
 * Reads a secret from a file, as Docker and Kubernetes mount them, without white space around it. Errors never contain
 * the content. An empty file is an error: a secret that failed to be written must not pass for an unset one.
 */
export function readSecretFile(path: string): { value: string } | { fault: string } {
  try {
    const info = statSync(path);
    if (!info.isFile()) return { fault: 'expected the path of a file' };
    if (info.size > MOST_BYTES) return { fault: `expected a file of at most ${MOST_BYTES} bytes` };
    const value = readFileSync(path, 'utf8').trim();
    return value === '' ? { fault: 'the file is empty' } : { value };
  } catch (error) {
    return { fault: `the file cannot be read (${errorCode(error) ?? 'unknown'})` };
  }
}
