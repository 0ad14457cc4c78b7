import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { toFetched } from '../src/domains/host-answers.ts';

const fetched = (body: Buffer, mediaType: string) => toFetched({ outcome: 'fetched', body, mediaType } as never);
const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';

it('reads a logo that is published as SVGZ', () => {
  expect(fetched(gzipSync(svg), 'image/svg+xml')).toMatchObject({ kind: 'text', body: svg });
});

it('does not inflate what is no picture, as senders do not, nor a picture that is too large', () => {
  const policy = fetched(gzipSync('version: STSv1'), 'text/plain');
  expect(policy).not.toMatchObject({ body: 'version: STSv1' });
  const bomb = gzipSync(Buffer.concat([Buffer.from(svg), Buffer.alloc(1024 ** 2)]));
  expect(fetched(bomb, 'image/svg+xml')).not.toMatchObject({ body: expect.stringContaining('<svg') });
});
