/** What the page of failure reports says. */
export const failureTexts = {
  intro:
    'Some receivers report single messages that failed. Only domains and addresses of servers are kept; nothing of ' +
    'the message is.',
  caption: (total: number, count: string) => (total === 1 ? '1 failure report' : `${count} failure reports`),
  empty:
    'No failure report in this window. Most receivers send none; those that do need the tag ruf in your DMARC record.',
};
