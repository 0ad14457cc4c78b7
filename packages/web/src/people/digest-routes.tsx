import { unsubscribeByLink } from '@dmarc-ledger/ledger/for-web';
import { parseId } from '@dmarc-ledger/vocabulary';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { readForm } from '../page/read-form.ts';
import { sendPage } from '../server/send-page.ts';
import type { WebNeeds } from '../server/web-needs.ts';

const PATH = '/digest/unsubscribe';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const Of = z.object({ of: z.string().max(200).catch('') });

/**
 * Ends a digest by the link of its mail, without signing in: mail programs post to it by themselves, from anywhere. The
 * link is the proof; looking at it ends nothing. (RFC 8058, 3.2)
 */
export function addDigestRoutes(server: FastifyInstance, needs: WebNeeds): void {
  const show = async (at: [FastifyRequest, FastifyReply], of: string, state: 'asked' | 'ended') => {
    const [request, reply] = at;
    const shown = { title: 'Digest', body: <Unsubscribe of={of} state={state} /> };
    return await sendPage(needs, { request, reply, viewer: undefined }, shown);
  };
  server.get(PATH, async (request, reply) => {
    const { of } = Of.parse(readForm(request.query));
    return await show([request, reply], of, 'asked');
  });
  server.post(PATH, async (request, reply) => {
    const { of } = Of.parse(readForm(request.query));
    const [org = '', user = '', token = ''] = of.split('.');
    const [orgId, userId] = [parseId(org), parseId(user)];
    // an unknown link is answered like a known one: it reveals nothing, and posting it twice is no error
    if (orgId !== undefined && userId !== undefined && UUID.test(token))
      await unsubscribeByLink(needs.reads.of(orgId), { orgId, userId, token });
    return await show([request, reply], of, 'ended');
  });
}

function Unsubscribe({ of, state }: { of: string; state: 'asked' | 'ended' }) {
  if (state === 'ended') return <p class="notice">You get no more of these digests.</p>;
  return (
    <section class="panel">
      <h1>No more digests?</h1>
      <form method="post" action={`${PATH}?${new URLSearchParams({ of }).toString()}`}>
        <button class="main">Send me no more of them</button>
      </form>
    </section>
  );
}
