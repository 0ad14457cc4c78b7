/** The most bytes and fields of a document that are read; the rest is ignored with a warning. */
export const MAX_BYTES = 256 * 1024;
export const MAX_FIELDS = 500;

/** Characters of a stored text, and of the authentication results; a longer text is cut with a warning. */
export const MAX_TEXT = 255;
export const MAX_RESULTS = 4_096;

/** Domains of one kind; further ones are dropped with a warning. */
export const MAX_DOMAINS = 20;
