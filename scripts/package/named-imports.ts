import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';

const LIBRARY = /^[^./]/;

/**
 * Gives libraries that are imported when they are needed (`await import('imapflow')`) the names that they have in
 * Node.js. In a bundle, a CommonJS module that is imported so has `default` alone.
 */
export const namedImports: Plugin = {
  name: 'named imports',
  setup(build) {
    build.onResolve({ filter: LIBRARY }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      const isOurs = !importer.includes('/node_modules/') && !path.startsWith('@dmarc-ledger/');
      if (kind !== 'dynamic-import' || pluginData === namedImports || !isOurs) return;
      const options = { kind: 'import-statement', resolveDir, pluginData: namedImports } as const;
      const found = await build.resolve(path, options);
      if (found.external || found.namespace !== 'file') return found;
      return { path: `${found.path}.mjs`, namespace: 'named-imports', pluginData: found.path };
    });
    build.onLoad({ filter: /./, namespace: 'named-imports' }, async ({ pluginData }) => {
      const file = String(pluginData);
      const names = Object.keys(await import(pathToFileURL(file).href)).filter((name) =>
        /^[A-Za-z_$][\w$]*$/.test(name),
      );
      const list = names.filter((name) => name !== 'default' && name !== '__esModule' && name !== 'module.exports');
      const from = JSON.stringify(file);
      return {
        contents: `import * as all from ${from};\nexport const { ${list.join(', ')} } = all;\nexport default all.default;`,
        resolveDir: dirname(file),
      };
    });
  },
};
