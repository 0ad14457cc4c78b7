import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openApiDocument, routes } from '@dmarc-ledger/api';
import { startApi } from '@dmarc-ledger/api-service';
import { createKey, createOrganization } from '@dmarc-ledger/ledger';
import { openLogger } from '@dmarc-ledger/runtime';
import { cloneDatabase, givenReports } from '@dmarc-ledger/testkit';
import { generateApi } from 'swagger-typescript-api';
import { expect, it } from 'vitest';
import { temporaryFolder } from './support/folder.ts';

const run = promisify(execFile);
const tsc = join(import.meta.dirname, '..', 'node_modules', '.bin', 'tsc');

/** A user's program against the generated client; it does not compile when a type is wrong. */
const program = `
import { Api } from './client.ts';

const [baseUrl, key] = process.argv.slice(2);
const api = new Api({ baseUrl: baseUrl!, baseApiParams: { headers: { authorization: \`Bearer \${key}\` } } });
const { data: list } = await api.reports.listReports({ domain: 'example.com', limit: 1 });
const [first] = list.reports;
const { data: report } = await api.reports.getReport(first!.id);
const count: number = report.Records![0]!.Row.Count;
const { data: overview } = await api.dashboard.getDashboardOverview();
const grade: 'A+' | 'A' | 'A-' | 'B+' | 'B' | 'B-' | 'C+' | 'C' | 'C-' | 'D' | 'F' | 'N/A' = overview.org_health.grade;
const { data: usage } = await api.apiKeys.getUsage();
const limit: number | null = usage.window.limit;
// @ts-expect-error: there is no such field
void list.nothing;
const refused = await api.reports.getReport('!').catch((error: { status: number }) => error.status);
process.stdout.write(JSON.stringify({ total: list.total, count, grade, limit, refused }));
`;

it('a client that a public generator makes of the description compiles and works', async () => {
  using folder = temporaryFolder();
  const document = JSON.parse(JSON.stringify(openApiDocument(routes))) as object;
  mkdirSync(join(folder.path, 'client'));
  const options = {
    generateUnionEnums: true,
    silent: true,
    fileName: 'client.ts',
    output: join(folder.path, 'client'),
  };
  await generateApi({ ...options, spec: document as never });
  const place = join(folder.path, 'client', 'program.ts');
  writeFileSync(place, program);
  const root = join(import.meta.dirname, '..');
  const strict = ['--strict', '--noUncheckedIndexedAccess', '--noEmit', '--target', 'esnext', '--module', 'nodenext'];
  const types = [
    '--types',
    'node',
    '--typeRoots',
    join(root, 'node_modules', '@types'),
    '--allowImportingTsExtensions',
  ];
  writeFileSync(join(folder.path, 'client', 'package.json'), '{"type":"module"}');
  const compiled = run(process.execPath, [tsc, ...strict, ...types, place], { cwd: folder.path });
  await expect(
    compiled.then(
      ({ stdout }) => stdout,
      (error: { stdout: string }) => error.stdout,
    ),
  ).resolves.toBe('');

  await using database = await cloneDatabase();
  const { id } = await createOrganization(database.db, { name: 'Typed' });
  const { key } = await createKey(database.db, id, { scope: 'read' });
  await givenReports(database.db, id, [{ records: [{ ip: '192.0.2.1', count: 7 }] }]);
  const log = openLogger({ name: 'typed', level: 'silent' });
  const api = await startApi({ databaseUrl: database.url, host: '127.0.0.1', port: 0, log });
  const { stdout } = await run(process.execPath, [place, `${api.url}/v1`, key]);
  await api.close();
  expect(JSON.parse(stdout)).toEqual({ total: 1, count: 7, grade: 'B', limit: null, refused: 400 });
});
