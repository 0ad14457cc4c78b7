import { useFrame } from '../../page/frame.ts';
import { mayDo } from '../../page/viewer.ts';
import { monitoringTexts } from '../../texts/monitoring.ts';
import { PostForm } from '../../views/post-form.tsx';

/** How the monitoring of a domain ends, for those who may end it. */
export function EndMonitoring({ domain }: { domain: string }) {
  const { viewer } = useFrame();
  if (!viewer || !mayDo(viewer.role, 'end monitoring')) return null;
  return (
    <details class="unprinted">
      <summary>Stop monitoring {domain}</summary>
      <p>
        Its DNS records are no longer checked, its open events end, and no later report begins it again. Its reports
        stay, and new ones that come to this organization still count. {monitoringTexts.sharedMailbox}
      </p>
      <PostForm action={`/domains/${domain}/end-monitoring`}>
        <button>Stop monitoring it</button>
      </PostForm>
    </details>
  );
}
