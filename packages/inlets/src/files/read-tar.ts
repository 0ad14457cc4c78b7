import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar-stream';
import { IN_MEMORY_LIMIT, type FoundFile } from './found-file.ts';

/** The files of a tar archive, one by one while it streams; optionally through a decompressor. */
export async function* readTar(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  through?: Transform,
): AsyncGenerator<FoundFile> {
  const archive = extract();
  const source = Readable.from(chunks, { objectMode: false });
  const feeding = through ? pipeline(source, through, archive) : pipeline(source, archive);
  feeding.catch((error: Error) => archive.destroy(error));
  for await (const entry of archive) {
    const { type, size, name: member } = entry.header;
    if (type !== 'file') {
      entry.resume();
    } else if (size <= IN_MEMORY_LIMIT) {
      const parts: Buffer[] = [];
      for await (const part of entry) if (Buffer.isBuffer(part)) parts.push(part);
      yield { name: `${name}/${member}`, content: Buffer.concat(parts) };
    } else {
      yield { name: `${name}/${member}`, content: chunksOf(entry) };
    }
  }
  await feeding;
}

async function* chunksOf(entry: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const chunk of entry) if (chunk instanceof Uint8Array) yield chunk;
}
