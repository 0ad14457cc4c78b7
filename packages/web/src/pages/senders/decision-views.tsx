import type { SenderBody } from '@dmarc-ledger/api/answers';
import type { SenderDecision } from '@dmarc-ledger/vocabulary';
import { mayDo } from '../../page/viewer.ts';
import { useFrame } from '../../page/frame.ts';
import { decisionLabels, decisionTags } from '../../texts/decisions.ts';
import { PostForm } from '../../views/post-form.tsx';

/** A decision, by word and colour. */
export function DecisionTag({ decision }: { decision: SenderDecision }) {
  return <span class={`tag ${decisionTags[decision]}`}>{decisionLabels[decision]}</span>;
}

/** Whether the viewer may decide about senders. */
export function useMayDecide(): boolean {
  const { viewer } = useFrame();
  return viewer !== undefined && mayDo(viewer.role, 'decide senders');
}

/** The address of the page of one sender. */
export function senderPath({ domain, id }: Pick<SenderBody, 'domain' | 'id'>): string {
  return `/senders/sender?${new URLSearchParams({ domain, sender: id }).toString()}`;
}

/** Who decided, and when. */
export function DecidedBy({ sender }: { sender: SenderBody }) {
  const { formats } = useFrame();
  const { owner, decided_by, decided_at } = sender;
  return (
    <>
      {owner && <>{owner}, </>}
      {decided_by && `by ${decided_by}`}
      {decided_at && ` on ${formats.instant(new Date(decided_at))}`}
    </>
  );
}

/** What speaks against the decision. */
export function NewEvidence({ sender: { new_evidence } }: { sender: SenderBody }) {
  if (new_evidence.length === 0) return null;
  return (
    <p class="evidence small">
      <span class="tag warning">New evidence</span> {new_evidence.map(({ message }) => message).join(' ')}
    </p>
  );
}

/** The button that decides as the mail suggests. */
export function SuggestButton({ sender, back }: { sender: SenderBody; back: string }) {
  const { suggestion, name, domain, id } = sender;
  if (!suggestion) return null;
  const label = decisionLabels[suggestion];
  return (
    <PostForm action="/senders/decide" class="inline">
      <input type="hidden" name="domain" value={domain} />
      <input type="hidden" name="sender" value={id} />
      <input type="hidden" name="decision" value={suggestion} />
      <input type="hidden" name="back" value={back} />
      <button aria-label={`${label}: ${name} for ${domain}`}>{label}</button>
    </PostForm>
  );
}
