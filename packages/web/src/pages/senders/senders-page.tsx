import {
  type BodyOf,
  findSenderPage,
  findSourcePage,
  type listSources,
  type SendersBody,
} from '@dmarc-ledger/api/answers';
import { type AddressDecision, findAddressDecisions } from '@dmarc-ledger/queries';
import { codesOf, reputationStatuses } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { definePage } from '../../page/define-page.ts';
import { filterShape } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { pagingShape, rowsOfPage, searchText, sortShape } from '../../page/paging.ts';
import { NoReports } from '../../views/no-reports.tsx';
import { FilterForm } from '../../views/filter-form.tsx';
import { Pager } from '../../views/table.tsx';
import { Inventory } from './inventory.tsx';
import { SourceTable } from './source-table.tsx';
import { csvFile, pagesOf } from '../../page/csv-file.ts';
import { senderColumns } from './senders-csv.ts';
import { sourceColumns } from './sources-csv.ts';

const sorts = ['total_messages', 'source_ip', 'last_seen', 'compliance', 'auth_failures'] as const;
const query = z.object({
  domain: filterShape.domain,
  class: filterShape.class,
  format: z.enum(['csv', 'senders']).optional().catch(undefined),
  search: searchText,
  reputation: z.enum(codesOf(reputationStatuses)).optional().catch(undefined),
  failing: z.enum(['1']).optional().catch(undefined),
  ...sortShape(sorts, 'total_messages'),
  ...pagingShape,
  senders_offset: pagingShape.offset,
});
/** How many senders the page shows above the addresses. */
const SENDERS = 25;

type Query = z.output<typeof query>;

/** Who sends as us: ours, forwarders, or strangers? */
export const sendersPage = definePage({
  path: '/senders',
  permission: 'analytics:read',
  query,
  params: z.object({}),
  async load(needs, input) {
    const { failing, format, ...asked } = input;
    const has_failures = failing === undefined ? undefined : true;
    if (format === 'csv') {
      const find = async (page: object) =>
        (await findSourcePage(needs, { ...asked, has_failures, limit: rowsOfPage, ...page })).sources;
      return await csvFile(
        'addresses.csv',
        sourceColumns,
        pagesOf(find, ({ source_ip }) => source_ip),
      );
    }
    if (format === 'senders') {
      const find = async (page: object) => (await findSenderPage(needs, { ...inventoryOf(input), ...page })).senders;
      return await csvFile(
        'senders.csv',
        senderColumns,
        pagesOf(find, ({ id, domain }) => `${id} ${domain}`),
      );
    }
    const [answer, inventory] = await Promise.all([
      findSourcePage(needs, { ...asked, has_failures, limit: rowsOfPage }),
      isOfAddresses(input) ? undefined : findSenderPage(needs, inventoryOf(input)),
    ]);
    const addresses = answer.sources.map(({ source_ip }) => source_ip);
    const decisions = await findAddressDecisions(needs.db, needs.viewer.orgId, addresses, input.domain);
    const props = { answer, inventory, decisions, query: input };
    return { title: 'Senders', body: <Senders {...props} /> };
  },
});

/** Whether the filter asks for addresses: a sender has many. */
function isOfAddresses({ class: ofClass, search, reputation, failing }: Query): boolean {
  return [ofClass, search, reputation, failing].some((each) => each !== undefined);
}

function inventoryOf({ domain, senders_offset: offset }: Query) {
  return { domain, sort_by: 'messages', sort_dir: 'desc', limit: SENDERS, offset } as const;
}

/** Links of v1 name the addresses of a domain so. */
export const sourcesPage = definePage({
  path: '/sources',
  permission: 'analytics:read',
  query: z.object({ domain: filterShape.domain }),
  params: z.object({}),
  async load(_needs, { domain }) {
    return { redirect: domain === undefined ? '/senders' : `/senders?domain=${encodeURIComponent(domain)}` };
  },
});

interface SendersProps {
  answer: BodyOf<typeof listSources>;
  /** Unset: the filter asks for addresses. */
  inventory: SendersBody | undefined;
  decisions: readonly AddressDecision[];
  query: Query;
}

function Senders({ answer, inventory, decisions, query }: SendersProps) {
  const { formats } = useFrame();
  return (
    <>
      <h1>Senders</h1>
      <FilterForm parts={['domain', 'class']} domain={query.domain} class={query.class}>
        <label>
          Address or service
          <input type="search" name="search" value={query.search ?? ''} size={18} />
        </label>
        <label>
          Reputation
          <select name="reputation">
            <option value="">all</option>
            {reputationStatuses.map(({ code, label }) => (
              <option key={code} value={code} selected={code === query.reputation}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label>
          Mail
          <select name="failing">
            <option value="">all</option>
            <option value="1" selected={query.failing !== undefined}>
              with SPF or DKIM failures
            </option>
          </select>
        </label>
      </FilterForm>
      {inventory && answer.has_any && <Inventory inventory={inventory} />}
      <section class="panel">
        <h2>Addresses</h2>
        <SourceTable
          sources={answer.sources}
          decisions={decisions}
          caption={`${formats.counted(answer.total, 'address', 'addresses')}, by all reports that are kept`}
          sorted={{ by: query.sort_by, direction: query.sort_dir }}
          empty={answer.has_any ? 'No address matches. Change the filter, or take it away.' : <NoReports />}
        />
        <Pager {...answer} csv />
      </section>
    </>
  );
}
