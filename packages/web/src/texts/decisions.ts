import type { SenderDecision } from '@dmarc-ledger/vocabulary';

/** How each decision about a sender is named on pages. */
export const decisionLabels: { [decision in SenderDecision]: string } = {
  ours: 'Ours',
  forwarder: 'Forwarder',
  not_ours: 'Not ours',
};

/** What follows from each, as the tail of a sentence about the sender. */
export const decisionMeanings: { [decision in SenderDecision]: string } = {
  ours: 'It sends in our name, so it must pass: publish what is missing for it.',
  forwarder: 'It passes on our mail, so what fails here is no task.',
  not_ours: 'Somebody else uses our name, so what fails here is no task: a stricter policy stops it.',
};

/** The colour of each, as that of a class of mail. */
export const decisionTags: { [decision in SenderDecision]: string } = {
  ours: 'authenticated',
  forwarder: 'likely_forwarded',
  not_ours: 'suspicious',
};
