/** One delivery found at a path: a file, a mail of a mailbox file, a member of a tar archive. */
export interface FoundFile {
  /** Where it was found, for people; never used as a path again. */
  name: string;
  /** Whole when it is small, else a stream that must be read before the next delivery is asked for. */
  content: Buffer | AsyncIterable<Uint8Array>;
}

/** Content up to this is handed on whole. */
export const WHOLE_LIMIT = 8 * 1024 ** 2;
