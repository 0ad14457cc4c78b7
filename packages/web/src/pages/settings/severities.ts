/** The severities of events, the mildest first. */
export const severities = ['info', 'warning', 'critical'] as const;
