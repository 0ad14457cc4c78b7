import { Session } from 'node:inspector/promises';

/** The code of this repository that has run, as V8 counts it in blocks. */
export interface Coverage {
  /** True when code has run since the last call that had not run before. */
  hasGrown(): Promise<boolean>;
}

const OURS = /\/packages\/[^/]+\/src\//;

/** Coverage without counts reports each block once, so every reported block is new. */
export async function openCoverage(): Promise<Coverage> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true });
  const seen = new Set<string>();
  return {
    async hasGrown() {
      const { result } = await session.post('Profiler.takePreciseCoverage');
      let hasGrown = false;
      for (const { url, functions } of result) {
        if (!OURS.test(url)) continue;
        for (const { ranges } of functions)
          for (const { startOffset, endOffset, count } of ranges) {
            const block = `${url} ${startOffset} ${endOffset} ${count}`;
            if (seen.has(block)) continue;
            seen.add(block);
            hasGrown = true;
          }
      }
      return hasGrown;
    },
  };
}
