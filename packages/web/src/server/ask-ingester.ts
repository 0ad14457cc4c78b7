import { createTicket } from '@dmarc-ledger/ledger/for-web';
import { HttpProblem } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import type { SettingsAnswer } from '../page/define-page.ts';
import { postToIngester } from './post-to-ingester.ts';
import type { WebNeeds } from './web-needs.ts';

const PATH = '/ingest/v1/settings';
const AWAY = 'The change could not be passed on. Try again';
const Answer = z.record(z.string(), z.unknown());

/**
 * Has the ingester change a setting that the pages may not change themselves, and returns its answer.
 * @throws {HttpProblem} with the sentence of the ingester when it refuses.
 */
export async function askIngester(
  { ingestUrl, reads }: WebNeeds,
  orgId: string,
  change: { [name: string]: unknown },
): Promise<SettingsAnswer> {
  if (ingestUrl === undefined) throw notSetUp();
  const token = await createTicket(reads.of(orgId), orgId, 'settings');
  const { status, body } = await postToIngester(
    { url: `${ingestUrl}${PATH}`, token },
    change,
    AWAY,
    async (response) => ({
      status: response.statusCode,
      body: await response.body.text(),
    }),
  );
  const answer = read(body);
  if (status === 200) return answer;
  if (status === 404 && answer['error'] === 'Not Found') throw notSetUp();
  const error = typeof answer['error'] === 'string' ? answer['error'] : 'The change was refused';
  throw new HttpProblem('settings_refused', { status: status >= 500 ? 503 : status, error });
}

function read(body: string): SettingsAnswer {
  try {
    return Answer.parse(JSON.parse(body));
  } catch {
    return {};
  }
}

/** No 404: the form is shown again. */
function notSetUp(): HttpProblem {
  const error = 'Settings cannot be changed here: the operator of this server has to set INGEST_URL to an ingester';
  return new HttpProblem('settings_off', { status: 422, error });
}
