/** The words of the pages about enforcement that are not in the answers themselves. */
export const enforcementWords = {
  verdict: (verdict: string) => `${verdict.charAt(0).toUpperCase()}${verdict.slice(1)}`,
  done: 'Nothing stricter',
  policy: ({ p, sp, np, adkim, aspf }: { [tag in 'p' | 'sp' | 'np' | 'adkim' | 'aspf']: string | null }) =>
    p === null
      ? 'none is known'
      : Object.entries({ p, sp, np, adkim, aspf })
          .filter(([, value]) => value !== null)
          .map(([tag, value]) => `${tag}=${value}`)
          .join('; '),
  steps: {
    quarantine: 'Quarantine failing mail of the domain (p=quarantine)',
    reject: 'Reject failing mail of the domain (p=reject)',
    sp_reject: 'Reject failing mail of its subdomains (sp=reject)',
    np_reject: 'Reject failing mail of names that do not exist (np=reject)',
    strict: 'Demand the exact domain (adkim=s; aspf=s)',
  },
  decisions: { ours: 'ours', forwarder: 'forwarder', not_ours: 'not ours' },
  recordNotRead:
    'No check has read the record that stands there, within a week. Change only these tags in it, and keep its others, ' +
    'such as rua. Where none stands, begin at Monitor.',
  states: { ok: 'Nothing to change', change: 'To change', unknown: 'Not known' },
} as const;
