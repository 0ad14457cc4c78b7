import { requeueDelivery } from '@dmarc-ledger/pipeline';
import { HttpProblem } from '@dmarc-ledger/vocabulary';
import type { SettingsNeeds } from './settings-needs.ts';

/** Has a refused or quarantined delivery of the organization read again. */
export async function replayOwnDelivery(needs: SettingsNeeds, orgId: string, id: string): Promise<object> {
  switch (await requeueDelivery(needs, orgId, id)) {
    case 'queued':
      return {};
    case 'missing':
      throw new HttpProblem('bytes_purged', { status: 422, error: 'Its bytes were deleted: it cannot be read again' });
    case 'unknown':
      throw new HttpProblem('not_found', { status: 404, error: 'There is no such refused delivery' });
  }
}
