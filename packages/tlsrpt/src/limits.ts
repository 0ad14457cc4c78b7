/** Characters of a stored text; a longer one is cut with a warning. */
export const MAX_TEXT = 255;
export const MAX_REMARK = 1024;

/** Further ones are dropped with a warning; the session counts of a policy still include them. */
export const MAX_POLICIES = 1_000;
export const MAX_FAILURES = 10_000;

/** Lines of a policy, and hosts it names. */
export const MAX_LINES = 100;
