import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../scripts/checks/workspaces.ts';

const unit = readFileSync(join(root, 'deploy/systemd/dmarc-ledger.service'), 'utf8');
const page = readFileSync(join(root, 'docs/installing.md'), 'utf8');

/** The value of a setting that the unit has once. */
function settingOf(name: string): string {
  const values = unit.split('\n').flatMap((line) => (line.startsWith(`${name}=`) ? line.slice(name.length + 1) : []));
  expect(values).toHaveLength(1);
  return values[0] ?? '';
}

it('stopping the service leaves PostgreSQL to the process that uses it', () => {
  expect(settingOf('KillMode')).toBe('mixed');
});

it('the service runs what the page installs, as the user and in the folder that its commands name', () => {
  const user = /^useradd .* (\S+)$/m.exec(page)?.[1];
  const [, asked, folder, program] = /^runuser -u (\S+) -- env DATA_DIR=(\S+) (\S+) doctor$/m.exec(page) ?? [];
  const prefix = /^npm install --prefix (\S+) /m.exec(page)?.[1];
  expect(settingOf('User')).toBe(user);
  expect(asked).toBe(user);
  expect(settingOf('Environment')).toBe(`DATA_DIR=${folder}`);
  expect(`/var/lib/${settingOf('StateDirectory')}`).toBe(folder);
  expect(settingOf('ExecStart').split(' ')[0]).toBe(program);
  expect(program).toBe(`${prefix}/node_modules/.bin/dmarc-ledger`);
});
