// Runs a script of this repository on Node.js 24 or newer: the current one, or the one that npm ci put into node_modules.
// Plain JavaScript, because the Node.js that starts it may be older. Usage: node scripts/node24.js <script> [arg…]
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED = 24;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const PARENT_ASKED_EVERY_MS = 500;
const root = fileURLToPath(new URL('..', import.meta.url));
// Of a checkout or a package installed for all users; of a package installed beside what it depends on.
const folders = [join(root, 'node_modules', '.bin'), join(root, '..', '.bin')];
const programs = folders.find((folder) => existsSync(join(folder, 'node'))) ?? folders[0];
// Beside the code it was compiled from: a folder that others can write to would let them run code as this user.
const compiled = process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'compiled');

/** Runs a script, named from the root of the checkout, with these arguments. */
export function runOnNode24(script, args) {
  const path = resolve(root, script);
  Object.assign(process.env, {
    PATH: [programs, process.env.PATH ?? ''].join(delimiter),
    TURBO_TELEMETRY_DISABLED: '1',
    DO_NOT_TRACK: '1',
  });
  if (isNewEnough()) {
    module.enableCompileCache(compiled);
    process.argv = [process.execPath, path, ...args];
    module.runMain(path); // as if Node.js had been started with it
  } else {
    runAsChild(path, args);
  }
}

function isNewEnough() {
  return Number(process.versions.node.split('.')[0]) >= NEEDED;
}

/**
 * Passes signals on, and ends as the child ends. One to the process group reaches the child twice, directly and from
 * here; the child takes what comes within a second of its first signal for the same one.
 */
function runAsChild(path, args) {
  const node = join(programs, 'node');
  if (!existsSync(node)) refuse();
  const child = spawn(node, [...process.execArgv, path, ...args], {
    stdio: 'inherit',
    env: { ...process.env, NODE_COMPILE_CACHE: compiled },
  });
  // Ctrl-C on a terminal reaches the child too: passed on, it would be a second one, and end it at once.
  const isOnTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  for (const signal of SIGNALS) process.on(signal, () => (signal === 'SIGINT' && isOnTerminal) || child.kill(signal));
  stopWithoutParent(child);
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

/** npm and npx send SIGTERM to a shell, which ends without passing it on: the child is ended once the shell is gone. */
function stopWithoutParent(child) {
  if (!['start', 'npx'].includes(process.env.npm_lifecycle_event ?? '')) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    child.kill('SIGTERM');
  }, PARENT_ASKED_EVERY_MS);
  for (const signal of SIGNALS) process.once(signal, () => clearInterval(timer));
}

function refuse() {
  const mend = existsSync(programs)
    ? `install Node.js ${NEEDED} or newer (npm has none for this system)`
    : 'install its optional dependencies (npm ci)';
  console.error(`DMARC Ledger needs Node.js ${NEEDED} and this is ${process.version}: ${mend}, and try again.`);
  process.exit(1);
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [script, ...args] = process.argv.slice(2);
  runOnNode24(script, args);
}
