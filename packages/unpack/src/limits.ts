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

/** Members of an archive, and documents of a delivery in all its layers: of a mail, and of an upload or file. */
export const MAX_ARCHIVE_ENTRIES = 32;
export const OWNERS_ARCHIVE_ENTRIES = 10_000;
export const MAX_DOCUMENTS = 32;
export const OWNERS_DOCUMENTS = 10_000;
export const MAX_ARCHIVE_LAYERS = 2;
/** Members of one gzip, which are concatenated: no real gzip has more, and an empty one costs as much as a full one. */
export const MAX_GZIP_MEMBERS = 4_096;
export const MAX_NAME = 255;

/** Inflated bytes of a document, which is read as a stream. */
export const MAX_STREAMED = 2_000 * MB;
/** Inflated bytes of a delivery in all its layers: of a mail, and of an upload or file. */
export const MAX_INFLATED = 2_000 * MB;
export const OWNERS_INFLATED = 10_000 * MB;
/** Bytes of the messages inside a message, however deep. */
export const MAX_NESTED_MESSAGES = 2 * MAX_MESSAGE;

/** Reports, and their records, of a delivery. */
export const MAX_REPORTS_OF_DELIVERY = 10_000;
export const MAX_RECORDS_OF_DELIVERY = 2_000_000;

/** Bytes of a tar, whose reader holds any header whole, however long. */
export const MAX_TAR = 150 * MB;

/** Inflated bytes, over all layers, for each byte of the delivery, after the first megabyte. */
export const MAX_RATIO = 200;
export const RATIO_FREE = 1_000_000;

/**
 * Bytes of a mail's documents that can only be read in one go (broken XML, JSON): always, and for each of its bytes.
 * Real reports of megabytes are 35 to 70 times as long as their gzip, and 25 to 50 times as long as that in base64.
 */
export const AT_ONCE_FREE = 512 * 1024;
export const AT_ONCE_RATIO = 75;

/** Content up to this size is inflated at once and held in memory, from no more input than that: nearly all reports. */
export const HELD_AT_ONCE = 4 * MB;
export const PACKED_AT_ONCE = MB;

export const CHUNK = 64 * 1024;
/** A piece of a message: a reader of lines takes some milliseconds for one that is all line ends. */
export const STREAMED_PIECE = 16 * 1024;
/** The bytes that are read to detect the kind of a content. */
export const HEAD = 4_096;
