import { Connection } from './connection.ts';
import { StatementNames } from './statement-names.ts';

/**
 * A connection that keeps statements prepared, for one that lives long and runs the same few of them: to plan a
 * statement of the API takes about as long as to run it.
 */
export class PreparingConnection extends Connection {
  readonly #names = new StatementNames();

  // oxlint-disable-next-line typescript/no-explicit-any -- pg's own takes and returns many shapes
  override query(...question: [any, any?, any?]): any {
    const [text, values, callback] = question;
    const name = typeof text === 'string' && Array.isArray(values) ? this.#names.of(text) : undefined;
    return name === undefined ? super.query(...question) : super.query({ name, text, values }, undefined, callback);
  }
}
