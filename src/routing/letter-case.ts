/**
 * Letter case as patterns see it. §2.5 `caseSensitive`
 */

// Nothing but ASCII without capital letters: folded already, as nearly every path is.
const IS_FOLDED = /^[\0-@[-\x7f]*$/;

/**
 * Text without letter case, as a regular expression with the flag `i` compares it: character by character
 * in upper case, unless that is several characters or turns a letter beyond ASCII into one of ASCII; ASCII
 * itself in lower case, which most paths are in. Length and places stay the same. ECMA-262 §22.2.2.7.3
 */
export function fold(text: string): string {
  if (IS_FOLDED.test(text)) return text;
  let folded = '';
  for (let i = 0; i < text.length; i++) {
    const unit = text.charAt(i);
    const upper = unit.toUpperCase();
    if (unit.charCodeAt(0) < 128) folded += unit.toLowerCase();
    else if (upper.length !== 1 || upper.charCodeAt(0) < 128) folded += unit;
    else folded += upper;
  }
  return folded;
}
