import { recordVerdict, type RecordVerdict } from '@dmarc-ledger/dmarc';
import type { ReportHead, StoredRecord } from '@dmarc-ledger/queries';

/**
 * Converts a report to the reporter's own element names in this API's case. Every key is always present; a missing
 * value is null.
 */
export function toReportHead({ metadata, policy }: ReportHead) {
  return {
    Version: metadata.version,
    ReportMetadata: {
      OrgName: metadata.reporterName,
      Email: metadata.email,
      ExtraContactInfo: metadata.extraContactInfo,
      ReportID: metadata.reportId,
      DateRange: { Begin: metadata.begin, End: metadata.end },
      Errors: listOrNull(metadata.errors),
      Generator: metadata.generator,
    },
    PolicyPublished: {
      Domain: policy.domain,
      ADKIM: policy.adkim,
      ASPF: policy.aspf,
      P: policy.p,
      SP: policy.sp,
      NP: policy.np,
      PCT: policy.pct,
      FO: policy.fo,
      T: policy.testing,
      PSD: policy.psd,
      DiscoveryMethod: policy.discoveryMethod,
    },
  };
}

export function toRecord(record: StoredRecord) {
  return {
    Row: {
      SourceIP: record.source_ip,
      Count: record.messages,
      PolicyEvaluated: {
        Disposition: record.disposition,
        DKIM: outcome(record.dkim_pass),
        SPF: outcome(record.spf_pass),
        Reason: listOrNull(record.reasons?.map(({ type, comment }) => ({ Type: type, Comment: comment }))),
      },
    },
    Identifiers: {
      EnvelopeTo: record.envelope_to,
      EnvelopeFrom: record.envelope_from,
      HeaderFrom: record.header_from,
    },
    AuthResults: {
      DKIM: listOrNull(
        record.dkim_results?.map(({ domain, selector, result, humanResult }) => ({
          Domain: domain,
          Selector: selector,
          Result: result,
          HumanResult: humanResult ?? null,
        })),
      ),
      SPF: listOrNull(
        record.spf_results?.map(({ domain, scope, result, humanResult }) => ({
          Domain: domain,
          Scope: scope,
          Result: result,
          HumanResult: humanResult ?? null,
        })),
      ),
    },
  };
}

/** Judges a stored record under its report's policy. */
export function verdictOf(record: StoredRecord, { policy }: Pick<ReportHead, 'policy'>): RecordVerdict {
  const { header_from, envelope_from, envelope_to, dkim_results, spf_results, dkim_pass, spf_pass } = record;
  const facts = {
    identifiers: { headerFrom: header_from, envelopeFrom: envelope_from, envelopeTo: envelope_to },
    authResults: { dkim: dkim_results, spf: spf_results },
    policyEvaluated: { dkim: outcome(dkim_pass), spf: outcome(spf_pass) },
  };
  const alignment = { dkim: record.dkim_aligned, spf: record.spf_aligned };
  return recordVerdict(facts, { class: record.class, alignment }, policy);
}

function outcome(hasPassed: boolean): 'pass' | 'fail' {
  return hasPassed ? 'pass' : 'fail';
}

export function toFailureSummary({ spf_only, dkim_only, both_failed, records }: ReportHead) {
  return { spf_only, dkim_only, both: both_failed, total: records };
}

function listOrNull<Item>(list: Item[] | null | undefined): Item[] | null {
  return list && list.length > 0 ? list : null;
}
