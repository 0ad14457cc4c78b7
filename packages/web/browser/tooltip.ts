const GAP = 12;
const STEPS: { [key: string]: number } = { ArrowRight: 1, ArrowLeft: -1 };

/** Shows the label of a chart's part beside the pointer, or beside the part that has the focus. */
export function showTooltips(): void {
  const tip = document.createElement('div');
  tip.id = 'tooltip';
  tip.hidden = true;
  document.body.append(tip); // hidden from screen readers by having no role: the part's own label says the same
  tip.setAttribute('aria-hidden', 'true');

  const show = (part: Element, x: number, y: number) => {
    tip.textContent = part.getAttribute('aria-label');
    tip.hidden = false;
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(0, Math.min(x + GAP, innerWidth - width - GAP))}px`;
    tip.style.top = `${Math.max(0, y - height - GAP)}px`;
  };
  const partOf = (target: EventTarget | null) => (target instanceof Element ? target.closest('[data-tip]') : null);
  document.addEventListener('pointermove', (event) => {
    const part = partOf(event.target);
    if (part) show(part, event.clientX, event.clientY);
    else tip.hidden = true;
  });
  document.addEventListener('focusin', (event) => {
    const part = partOf(event.target);
    const box = part?.getBoundingClientRect();
    if (part && box) show(part, box.left, box.top);
    else tip.hidden = true;
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') tip.hidden = true;
    const step = STEPS[event.key];
    const part = partOf(event.target);
    if (part && step !== undefined) moveFocus(part, step, event);
  });
}

/** Moves the focus to the next part of a chart; the one in focus is the one that Tab comes back to. */
function moveFocus(part: Element, step: number, event: Event): void {
  const parts = [...(part.parentElement?.querySelectorAll<SVGElement>('[data-tip]') ?? [])];
  const next = parts[parts.findIndex((candidate) => candidate === part) + step];
  if (!next) return;
  event.preventDefault();
  part.setAttribute('tabindex', '-1');
  next.setAttribute('tabindex', '0');
  next.focus();
}
