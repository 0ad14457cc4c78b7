/** One delivery found at a path: a file, a mail of a mailbox file, a member of a tar archive. */
export interface FoundFile {
  /** Where it was found, for display; never used as a path again. */
  name: string;
  /** In memory when it is small, otherwise a stream that must be read before the next delivery is requested. */
  content: Buffer | AsyncIterable<Uint8Array>;
  /** How many bytes a stream has, where that is known before it is read. */
  size?: number;
}

/** Content up to this size is returned in memory. */
export const IN_MEMORY_LIMIT = 8 * 1024 ** 2;
