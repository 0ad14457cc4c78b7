/** What still comes in about a domain that is not monitored. (rules, organizations/owner-of-a-report) */
export const monitoringTexts = {
  sharedMailbox:
    'A mailbox that organizations share brings only reports about domains that people monitor, and those that were ' +
    'sent to this organization’s address.',
};
