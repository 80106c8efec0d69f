/** Generates random paths in the syntax of Express 4, most of them unusual. */

// biome-ignore format: a table
const PIECES = [
  '/', '/', '/', '/', 'a', 'b', 'users', 'x1', '-', '.', '_', '~', '@', '!', ',', ';', '=', '%20', '&',
  '/:id', '/:id', '/:id?', '/:a', '/:b', '/:a?', ':c', ':c?', '.:format', '.:format?', '-:d',
  '/:user*', '/:e*?', '/:n(\\d+)', '/:n(\\d+)?', ':h([0-9a-f]+)', '/:k(x|y)', '/:all(*)',
  '/:some(.*)', '/:w(\\w{2,3})', '/:0', '/:é', '*', '/*', '(a|b)', '/(a|b)', '(ab)?', '(x)',
  '/(y)?', '/(\\d+)', '(\\d+)?', '(?:z)', '([^/]+)', '((x)y)?', '?', '+', '|', '[ab]', '[^/]',
  '{2}', '{', '}', '^', '$', '(', ')', '[', ']', '\\d', '\\w+', '\\.', '\\*', '\\(', '\\:', '\\/',
];

/** @param random Returns a number from 0 up to, but not including, 1. */
export function randomPath(random: () => number): string {
  const length = 1 + Math.floor(random() ** 2 * 7);
  const pieces = Array.from({ length }, () => PIECES[Math.floor(random() * PIECES.length)]);
  return (random() < 0.95 ? '/' : '') + pieces.join('').replace(/^\//, '');
}
