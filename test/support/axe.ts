import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** What defines `axe` on a page: half as long as `axe.source`, which each page would read. */
export const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Of a fault, the rule and the element are read: axe does not find selectors for it, nor what else it has seen. */
export const BRIEFLY = { resultTypes: ['violations'], selectors: false };
