import { MAX_LINE, MAX_TALK } from './limits.ts';
import { ProbeError } from './probe-fact.ts';

/** A mail server's reply: three digits, and the text of each line. */
export interface Reply {
  code: number;
  lines: readonly string[];
}

const LINE = /^([2-5]\d\d)(?:([ -])(.*))?$/;

/** Yields replies from bytes as they arrive, within limits. Throws if they cannot be parsed. (RFC 5321, 4.2) */
export async function* readReplies(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Reply, void> {
  let talk = 0;
  let rest = '';
  let lines: string[] = [];
  for await (const chunk of chunks) {
    talk += chunk.length;
    if (talk > MAX_TALK) throw new ProbeError('too_large');
    const [last = '', ...before] = (rest + Buffer.from(chunk).toString('latin1')).split('\n').toReversed();
    rest = last;
    for (const line of before.toReversed()) {
      const [, code, separator, text = ''] = LINE.exec(line.replace(/\r$/, '')) ?? [];
      if (line.length > MAX_LINE || rest.length > MAX_LINE) throw new ProbeError('too_large');
      if (code === undefined) throw new ProbeError('malformed');
      lines.push(text);
      if (separator === '-') continue;
      yield { code: Number(code), lines };
      lines = [];
    }
    if (rest.length > MAX_LINE) throw new ProbeError('too_large');
  }
}
