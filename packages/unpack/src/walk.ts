import type { Refusal } from '@dmarc-ledger/vocabulary';
import { gunzip } from './archive/gzip.ts';
import { readTar } from './archive/tar.ts';
import { readZip, type Member } from './archive/zip.ts';
import { bufferSource, type ByteSource } from './byte-source.ts';
import { readAll, readHead, type Content } from './content.ts';
import { inside, makeDocument, noting, pathText, type Document, type Place } from './document.ts';
import { UnpackError } from './errors.ts';
import type { Gatherer } from './gatherer.ts';
import { MAX_ARCHIVE_LAYERS, MAX_ATTACHMENT, MAX_MESSAGE } from './limits.ts';
import type { Envelope } from './mail/envelope.ts';
import { openMessage } from './mail/open-message.ts';
import { sniff, type Kind } from './sniff.ts';

/** A walk through one delivery, layer by layer, that gathers its documents and what could not be opened. */
export class Walk implements Gatherer {
  readonly documents: Document[] = [];
  readonly refusals: (Refusal & { path: string })[] = [];
  mail: Envelope | null = null;
  sawEmpty = false;

  async attempt(place: Place, step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      if (!(error instanceof UnpackError)) throw error;
      this.refuse(error, pathText(place));
    }
  }

  refuse({ code, message }: UnpackError, path: string): void {
    this.refusals.push({ code, message, path });
  }

  addDocument(content: Content, kind: Document['kind'], place: Place): void {
    this.documents.push(makeDocument(content, kind, place));
  }

  /** A message, of which the source holds nothing else. */
  async message(source: ByteSource, place: Place): Promise<void> {
    if (source.size > MAX_MESSAGE) throw new UnpackError('message_too_large', `the message has ${source.size} bytes`);
    await openMessage(this, source, { ...place, messages: place.messages + 1 });
  }

  async content(content: Content, kind: Kind, place: Place, source?: ByteSource): Promise<void> {
    if (kind === 'gzip') await this.#gzip(content, place);
    else if (kind === 'zip') await this.#zip(source ?? (await heldSource(content, MAX_ATTACHMENT)), place);
    else if (kind === 'tar') await this.#tar(content, place);
    else if (kind === 'mail')
      await this.message(await heldSource(content, MAX_MESSAGE), noting(place, 'mime_forwarded_message'));
    else if (kind === 'xml' || kind === 'json') this.addDocument(content, kind, place);
    else if (kind === 'unsupported')
      throw new UnpackError('unsupported_container', 'a container of a kind that is not opened');
    else if (kind === 'placeholder')
      throw new UnpackError('payload_placeholder', 'the reporter sent a placeholder in place of a report');
    else if (kind === 'empty') this.sawEmpty = true;
  }

  async #gzip(packed: Content, place: Place): Promise<void> {
    const within = this.#layer(place, 'gzip_double');
    const content = gunzip(packed);
    let isTruncated = false;
    const head = await readHead(content, (code) => {
      isTruncated ||= code === 'gzip_truncated';
    });
    if (head.length === 0 && isTruncated)
      throw new UnpackError('gzip_truncated', 'the gzip ends before its content begins');
    await this.content(content, sniff(head), within);
  }

  async #tar(content: Content, place: Place): Promise<void> {
    await this.#members(await readTar(content), this.#layer(place, 'container_tar_gz'));
  }

  async #zip(source: ByteSource, place: Place): Promise<void> {
    const within = this.#layer(place, 'gzip_double');
    const { members, hasFolders, error } = await readZip(source);
    if (error) this.refuse(error, pathText(place));
    if (members.length === 0) this.sawEmpty = true;
    await this.#members(members, hasFolders ? noting(within, 'zip_directory_entry') : within);
  }

  /** Junk beside a report is passed over, as is everything without a sign of one. */
  async #members(members: readonly Member[], place: Place): Promise<void> {
    const opened: { content: Content; kind: Kind; at: Place }[] = [];
    for (const [index, { name, content }] of members.entries()) {
      const at = inside(place, name, name || String(index + 1));
      await this.attempt(at, async () => {
        if (content instanceof UnpackError) throw content;
        opened.push({ content, kind: sniff(await readHead(content, () => undefined)), at });
      });
    }
    const several = opened.filter(({ kind }) => kind === 'xml').length > 1 ? 'zip_multiple_members' : null;
    for (const { content, kind, at } of opened) {
      const unnamed = kind === 'xml' && !/\.xml$/i.test(at.name ?? '') ? 'zip_no_xml_member' : null;
      await this.attempt(at, () => this.content(content, kind, noting(noting(at, several), unnamed)));
    }
  }

  #layer(place: Place, code: string): Place {
    if (place.layers >= MAX_ARCHIVE_LAYERS)
      throw new UnpackError('archive_too_deep', `more than ${MAX_ARCHIVE_LAYERS} archives inside each other`);
    return { ...(place.layers > 0 ? noting(place, code) : place), layers: place.layers + 1 };
  }
}

async function heldSource(content: Content, limit: number): Promise<ByteSource> {
  return bufferSource(content.bytes ?? (await readAll(content, limit)));
}
