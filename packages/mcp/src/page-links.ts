/** The page that shows the same to people, by the name of the tool; arguments in braces. */
const pages: { [operation: string]: string } = {
  getReport: '/reports/{id}',
  listReports: '/reports?domain={domain}',
  getSource: '/sources/{ip}',
  listSources: '/senders?domain={domain}',
  listTopSources: '/senders?domain={domain}',
  listSenders: '/senders?domain={domain}',
  listSenderDecisionChanges: '/senders?domain={domain}',
  getDomainHealth: '/domains/{domain}',
  getComplianceScore: '/domains/{domain}',
  getComplianceScoreHistory: '/domains/{domain}',
  getDomainEnforcement: '/domains/{domain}/enforce',
  listEnforcement: '/enforcement',
  listDomains: '/domains',
  listEvents: '/events',
};

/** The page where a person checks an answer; that of the overview when no other has it. */
export function pageOf(operation: string, given: { [name: string]: unknown }): string {
  const template = pages[operation] ?? '/';
  let isWhole = true;
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = given[name];
    if (typeof value === 'string' && value !== '') return encodeURIComponent(value);
    isWhole = false;
    return '';
  });
  if (isWhole) return filled;
  return filled.includes('?') ? filled.slice(0, filled.indexOf('?')) : '/';
}
