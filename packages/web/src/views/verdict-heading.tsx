interface VerdictHeadingProps {
  verdict: string;
  /** True if a check has found no DMARC record, whatever the reports say. */
  isUnpublished: boolean;
}

/** The verdict on a domain, as the heading of its figures. */
export function VerdictHeading({ verdict, isUnpublished }: VerdictHeadingProps) {
  if (!isUnpublished) return <h2>{verdict}</h2>;
  return (
    <>
      <h2>No DMARC record is published, so receivers apply no policy</h2>
      <p>By its reports: {verdict}</p>
    </>
  );
}
