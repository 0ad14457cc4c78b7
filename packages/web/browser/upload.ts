/** A form with `data-upload` takes files that are dropped on its page, and shows how far the upload is. */
export function showUploads(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-upload]')) {
    const input = form.querySelector<HTMLInputElement>('input[type=file]');
    const output = form.querySelector('output');
    if (!input || !output) continue;
    // beside the form too: there, the browser would leave the page and open the file
    document.addEventListener('dragover', (event) => {
      event.preventDefault();
      form.classList.add('over');
    });
    document.addEventListener('dragleave', () => form.classList.remove('over'));
    document.addEventListener('drop', (event) => {
      event.preventDefault();
      form.classList.remove('over');
      if (!event.dataTransfer?.files.length) return;
      input.files = event.dataTransfer.files;
      form.requestSubmit();
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      send(form, output);
    });
  }
}

const ACCEPTED = 202;

function send(form: HTMLFormElement, output: HTMLOutputElement): void {
  const request = new XMLHttpRequest(); // fetch does not report how much was sent
  request.upload.addEventListener('progress', ({ loaded, total, lengthComputable }) => {
    output.value = lengthComputable ? `${Math.floor((loaded / total) * 100)} % sent` : 'Sending';
  });
  request.addEventListener('load', () => {
    if (request.status === ACCEPTED) location.assign('/settings/ingest?uploaded=1');
    else output.value = sentenceOf(request.responseText);
  });
  request.addEventListener('error', () => (output.value = 'The upload was interrupted. Try again.'));
  request.open('POST', form.action);
  request.setRequestHeader('accept', 'application/json');
  request.send(new FormData(form));
}

function sentenceOf(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: unknown };
    return typeof error === 'string' ? error : 'The upload was refused.';
  } catch {
    return 'The upload was refused.';
  }
}
