import { sourceClasses, codesOf, dmarcPolicies } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { count, text } from '../bodies/fields.ts';

const policy = z.enum(codesOf(dmarcPolicies));
const outcome = z.enum(['pass', 'fail']);
const yesNo = z.enum(['y', 'n']);
const flags = (mechanism: string) =>
  z
    .array(z.boolean())
    .nullable()
    .describe(`One flag for each ${mechanism} result, in order; null where the record has none.`);

const Metadata = z
  .object({
    OrgName: text('Generating organization.').nullable(),
    Email: text('Contact address of that organization.').nullable(),
    ExtraContactInfo: text('Further contact details.').nullable(),
    ReportID: text("Reporter's unique id; a report sent again reuses it.").nullable(),
    DateRange: z
      .object({
        Begin: z.int().nullable().describe('Epoch seconds, UTC.'),
        End: z.int().nullable().describe('Epoch seconds, UTC.'),
      })
      .describe('The reporting window.'),
    Errors: z.array(z.string()).nullable().describe('Problems that the reporter met reading the DMARC record.'),
    Generator: text('Name and version of the producing software.').nullable(),
  })
  .describe('Who made the report, and about which time.');

const PolicyPublished = z
  .object({
    Domain: text('Domain whose record the reporter applied.'),
    ADKIM: z.enum(['r', 's']).describe('DKIM alignment mode.'),
    ASPF: z.enum(['r', 's']).describe('SPF alignment mode.'),
    P: policy.describe('Policy.'),
    SP: policy.nullable().describe('Subdomain policy, when published separately.'),
    NP: policy.nullable().describe('Policy for subdomains that do not exist, when published.'),
    PCT: z.int().min(0).max(100).nullable().describe('Older tag; current reports omit it.'),
    FO: text('Failure-reporting options.').nullable(),
    T: yesNo.nullable().describe('Testing flag.'),
    PSD: yesNo.nullable().describe('Only supplied by reporters that send the element.'),
    DiscoveryMethod: z.enum(['treewalk', 'psl']).nullable().describe('Diagnostic only.'),
  })
  .describe('The policy that the reporter found and applied.');

const Reason = z.object({
  Type: z
    .enum([
      'local_policy',
      'mailing_list',
      'trusted_forwarder',
      'policy_test_mode',
      'other',
      'forwarded',
      'sampled_out',
    ])
    .describe('Kind of reason. `forwarded` and `sampled_out` are from older reports.'),
  Comment: text('Free text from the receiver.').nullable(),
});

const DkimResult = z.object({
  Domain: text('Signing domain (d=).').nullable(),
  Selector: text('Selector (s=).').nullable(),
  Result: z
    .enum(['none', 'pass', 'fail', 'policy', 'neutral', 'temperror', 'permerror'])
    .describe('Result of the signature, aligned or not.'),
  HumanResult: text('Free text about the result.').nullable(),
});

const SpfResult = z.object({
  Domain: text('Domain that was checked.').nullable(),
  Scope: z.enum(['mfrom', 'helo']).nullable().describe('Which name was checked: the return path or the greeting.'),
  Result: z
    .enum(['none', 'neutral', 'pass', 'fail', 'softfail', 'temperror', 'permerror'])
    .describe('Result of the check, aligned or not.'),
  HumanResult: text('Free text about the result.').nullable(),
});

const ReportRecord = z
  .object({
    Row: z
      .object({
        SourceIP: text("Delivering address, in the reporter's own spelling."),
        Count: count('Messages of this entry.'),
        PolicyEvaluated: z
          .object({
            Disposition: policy.describe('What the receiver did with the messages.'),
            DKIM: outcome.describe('Whether DKIM gave an aligned pass.'),
            SPF: outcome.describe('Whether SPF gave an aligned pass.'),
            Reason: z.array(Reason).nullable().describe('Why the disposition differs from the policy.'),
          })
          .describe('The verdict of the receiver.'),
      })
      .describe('Where the messages came from, and what became of them.'),
    Identifiers: z
      .object({
        EnvelopeTo: text('Recipient domain.').nullable(),
        EnvelopeFrom: text('Envelope sender domain; may be present but empty.').nullable(),
        HeaderFrom: text('From domain; alignment is against this.'),
      })
      .describe('The domains that the messages name.'),
    AuthResults: z
      .object({
        DKIM: z.array(DkimResult).nullable().describe('One for each verified signature.'),
        SPF: z.array(SpfResult).nullable().describe('Usually one, of the return path.'),
      })
      .describe('The raw results.'),
  })
  .meta({ id: 'ReportRecord' });

export const Report = z
  .object({
    Version: text('Report format version.').nullable(),
    ReportMetadata: Metadata,
    PolicyPublished,
    Records: z.array(ReportRecord).nullable().describe('In the order of the reporter.'),
    parse_warnings: z
      .array(z.string())
      .nullable()
      .optional()
      .describe(
        'Ways in which the report departs from the standard, in the order of the document; absent when there is none.',
      ),
    record_classifications: z.array(z.enum(sourceClasses)).describe('One for each record, in order.'),
    record_alignment: z
      .array(z.object({ spf: flags('SPF'), dkim: flags('DKIM') }))
      .describe('One for each record, in order; in it one flag for each result: aligned with the From domain.'),
    failure_summary: z
      .object({
        spf_only: count('Records where only SPF failed to give an aligned pass.'),
        dkim_only: count('Records where only DKIM failed.'),
        both: count('Records where both failed, which is what fails DMARC.'),
        total: count('All records.'),
      })
      .describe('Numbers of records, not of messages.'),
  })
  .meta({ id: 'Report' });
