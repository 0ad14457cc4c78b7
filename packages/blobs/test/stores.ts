import { vi } from 'vitest';
import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { s3Server, type S3Server } from '@dmarc-ledger/testkit/s3-server';

/** A place for blobs, as its operator sees it. */
export interface TestStore {
  url: string;
  /** Every file or object in it, finished or not. */
  names(): string[];
  damage(sha256: Buffer, bytes: string): void;
  truncate(sha256: Buffer, length: number): void;
  end(): Promise<void>;
}

export type S3TestStore = TestStore & { server: S3Server };

export async function folderStore(): Promise<TestStore> {
  const folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger blobs '));
  const pathOf = (sha256: Buffer) => join(folder, sha256.toString('hex', 0, 1), sha256.toString('hex'));
  return {
    url: pathToFileURL(folder).href,
    names: () =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
        statSync(join(folder, name)).isFile(),
      ),
    damage: (sha256, bytes) => writeFileSync(pathOf(sha256), bytes),
    truncate: (sha256, length) => truncateSync(pathOf(sha256), length),
    end: async () => rmSync(folder, { recursive: true }),
  };
}

/** Sets the credentials where the SDK looks for them. */
export async function bucketStore(): Promise<S3TestStore> {
  const server = await s3Server();
  vi.stubEnv('AWS_ACCESS_KEY_ID', server.credentials.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', server.credentials.secretAccessKey);
  const keyOf = (sha256: Buffer) => `some/folder/${sha256.toString('hex', 0, 1)}/${sha256.toString('hex')}`;
  return {
    server,
    url: `s3://${server.bucket}/some/folder?endpoint=${encodeURIComponent(server.endpoint)}&path_style=true`,
    names: () => [...server.objects.keys(), ...server.uploads.keys()],
    damage: (sha256, bytes) => void server.objects.set(keyOf(sha256), Buffer.from(bytes)),
    truncate: (sha256, length) =>
      void server.objects.set(keyOf(sha256), server.objects.get(keyOf(sha256))!.subarray(0, length)),
    end: async () => {
      vi.unstubAllEnvs();
      await server.close();
    },
  };
}
