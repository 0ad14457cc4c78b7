import { ReportError } from '../errors.ts';
import { MAX_DEPTH, MAX_ELEMENTS, MAX_NAME_LENGTH } from '../limits.ts';

/** Counts the elements of a document, and refuses it where it is nested deeper or longer than any report. */
export class ElementLimits {
  depth = 0;
  #elements = 0;

  open(name: string): void {
    this.depth += 1;
    this.#elements += 1;
    if (this.depth > MAX_DEPTH) throw new ReportError('xml_too_deep', `elements are nested deeper than ${MAX_DEPTH}`);
    if (this.#elements > MAX_ELEMENTS) throw new ReportError('xml_too_large', `more than ${MAX_ELEMENTS} elements`);
    if (name.length > MAX_NAME_LENGTH) throw new ReportError('xml_text_too_long', 'an element name is too long');
  }

  close(): void {
    this.depth -= 1;
  }
}
