/** Characters of a stored text; a longer one is cut with a warning. */
export const MAX_TEXT = 255;
export const MAX_REMARK = 1024;

/** What is beyond is dropped with a warning; the session counts of a policy keep telling of it. */
export const MAX_POLICIES = 1_000;
export const MAX_FAILURES = 10_000;

/** Lines of a policy, and hosts it names. */
export const MAX_LINES = 100;
