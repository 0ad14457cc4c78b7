/** A content that is being read, with the bytes read so far. */
export interface BegunReading {
  readonly chunks: Buffer[];
  /** Reads on; true as soon as there is more than `limit`, false when that was all. */
  fill(limit: number): Promise<boolean>;
  /** The bytes read so far, and then the rest. */
  rest(): AsyncGenerator<Buffer, void, undefined>;
  close(): Promise<void>;
}

export function beginReading(content: AsyncIterable<Buffer>): BegunReading {
  const iterator = content[Symbol.asyncIterator]();
  const chunks: Buffer[] = [];
  const close = async () => {
    chunks.length = 0;
    await iterator.return?.();
  };
  return {
    chunks,
    async fill(limit) {
      let length = 0;
      for (;;) {
        const { done, value } = await iterator.next();
        if (done) return false;
        chunks.push(value);
        length += value.length;
        if (length > limit) return true;
      }
    },
    async *rest() {
      try {
        for (let chunk = chunks.shift(); chunk; chunk = chunks.shift()) yield chunk;
        for (let step = await iterator.next(); !step.done; step = await iterator.next()) yield step.value;
      } finally {
        await close();
      }
    },
    close,
  };
}
