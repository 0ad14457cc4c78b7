import { isOurs } from '../records/report-address.ts';
import { recordsAt } from '../records/servers-differ.ts';
import { strictCandidatesOf } from '../records/tag-list.ts';
import { readTlsReportUris } from '../records/tls-rpt-record.ts';
import { finding, missing, UNREACHABLE, type Check } from './check.ts';
import { details } from './details.ts';

/** (RFC 8460, 3; rules, domain-checks/tls-rpt) */
export const tlsRptCheck: Check = {
  protocol: 'tls_rpt',
  names: (domain) => [`_smtp._tls.${domain}`],
  async run(ask, { domain, ours }) {
    const answer = await ask.text(`_smtp._tls.${domain}`);
    if (answer.kind === 'unconfirmed') return UNREACHABLE;
    const texts = answer.kind === 'found' ? answer.values : [];
    const found = recordsAt(answer, (all) => strictCandidatesOf(all, 'TLSRPTv1'));
    if (found.kind === 'unconfirmed') return UNREACHABLE;
    const records = found.kind === 'found' ? found.values : [];
    const almost = texts.filter((text) => /^\s*v\s*=\s*tlsrptv1/i.test(text));
    if (records.length === 0 && almost.length === 0) return missing(details.tlsRptMissing());
    const uris = readTlsReportUris(texts);
    if (!uris) return finding('error', details.tlsRptInvalid(), { records: almost });
    if (!isOurs(uris, ours)) return finding('warning', details.tlsRptElsewhere(), { records });
    return finding('ok', details.tlsRptGood(), { records });
  },
};
