import type { CsvColumns } from '../page/csv-file.ts';
import type { OrganizationRow } from './find-organizations.ts';

/** The organizations of a list as a file. Without figures, those cells are empty. */
export const organizationColumns: CsvColumns<OrganizationRow> = {
  organization: ({ membership }) => membership.orgName,
  role: ({ membership }) => membership.role,
  total_messages: ({ figures }) => figures?.messages,
  compliance_rate: ({ figures }) => figures?.compliance,
  domains: ({ figures }) => figures?.domains,
  domains_needing_attention: ({ figures }) => figures?.domainsNeedingAttention,
  urgent_items: ({ figures }) => figures?.items.high,
  soon_items: ({ figures }) => figures?.items.medium,
  later_items: ({ figures }) => figures?.items.low,
};
