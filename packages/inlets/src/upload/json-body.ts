import type { IncomingMessage } from 'node:http';
import { HttpProblem } from '@dmarc-ledger/vocabulary';
import { tooLarge } from './upload-errors.ts';

const LARGEST = 32 * 1024;

/** The JSON that a request carries, at most 32 KiB of it. */
export async function jsonOf(request: IncomingMessage): Promise<unknown> {
  return parse(await bodyOf(request));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const arriving: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  for await (const chunk of arriving) {
    size += chunk.length;
    if (size > LARGEST) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new HttpProblem('bad_request', { status: 400, error: 'The body is no JSON' }, { cause });
  }
}
