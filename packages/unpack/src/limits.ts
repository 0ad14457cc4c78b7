const MB = 1_000_000;

/** A message: a 25 MB attachment in base64, and its headers. */
export const MAX_MESSAGE = 36 * MB;
export const MAX_HEADER_BLOCK = 256 * 1024;
export const MAX_HEADER_LINE = 64 * 1024;

/** Multiparts and messages inside each other, and leaves in all. */
export const MAX_MIME_DEPTH = 16;
export const MAX_MIME_PARTS = 100;
/** Parts of one message that may be reports. */
export const MAX_CANDIDATES = 10;

/** Bytes of a part, of an archive that has to be held, and of a delivery that is itself the archive. */
export const MAX_ATTACHMENT = 25 * MB;
export const MAX_ARCHIVE = 256 * MB;

export const MAX_ARCHIVE_ENTRIES = 32;
export const MAX_ARCHIVE_LAYERS = 2;
export const MAX_NAME = 255;

/** Inflated bytes of a document, which is read as a stream. */
export const MAX_STREAMED = 2_000 * MB;

/** Bytes of a tar, whose reader holds any header whole, however long that is. */
export const MAX_TAR = 150 * MB;

/** Inflated bytes for each compressed one, over all layers, once the first megabyte is out. */
export const MAX_RATIO = 200;
export const RATIO_FREE = 1_000_000;

/** Content up to this size is inflated at once and held: nearly all reports. */
export const HELD_AT_ONCE = 4 * MB;

export const CHUNK = 64 * 1024;
/** What is looked at to tell what a content is. */
export const HEAD = 4_096;
