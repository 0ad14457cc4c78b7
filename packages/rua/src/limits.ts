/** Limits of the reader of one document: no reporter comes near these, and a hostile document ends here. */
export const MAX_DEPTH = 32;
export const MAX_ELEMENTS = 100_000_000;
export const MAX_RECORDS = 2_000_000;
/** `<feedback>` roots of a document: nearly all have one. */
export const MAX_ROOTS = 32;
export const MAX_ATTRIBUTES = 16;
export const MAX_ATTRIBUTE_LENGTH = 1024;
export const MAX_NAME_LENGTH = 256;

/** One text, comment or CDATA section; also what may pass without the parser reporting anything. */
export const MAX_TEXT_LENGTH = 64 * 1024;

/**
 * The most that is passed to the parser at once: it buffers comments and CDATA, so only the size of a piece bounds it.
 */
export const CHUNK_LENGTH = 64 * 1024;

/** Largest document, in bytes, that is read whole and may get the lenient second pass. */
export const LENIENT_LIMIT = 8 * 1024 * 1024;
/** Characters of a report that is still not well-formed after its repairs, of which a tree is built. */
export const TREE_LIMIT = 256 * 1024;

/** Repeated elements inside one record or the metadata; further ones are dropped with a warning. */
export const MAX_AUTH_RESULTS = 100;
export const MAX_REASONS = 20;
export const MAX_ERRORS = 100;

/** Characters of a stored text; a longer one is cut with a warning. */
export const MAX_STORED_TEXT = 255;
export const MAX_STORED_REMARK = 1024;
export const MAX_REPORT_ID_KEY = 255;
/** Bytes of UTF-8: what an index of the database can hold, twice, folded or not. */
export const MAX_REPORT_ID_BYTES = 1_020;

/** Messages of a record, and of a report, above which the report is refused: no domain receives that many in a day. */
export const MAX_COUNT = 1_000_000_000;
export const MAX_MESSAGES = 10_000_000_000;

/** Records passed on at once by the streaming reader: so many, or fewer that come from so many bytes of XML. */
export const RECORDS_A_BATCH = 1_000;
export const BYTES_A_BATCH = 8 * 1024 * 1024;

/** Time without a further record, and in total, that reading (not its consumer) may take. */
export const MAX_IDLE_MS = 60_000;
export const MAX_READING_MS = 15 * 60_000;
