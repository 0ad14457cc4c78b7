/** A filter is applied as soon as a choice is made; without JavaScript its button does that. */
export function submitOnChange(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form.filter')) {
    form.addEventListener('change', (event) => {
      if (event.target instanceof HTMLSelectElement) form.requestSubmit();
    });
  }
}
