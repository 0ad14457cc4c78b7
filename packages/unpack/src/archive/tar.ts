import { Readable } from 'node:stream';
import { extract } from 'tar-stream';
import { heldContent, readAll, type Content } from '../content.ts';
import { unreadable, UnpackError } from '../errors.ts';
import { HELD_AT_ONCE, MAX_TAR } from '../limits.ts';
import type { Member } from './zip.ts';

/**
 * The files of a tar (POSIX 1003.1, ustar), one after the other. A tar has no directory: a large file is read by
 * skipping those before it again, a small one is held until the next is requested.
 */
export async function* readTar(packed: Content, most: number): AsyncGenerator<Member, void, undefined> {
  for await (const { name, isFile, index, size, chunks, skip } of entriesOf(packed)) {
    if (index >= most) throw new UnpackError('archive_too_many_entries', `more than ${most} members`);
    if (isFile && size <= HELD_AT_ONCE) {
      const held = { bytes: null, found: [], open: () => buffersOf(chunks) };
      yield { name, content: heldContent(await readAll(held, HELD_AT_ONCE), packed.found) };
    } else if (isFile) yield { name, content: tarMember(packed, index) };
    await skip();
  }
}

function tarMember(packed: Content, wanted: number): Content {
  return {
    bytes: null,
    found: packed.found,
    async *open() {
      for await (const { index, chunks, skip } of entriesOf(packed)) {
        if (index === wanted) return yield* buffersOf(chunks);
        await skip();
      }
    },
  };
}

/** The content of an entry; an archive that ends inside it is damaged. */
async function* buffersOf(chunks: AsyncIterable<unknown>): AsyncGenerator<Buffer, void, undefined> {
  try {
    for await (const chunk of chunks) if (Buffer.isBuffer(chunk)) yield chunk;
  } catch (cause) {
    throw damaged(cause);
  }
}

function damaged(cause: unknown): Error {
  return unreadable('archive_malformed', 'the tar is damaged', cause);
}

async function* entriesOf(packed: Content) {
  const archive = extract();
  const source = Readable.from(limited(packed), { objectMode: false });
  source.on('error', (error) => archive.destroy(error)).pipe(archive);
  let index = 0;
  try {
    for await (const entry of archive) {
      const skip = async () => {
        for await (const chunk of buffersOf(entry)) void chunk;
      };
      const { name, type, size } = entry.header;
      yield { name, isFile: type === 'file', index, size, chunks: entry, skip };
      index += 1;
    }
  } catch (cause) {
    throw damaged(cause);
  } finally {
    source.destroy();
    archive.destroy();
  }
}

async function* limited(packed: Content): AsyncGenerator<Buffer, void, undefined> {
  let length = 0;
  for await (const chunk of packed.open(() => undefined)) {
    length += chunk.length;
    if (length > MAX_TAR) throw new UnpackError('payload_too_large', `the tar has more than ${MAX_TAR} bytes`);
    yield chunk;
  }
}
