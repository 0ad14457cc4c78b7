import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const turbo = join(root, 'node_modules', '.bin', 'turbo');

interface Task {
  taskId: string;
  dependencies: string[];
}

/** The tasks of `npm run build`, by their ids. */
async function tasksOfBuild(): Promise<Map<string, Task>> {
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' };
  const { stdout } = await promisify(execFile)(turbo, ['run', 'build', '--dry=json'], {
    cwd: root,
    env,
    maxBuffer: 64 * 1024 ** 2,
  });
  const { tasks }: { tasks: Task[] } = JSON.parse(stdout.slice(stdout.indexOf('{')));
  return new Map(tasks.map((task) => [task.taskId, task]));
}

it('builds the pages before the package that contains them', async () => {
  const tasks = await tasksOfBuild();
  const before = new Set<string>();
  const waiting = ['@dmarc-ledger/cli-service#build'];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const { dependencies } = tasks.get(id)!;
    waiting.push(...dependencies.filter((dependency) => !before.has(dependency)));
    for (const dependency of dependencies) before.add(dependency);
  }
  expect([...before]).toContain('@dmarc-ledger/web#build');
});
