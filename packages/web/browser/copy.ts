const SHOWN_MS = 2_000;

/** A button with `data-copy` copies that text, and says so. Where a browser cannot, the button is hidden. */
export function copyOnClick(): void {
  const buttons = document.querySelectorAll<HTMLButtonElement>('button[data-copy]');
  for (const button of buttons) button.hidden = !('clipboard' in navigator);
  document.addEventListener('click', (event) => {
    const button =
      event.target instanceof Element ? event.target.closest<HTMLButtonElement>('button[data-copy]') : null;
    if (button) void copy(button);
  });
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const label = button.dataset['label'] ?? button.textContent;
  button.dataset['label'] = label;
  try {
    await navigator.clipboard.writeText(button.dataset['copy'] ?? '');
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Select and copy the text';
  }
  setTimeout(() => (button.textContent = label), SHOWN_MS);
}
