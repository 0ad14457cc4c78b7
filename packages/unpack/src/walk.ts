import { gunzip } from './archive/gzip.ts';
import { readTar } from './archive/tar.ts';
import { readZip, type Member } from './archive/zip.ts';
import { bufferSource, type ByteSource } from './byte-source.ts';
import { readAll, readHead, type Content } from './content.ts';
import type { DeliveryBudget } from './delivery-budget.ts';
import { inside, makeDocument, noting, pathText, type Document, type Place } from './document.ts';
import { UnpackError } from './errors.ts';
import type { Gatherer, Steps } from './gatherer.ts';
import { MAX_ARCHIVE_LAYERS, MAX_ATTACHMENT, MAX_MESSAGE } from './limits.ts';
import type { Envelope } from './envelope.ts';
import { openMessage } from './mail/open-message.ts';
import { isReportName, notAReport } from './report-name.ts';
import { sniff, type Kind } from './sniff.ts';

interface OpenedMember {
  content: Content;
  kind: Kind;
  at: Place;
}

/**
 * Walks through one delivery, layer by layer, and yields its documents and its refusals in order: the content of one
 * member is freed before the next is opened.
 */
export class Walk implements Gatherer {
  readonly #budget: DeliveryBudget;
  mail: Envelope | null = null;
  sawEmpty = false;

  constructor(budget: DeliveryBudget) {
    this.#budget = budget;
  }

  get isOver(): boolean {
    return this.#budget.isSpent;
  }

  async *attempt<Result>(place: Place, step: () => Steps<Result>): Steps<Result | undefined> {
    if (this.isOver) return undefined; // which has been reported
    try {
      return yield* step();
    } catch (error) {
      if (!(error instanceof UnpackError)) throw error;
      yield { kind: 'refused', path: pathText(place), code: error.code, message: error.message };
      return undefined;
    }
  }

  async *addDocument(content: Content, kind: Document['kind'], place: Place): Steps {
    this.#budget.countDocument();
    const { document, release } = makeDocument(content, kind, place);
    try {
      yield document;
    } finally {
      await release();
    }
  }

  /** A message, which is all that the source holds. */
  async *message(source: ByteSource, place: Place): Steps {
    if (source.size > MAX_MESSAGE) throw new UnpackError('message_too_large', `the message has ${source.size} bytes`);
    if (place.messages > 0) this.#budget.countNestedMessage(source.size);
    yield* openMessage(this, source, { ...place, messages: place.messages + 1 });
  }

  async *content(content: Content, kind: Kind, place: Place, source?: ByteSource): Steps {
    if (kind === 'gzip') yield* this.#gzip(content, place);
    else if (kind === 'zip') yield* this.#zip(source ?? (await heldSource(content, MAX_ATTACHMENT)), place);
    else if (kind === 'tar') yield* this.#tar(content, place);
    else if (kind === 'mail')
      yield* this.message(await heldSource(content, MAX_MESSAGE), noting(place, 'mime_forwarded_message'));
    else if (kind === 'xml' || kind === 'json') yield* this.addDocument(content, kind, place);
    else if (kind === 'unsupported')
      throw new UnpackError('unsupported_container', 'a container of an unsupported kind');
    else if (kind === 'placeholder')
      throw new UnpackError('payload_placeholder', 'the reporter sent a placeholder in place of a report');
    else this.#junk(kind, place);
  }

  /** What is no report is passed over, as a signature or an image is, unless its name says that it is one. */
  #junk(kind: Kind, { name }: Place): void {
    if (kind === 'empty') this.sawEmpty = true;
    if (isReportName(name)) throw notAReport(kind);
  }

  async *#gzip(packed: Content, place: Place): Steps {
    const within = this.#layer(place, 'gzip_double');
    const content = gunzip(packed, this.#budget);
    let isTruncated = false;
    const head = await readHead(content, (code) => {
      isTruncated ||= code === 'gzip_truncated';
    });
    if (head.length === 0 && isTruncated)
      throw new UnpackError('gzip_truncated', 'the gzip ends before its content begins');
    yield* this.content(content, sniff(head), within);
  }

  async *#tar(content: Content, place: Place): Steps {
    const within = this.#layer(place, 'container_tar_gz');
    yield* this.#members(readTar(content, this.#budget.allowance.members), within);
  }

  async *#zip(source: ByteSource, place: Place): Steps {
    const within = this.#layer(place, 'gzip_double');
    const { files, members, hasFolders, hasTrailingBytes, error } = await readZip(source, this.#budget);
    if (error) yield { kind: 'refused', path: pathText(place), code: error.code, message: error.message };
    if (files === 0 && !error) this.#junk('empty', place);
    const at = noting(within, hasTrailingBytes ? 'zip_trailing_bytes' : null);
    yield* this.#members(members, noting(at, hasFolders ? 'zip_directory_entry' : null));
  }

  /**
   * Skips junk beside a report, and everything without a sign of one. The first report is held back until there is a
   * second, or none: each of several is marked as one of them.
   */
  async *#members(members: AsyncIterable<Member>, place: Place): Steps {
    let index = 0;
    let first: OpenedMember | undefined;
    let isOneOfSeveral = false;
    for await (const member of members) {
      if (this.isOver) break;
      index += 1;
      const opened = yield* this.#member(member, index, place);
      if (!opened) continue;
      if (opened.kind === 'xml' && !isOneOfSeveral) {
        if (!first) {
          first = opened;
          continue;
        }
        isOneOfSeveral = true;
        yield* this.#inMember(first, isOneOfSeveral);
        first = undefined;
      }
      yield* this.#inMember(opened, isOneOfSeveral);
    }
    if (first) yield* this.#inMember(first, false);
  }

  async *#member({ name, content }: Member, index: number, place: Place): Steps<OpenedMember | undefined> {
    const at = inside(place, name, name || String(index));
    // oxlint-disable-next-line require-yield -- what it refuses is handed over by the attempt
    return yield* this.attempt<OpenedMember>(at, async function* () {
      if (content instanceof UnpackError) throw content;
      return { content, kind: sniff(await readHead(content, () => undefined)), at };
    });
  }

  async *#inMember({ content, kind, at }: OpenedMember, isOneOfSeveral: boolean): Steps {
    const several = isOneOfSeveral ? 'zip_multiple_members' : null;
    const unnamed = kind === 'xml' && !/\.xml$/i.test(at.name ?? '') ? 'zip_no_xml_member' : null;
    yield* this.attempt(at, () => this.content(content, kind, noting(noting(at, several), unnamed)));
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
