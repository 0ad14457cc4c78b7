import http from 'node:http';
import type { Plugin } from 'esbuild';

/** To read these loads the client of `fetch`. */
const OF_FETCH = ['WebSocket', 'CloseEvent', 'MessageEvent'];

/**
 * Imports `node:http` without what belongs to `fetch`. In an ES module, Node.js reads every export of a built-in module
 * at the first import: of this one that takes 30 ms, at the start of each command.
 */
export const httpAlone: Plugin = {
  name: 'http alone',
  setup(build) {
    build.onResolve({ filter: /^(?:node:)?http$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: 'node:http', namespace: 'http-alone' } : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'http-alone' }, () => {
      const names = Object.keys(http).filter((name) => !OF_FETCH.includes(name));
      return {
        contents: `const http = process.getBuiltinModule('node:http');
          export const { ${names.join(', ')} } = http;
          export default http;`,
      };
    });
  },
};
