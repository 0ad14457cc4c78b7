import { PageLink } from './page-link.tsx';

/** What to do in a list that is empty because nothing was ever reported. */
export function NoReports() {
  return (
    <>
      No report has arrived yet. <PageLink to="/settings/ingest">Upload one, or add a mailbox</PageLink>, or{' '}
      <PageLink to="/domains/add">add a domain</PageLink> for the record that has reports sent.
    </>
  );
}
