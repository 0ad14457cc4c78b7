#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { runOnNode24 } from '../scripts/node24.js';

// A checkout runs its sources; an installed package has them bundled.
const SOURCES = 'services/cli/src/main.ts';
const BUNDLE = 'services/cli/dist/main.js';
const isCheckout = existsSync(new URL(`../${SOURCES}`, import.meta.url));

runOnNode24(isCheckout ? SOURCES : BUNDLE, process.argv.slice(2));
