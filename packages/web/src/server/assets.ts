import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

declare const ASSETS: { script: string; style: string };

/** The paths of the script and the style sheet; their names contain a hash of their content. */
export const assets = { script: `/assets/${ASSETS.script}`, style: `/assets/${ASSETS.style}` };

/** A file that browsers load, with its compressed form. */
export interface Asset {
  type: string;
  body: Buffer;
  gzipped: Buffer;
}

/** Reads the files that pages load, by path. There are two, a few kilobytes each. */
export async function readAssets(): Promise<ReadonlyMap<string, Asset>> {
  const load = async (path: string, type: string): Promise<[string, Asset]> => {
    const body = await readFile(new URL(`.${path}`, import.meta.url));
    return [path, { type, body, gzipped: gzipSync(body, { level: 9 }) }];
  };
  return new Map(
    await Promise.all([
      load(assets.script, 'text/javascript; charset=utf-8'),
      load(assets.style, 'text/css; charset=utf-8'),
    ]),
  );
}
