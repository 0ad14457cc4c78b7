import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ReportSet } from './corpus.ts';
import type { Cost } from './cpu.ts';

const run = promisify(execFile);
const SOURCE = fileURLToPath(new URL('expat-floor.c', import.meta.url));

/** Reads a set several times, and returns the cost without reading the files from disk. */
export type ExpatFloor = (set: ReportSet, passes: number) => Promise<Cost>;

/** Compiles the loop in C; returns the reason in a sentence where there is no compiler or no expat. */
export async function openExpatFloor(folder: string): Promise<ExpatFloor | string> {
  const program = join(folder, 'expat-floor');
  try {
    await run('cc', ['-O2', '-o', program, SOURCE, '-lexpat', '-lz']);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return isMissing
      ? 'there is no C compiler here'
      : 'it does not compile here; expat and zlib with their headers are needed';
  }
  return async ({ name, files, totals }, passes) => {
    const list = join(folder, `${name}.list`);
    await writeFile(list, files.join('\n'));
    const { stdout } = await run(program, [list, String(passes)]);
    const [records, messages, seconds] = stdout.trim().split(' ').map(Number);
    if (records !== totals.records * passes || messages !== totals.messages * passes)
      throw new Error(`expat read something else: ${stdout}`);
    return { client: seconds!, server: 0, wall: seconds! };
  };
}
