/** The words of the page about bulk senders that are not in the answer itself. */
export const bulkSenderWords = {
  states: {
    met: 'Met',
    not_met: 'Not met',
    unknown: 'Not known',
    cannot_be_seen: 'Cannot be seen from reports',
  },
  tags: { met: 'success', not_met: 'warning', unknown: 'neutral', cannot_be_seen: 'neutral' },
  isBulk: (isBulk: boolean | null) => (isBulk === null ? 'not known' : isBulk ? 'yes' : 'not by these days'),
  source: ({ name, since }: { name: string; since: string }) => `${name}, since ${since}`,
} as const;
