import { gzipSync } from 'node:zlib';
import { bufferSource, unpack, UnpackError, type Allowance, type Document } from '../src/index.ts';
import { expect } from 'vitest';

/** The beginning of a report, which is all that unpacking reads. */
export const XML = Buffer.from('<?xml version="1.0"?><feedback><version>1.0</version></feedback>');
export const LIMIT = 8_000_000;

/** The result of a delivery: the content and warnings of each document, and the codes of the refusals. */
export async function open(delivery: Buffer | string, name?: string, allowance?: Allowance) {
  const unpacking = unpack(bufferSource(Buffer.from(delivery)), { name, allowance });
  const read: { kind: string; path: string; text: string; warnings: string[] }[] = [];
  const refused: string[] = [];
  for await (const document of unpacking) {
    if (document.kind === 'refused') {
      refused.push(document.code);
      continue;
    }
    try {
      const whole = await document.readWhole(LIMIT);
      expect(await streamed(document)).toEqual(whole?.bytes);
      read.push({
        kind: document.kind,
        path: document.path,
        text: String(whole?.bytes),
        warnings: whole?.warnings.map(({ code }) => code) ?? [],
      });
    } catch (error) {
      if (!(error instanceof UnpackError)) throw error;
      refused.push(error.code);
    }
  }
  return { documents: read, refused, mail: unpacking.mail };
}

export async function streamed(document: Document): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of document.open()) {
    expect(chunk.length).toBeLessThanOrEqual(64 * 1024);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export const gz = gzipSync(XML);
