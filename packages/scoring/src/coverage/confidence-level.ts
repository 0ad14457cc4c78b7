/** How far a rate can be off. `unknown`: nothing can be said. (rules, coverage/confidence) */
export const confidenceLevels = ['high', 'medium', 'low', 'unknown'] as const;
export type ConfidenceLevel = (typeof confidenceLevels)[number];
