/** What people decide about who sends as a domain. (rules, sender-inventory/decisions) */
export const senderDecisions = ['ours', 'forwarder', 'not_ours'] as const;

export type SenderDecision = (typeof senderDecisions)[number];
