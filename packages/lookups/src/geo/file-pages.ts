import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { LRUCache } from 'lru-cache';

const PAGE = 4_096;
const KEPT_PAGES = 512;

/**
 * A file of which only the pages in use are held: 2 MiB at most. Reading is synchronous, as a page usually lies in the
 * system's cache and a lookup needs a few dozen bytes of several. The file must not be changed in place.
 */
export class FilePages implements Disposable {
  readonly size: number;
  readonly #file: number;
  readonly #pages = new LRUCache<number, Buffer>({ max: KEPT_PAGES });

  constructor(path: string) {
    this.#file = openSync(path, 'r');
    this.size = fstatSync(this.#file).size;
  }

  /** @throws {RangeError} when the file ends before */
  bytes(start: number, length: number): Buffer {
    if (start < 0 || start + length > this.size) throw new RangeError(`The file ends before byte ${start + length}.`);
    const [first, last] = [Math.floor(start / PAGE), Math.floor((start + Math.max(length, 1) - 1) / PAGE)];
    const pages = Array.from({ length: last - first + 1 }, (_, i) => this.#page(first + i));
    const from = start - first * PAGE;
    const [only] = pages;
    return (only && pages.length === 1 ? only : Buffer.concat(pages)).subarray(from, from + length);
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }

  #page(number: number): Buffer {
    const known = this.#pages.get(number);
    if (known) return known;
    const page = Buffer.alloc(Math.min(PAGE, this.size - number * PAGE));
    for (let read = 0; read < page.length;) {
      const more = readSync(this.#file, page, read, page.length - read, number * PAGE + read);
      if (more === 0) throw new RangeError('The file has become shorter.');
      read += more;
    }
    this.#pages.set(number, page);
    return page;
  }
}
