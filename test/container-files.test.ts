import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DCLinter } from 'dclint';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { expect, it } from 'vitest';
import { composeText, ownServices, readCompose } from './support/compose-file.ts';

const root = join(import.meta.dirname, '..');
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
const file = readCompose();

/** Only what is wrong, and nothing of style: by the schema of the Compose specification, and rules on what does harm. */
const RULES = {
  'service-keys-order': 0,
  'services-alphabetical-order': 0,
  'top-level-properties-order': 0,
  'no-quotes-in-volumes': 0,
} as const;

it('is a compose file by the specification', () => {
  expect(faultsOf(composeText)).toEqual([]);
});

it.each([
  ['a key that there is not', composeText.replace('stop_grace_period:', 'stop_grace_time:')],
  ['a condition that there is not', composeText.replace('service_completed_successfully', 'service_done')],
  ['a port that is open to everybody', composeText.replace("'127.0.0.1:8080:8080'", "'8080:8080'")],
])('would not be one with %s', (_, text) => {
  expect(text).not.toBe(composeText);
  expect(faultsOf(text)).not.toEqual([]);
});

it('holds every process of its own image to the same walls', () => {
  for (const [name, service] of ownServices(file)) {
    expect(service, name).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      stop_grace_period: '30s',
    });
  }
});

it('starts services when the schema is there, and the migration when the database is', () => {
  for (const [name, { depends_on: needs }] of ownServices(file)) {
    if (name === 'migrate') expect(needs).toEqual({ postgres: { condition: 'service_healthy' } });
    else
      expect(needs).toEqual({
        migrate: { condition: 'service_completed_successfully' },
        redis: { condition: 'service_healthy' },
      });
  }
});

it('has no secret in an environment, and describes every secret that it mounts', () => {
  for (const [name, { environment, secrets }] of Object.entries(file.services)) {
    for (const [variable, value] of Object.entries(environment ?? {})) {
      if (/URL|KEY|PASSWORD/.test(variable) && !/_FILE$|^REDIS_URL$|^BLOB_URL$/.test(variable))
        throw new Error(`${name}: ${variable}`);
      if (variable.endsWith('_FILE')) expect(secrets).toContain(value.replace('/run/secrets/', ''));
    }
    for (const secret of secrets ?? []) expect(file.secrets).toHaveProperty([secret, 'file'], `./secrets/${secret}`);
  }
});

it('has a Dockerfile without a fault, that ends as a user without rights, and copies only what is there', () => {
  expect(validate(dockerfile)).toEqual([]);
  const parsed = DockerfileParser.parse(dockerfile);
  const last = (keyword: string) => parsed.getInstructions().findLast((one) => one.getKeyword() === keyword);
  expect(last('USER')!.getArgumentsContent()).toBe('1000:1000');
  expect(last('HEALTHCHECK')!.getArgumentsContent()).toContain('bin/ready.js');
  for (const copy of parsed.getCOPYs()) {
    if (copy.getFromFlag()) continue;
    for (const source of copy.getArguments().slice(0, -1))
      expect(globSync(source.getValue(), { cwd: root })).toHaveLength(1);
  }
});

it('would find the fault in a Dockerfile', () => {
  expect(validate(dockerfile.replace('WORKDIR /app', 'WORKDIR'))).not.toEqual([]);
});

function faultsOf(text: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger-compose-'));
  try {
    const path = join(folder, 'docker-compose.yml');
    writeFileSync(path, text);
    const linter = new DCLinter({ rules: RULES, quiet: false, debug: false, exclude: [] });
    return linter
      .lintFiles([path], false)
      .flatMap(({ messages }) => messages.map(({ rule, message }) => `${rule}: ${message}`));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
