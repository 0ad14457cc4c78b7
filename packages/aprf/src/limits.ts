/** Characters of a stored text; a longer one is cut with a warning. */
export const MAX_TEXT = 255;
export const MAX_REMARK = 1024;

/** Reports of one document, and rows of one report. */
export const MAX_REPORTS = 1_000;
export const MAX_ROWS = 50_000;

/**
 * The draft allows four parts of a segment; categories are the provider's own. Further ones are dropped with a warning.
 */
export const MAX_SEGMENT_PARTS = 4;
export const MAX_CATEGORIES = 100;
