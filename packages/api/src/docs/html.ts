import { escapeHtml } from '@dmarc-ledger/vocabulary';

/** Renders a text that contains `code`. */
export function prose(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}
