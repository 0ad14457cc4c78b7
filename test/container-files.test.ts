import { spawnSync } from 'node:child_process';
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

/** Rules for errors, not for style: the schema of the Compose specification, and rules against harmful settings. */
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

it.each(ownServices(file))('gives the process of %s the same restrictions', (_, service) => {
  expect(service).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    stop_grace_period: '30s',
  });
});

it('leaves the proxy the capability that its program has, without which it does not start, and no root', () => {
  expect(file.services['proxy']).toMatchObject({ user: '1000:1000', cap_drop: ['ALL'], cap_add: ['NET_BIND_SERVICE'] });
});

it('starts services when the schema is there, and the migration when the database is', () => {
  const { migrate, ...others } = Object.fromEntries(
    ownServices(file).map(([name, { depends_on: needs }]) => [name, needs]),
  );
  expect(migrate).toEqual({ postgres: { condition: 'service_healthy' } });
  const needed = {
    migrate: { condition: 'service_completed_successfully' },
    redis: { condition: 'service_healthy' },
  };
  expect(others).toEqual({ api: needed, ingester: needed, scheduler: needed, web: needed, worker: needed });
});

it('lets a proxy in front say who its clients are', () => {
  expect(composeText).toMatch(/\{\n +servers \{\n +trusted_proxies static private_ranges\n/);
});

it.each([
  [{ ADMIN_PORT: '' }, 'http://127.0.0.1:9090/readyz'],
  [{ ADMIN_PORT: '9191', ADMIN_HOST: '0.0.0.0' }, 'http://127.0.0.1:9191/readyz'],
  [{ ADMIN_HOST: '10.0.0.7' }, 'http://10.0.0.7:9090/readyz'],
  [{ ADMIN_HOST: '::1' }, 'http://[::1]:9090/readyz'],
])('asks with %j whether the service is ready where it listens', (variables, asked) => {
  const program = join(import.meta.dirname, '..', 'bin', 'ready.js');
  const said = `globalThis.fetch = async (url) => ({ ok: true, text: async () => String(url) });`;
  const given = ['--import', `data:text/javascript,${encodeURIComponent(said)}`, program];
  const { stdout, status } = spawnSync(process.execPath, given, { env: { PATH: process.env['PATH'], ...variables } });
  expect([String(stdout).trim(), status]).toEqual([asked, 0]);
});

it('has secrets in files alone, each of them mounted and described', () => {
  for (const { environment = {}, secrets = [] } of Object.values(file.services)) {
    const variables = Object.entries(environment);
    expect(variables.filter(([name]) => /^(?:DATABASE|SMTP)_URL$|KEY$|PASSWORD$/.test(name))).toEqual([]);
    const files = variables.filter(([name]) => name.endsWith('_FILE')).map(([, path]) => path);
    expect(files.toSorted()).toEqual(secrets.map((secret) => `/run/secrets/${secret}`).toSorted());
    expect(Object.keys(file.secrets)).toEqual(expect.arrayContaining(secrets));
  }
});

it('has a Dockerfile without a fault, that ends as a user without rights, and copies only what is there', () => {
  expect(validate(dockerfile)).toEqual([]);
  const parsed = DockerfileParser.parse(dockerfile);
  const last = (keyword: string) => parsed.getInstructions().findLast((one) => one.getKeyword() === keyword);
  expect(last('USER')!.getArgumentsContent()).toBe('1000:1000');
  expect(last('HEALTHCHECK')!.getArgumentsContent()).toContain('bin/ready.js');
  const copies = parsed.getCOPYs().filter((one) => one.getFromFlag() === null);
  expect(copies.length).toBeGreaterThan(1);
  for (const copy of copies) {
    for (const source of copy.getArguments().slice(0, -1))
      expect(globSync(source.getValue(), { cwd: root })).toHaveLength(1);
  }
});

it('would find the fault in a Dockerfile', () => {
  expect(validate(dockerfile.replace('WORKDIR /app', 'WORKDIR'))).not.toEqual([]);
});

/** The part of the linter's result that is used here; its own types do not resolve. */
interface Linted {
  messages: { rule: string; message: string }[];
}

function faultsOf(text: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger-compose-'));
  try {
    const path = join(folder, 'docker-compose.yml');
    writeFileSync(path, text);
    const linter = new DCLinter({ rules: RULES, quiet: false, debug: false, exclude: [] });
    const results: Linted[] = linter.lintFiles([path], false);
    return results.flatMap(({ messages }) => messages.map(({ rule, message }) => `${rule}: ${message}`));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
