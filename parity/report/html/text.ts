/** Escapes and formats the texts of the page. */
import escapeHtml from 'escape-html';

/** Formats text between backticks as code. */
export function code(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** An id for links: letters, digits and dots; other characters become dashes. */
export function slug(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}.]+/gu, '-');
}
