#!/usr/bin/env node
import { runOnNode24 } from '../scripts/node24.js';

runOnNode24('services/cli/src/main.ts', process.argv.slice(2));
