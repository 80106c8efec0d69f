/** Escapes and formats the texts of the page. */
import escapeHtml from 'escape-html';

/** Formats text between backticks as code. */
export function code(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** Converts a text to an id for links, in lower case. Letters, digits and dots stay, other text becomes a dash. */
export function slug(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}.]+/gu, '-');
}
