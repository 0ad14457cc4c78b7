import { openLogger } from '@dmarc-ledger/runtime';
import { serviceEnv } from '@dmarc-ledger/standalone-service/services';
import { expect, it } from 'vitest';
import { findFiles, readText } from './support/markdown.ts';

const secrets = Object.entries(serviceEnv).flatMap(([name, type]) => (type.meta()?.['secret'] === true ? [name] : []));

it('finds every variable that is marked as secret', () => {
  const marked = findFiles('{packages,services}/*/src/**/*.ts').flatMap((path) => [
    ...readText(path).matchAll(/\.meta\((?:SECRET|\{ secret: true \})\)/g),
  ]);
  expect(secrets.length).toBe(marked.length);
  expect(secrets).toEqual(expect.arrayContaining(['DATABASE_URL', 'REDIS_URL', 'SECRET_KEY', 'SMTP_URL']));
});

it.each(secrets)('%s is blanked in the log, by itself and inside settings', (name) => {
  const lines: string[] = [];
  const log = openLogger({ name: 'test', level: 'info', to: { write: (line) => void lines.push(line) } });
  log.info({ event: 'test', [name]: 'hunter2', env: { [name]: 'hunter2' } }, 'settings');
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain('hunter2');
  expect(JSON.parse(lines[0]!)).toMatchObject({ [name]: '[redacted]', env: { [name]: '[redacted]' } });
});
