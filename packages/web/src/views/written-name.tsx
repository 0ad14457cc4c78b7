import { unicodeDomain } from '@dmarc-ledger/vocabulary';

/** A domain as people write it, such as `bücher.example`, below its name in the DNS; nothing where they are the same. */
export function WrittenName({ domain }: { domain: string }) {
  const written = unicodeDomain(domain);
  if (written === domain) return null;
  return (
    <div class="small soft">
      <bdi>{written}</bdi>
    </div>
  );
}
