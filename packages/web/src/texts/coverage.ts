/** The words of the pages about coverage that are not in the answers themselves. */
export const confidenceWords = {
  levels: {
    high: 'high confidence',
    medium: 'medium confidence',
    low: 'low confidence',
    unknown: 'confidence not known',
  },
} as const;

export const coverageWords = {
  days: {
    reported: 'reported',
    missing: 'no report',
    quiet: 'quiet',
    not_due: 'not due yet',
  },
  reporters: { reporting: 'reports', absent: 'absent', silent: 'has fallen silent', irregular: 'irregular' },
  noName: '(no name)',
} as const;
