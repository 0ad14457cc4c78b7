import { mayDo } from '../../page/viewer.ts';
import { samePage } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { PageLink } from '../../views/page-link.tsx';
import { PostForm } from '../../views/post-form.tsx';

/** Files from this computer, by choosing or by dragging them here. */
export function UploadForm() {
  const { url, viewer } = useFrame();
  if (!viewer || !mayDo(viewer.role, 'upload')) return null;
  return (
    <section class="panel">
      <h2>Upload reports</h2>
      {url.searchParams.has('uploaded') && (
        <p class="notice" role="status">
          The upload is safe. What became of it stands among the deliveries below; its figures are on{' '}
          <PageLink to="/">the overview</PageLink> within a minute. <a href={samePage(url, {})}>Look again</a>
        </p>
      )}
      <PostForm class="form drop" action="/settings/ingest/upload" enctype="multipart/form-data" data-upload>
        <label>
          Drop files here, or choose them: XML, gz, zip, eml or JSON
          <input type="file" name="report" multiple required accept=".xml,.gz,.zip,.eml,.json,.tar,.mbox" />
        </label>
        <button class="main">Upload</button>
        <output aria-live="polite"></output>
      </PostForm>
    </section>
  );
}
