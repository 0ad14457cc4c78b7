/** Messages built by hand, which no codec would write. */

export const TYPE = { A: 1, NS: 2, CNAME: 5, SOA: 6, PTR: 12, MX: 15, TXT: 16, AAAA: 28 };

/** A label is its bytes, whatever they are. */
export function wireName(...labels: (string | Buffer)[]): Buffer {
  const parts = labels.flatMap((label) => {
    const bytes = Buffer.from(label as string, 'latin1');
    return [Buffer.from([bytes.length]), bytes];
  });
  return Buffer.concat([...parts, Buffer.from([0])]);
}

export function pointer(offset: number): Buffer {
  return Buffer.from([0xc0 | (offset >> 8), offset & 0xff]);
}

/** A pointer to the question's name. */
export const QUESTION = pointer(12);

export function record(owner: Buffer, type: number, data: Buffer, length: number = data.length): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt32BE(300, 4);
  fixed.writeUInt16BE(length, 8);
  return Buffer.concat([owner, fixed, data]);
}

/** The answer to a query: its id and question, these records as answers or as the counts say. */
export function response(query: Buffer, answers: Buffer[], counts?: { answers: number; authorities?: number }): Buffer {
  const end = endOfQuestion(query);
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8580, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(counts?.answers ?? answers.length, 6);
  header.writeUInt16BE(counts?.authorities ?? 0, 8);
  return Buffer.concat([header, query.subarray(12, end), ...answers]);
}

function endOfQuestion(query: Buffer): number {
  let at = 12;
  while (query[at] !== 0) at += query[at]! + 1;
  return at + 5;
}
