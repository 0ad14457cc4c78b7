import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloneDatabase } from '@dmarc-ledger/testkit';
import { s3Server } from '@dmarc-ledger/testkit/s3-server';
import { expect, it } from 'vitest';
import { openCommandHost } from '../../../test/support/command.ts';
import { temporaryFolder } from '../../../test/support/folder.ts';
import { xmlOf } from './deliveries.ts';

it('keeps raw bytes in a bucket, and finds them there', async () => {
  using folder = temporaryFolder();
  using host = openCommandHost();
  await using database = await cloneDatabase();
  const server = await s3Server();
  const dataDir = join(folder.path, 'data');
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    BLOB_URL: `s3://${server.bucket}/raw?endpoint=${server.endpoint}&path_style=true`,
    AWS_ACCESS_KEY_ID: server.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: server.credentials.secretAccessKey,
  };
  const ran = (...args: string[]) => host.run(args, env);
  await ran('org', 'create', 'Org');
  const place = join(folder.path, 'reports');
  mkdirSync(place);
  writeFileSync(join(place, 'small.xml'), xmlOf('small'));
  writeFileSync(join(place, 'large.xml'), xmlOf('large', 22_000)); // is streamed
  const { stdout, stderr, code } = await ran('ingest', place, '--org', 'Org', '--json');
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(JSON.parse(stdout)).toMatchObject({ stored: 2, records: 22_001 });
  expect([...server.objects.keys()]).toEqual([expect.stringMatching(/^raw\/\w\w\/\w{64}$/), expect.any(String)]);
  expect(await ran('audit', '--org', 'Org')).toMatchObject({ code: 0, stderr: '' });

  const [gone] = server.objects.keys();
  server.objects.delete(gone!);
  expect(await ran('intake', 'replay', '--all', '--org', 'Org')).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('blob_missing'),
  });
  expect(readdirSync(folder.path).toSorted()).toEqual(['reports']); // nothing is on the disk
  await server.close();
});
