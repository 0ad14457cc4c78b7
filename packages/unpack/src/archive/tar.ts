import { Readable } from 'node:stream';
import { extract } from 'tar-stream';
import type { Content } from '../content.ts';
import { unreadable, UnpackError } from '../errors.ts';
import { MAX_ARCHIVE_ENTRIES, MAX_TAR } from '../limits.ts';
import type { Member } from './zip.ts';

/** The files of a tar (POSIX 1003.1, ustar). It has no directory, so reading one of them passes over those before it. */
export async function readTar(packed: Content): Promise<Member[]> {
  const members: Member[] = [];
  for await (const { name, isFile, index, skip } of entriesOf(packed)) {
    if (index >= MAX_ARCHIVE_ENTRIES)
      throw new UnpackError('archive_too_many_entries', `more than ${MAX_ARCHIVE_ENTRIES} members`);
    if (isFile) members.push({ name, content: tarMember(packed, index) });
    await skip();
  }
  return members;
}

function tarMember(packed: Content, wanted: number): Content {
  return {
    origin: packed.origin,
    bytes: null,
    found: packed.found,
    async *open() {
      for await (const { index, chunks, skip } of entriesOf(packed)) {
        if (index === wanted) {
          for await (const chunk of chunks) if (Buffer.isBuffer(chunk)) yield chunk;
          return;
        }
        await skip();
      }
    },
  };
}

async function* entriesOf(packed: Content) {
  const archive = extract();
  const source = Readable.from(limited(packed), { objectMode: false });
  source.on('error', (error) => archive.destroy(error)).pipe(archive);
  let index = 0;
  try {
    for await (const entry of archive) {
      const skip = async () => {
        for await (const chunk of entry) void chunk;
      };
      yield { name: entry.header.name, isFile: entry.header.type === 'file', index, chunks: entry, skip };
      index += 1;
    }
  } catch (cause) {
    throw unreadable('archive_malformed', 'the tar is damaged', cause);
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
