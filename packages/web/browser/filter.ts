/**
 * A filter is applied as soon as a choice is made by pointer. Keys change the choice at each step, so that a person who
 * uses them applies it with the button, or by Enter in a field, as without JavaScript. (WCAG 2.2, 3.2.2)
 */
export function submitOnChoice(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form.filter'))
    for (const select of form.querySelectorAll('select')) watch(select, form);
}

function watch(select: HTMLSelectElement, form: HTMLFormElement): void {
  let isByPointer = false;
  select.addEventListener('pointerdown', () => (isByPointer = true));
  select.addEventListener('keydown', () => (isByPointer = false));
  select.addEventListener('change', () => {
    if (isByPointer) form.requestSubmit();
  });
}
