/** Suggests paths for Express 5 that may match like a path of Express 4. `convertPath` compares them and drops some. */

// A token of path-to-regexp 0.1: an escaped character, a parameter with its prefix and suffix, a group, or any other
// character.
const TOKEN = /\\(.)|(\/)?(\.)?:(\w+)(\(.*?\))?(\*)?(\?)?|\(([^()|*+?[\]{}\\:^$]*)\)(\?)?|([\s\S])(\?)?/g;
/** Characters that path-to-regexp 8 treats as syntax. */
const SPECIAL = /[\\:*?+!(){}[\]]/;
/** Characters of regular expressions that a path of Express 5 cannot express. */
const REFUSED = /[|[\]{}^$()+]/;

/**
 * Suggests paths for Express 5.
 *
 * @param isPart Whether `path` is only a part of a longer path.
 * @returns The suggestions, the most readable one first; an empty list if Express 5 has no such syntax.
 */
export function candidatesFor(path: string, isPart = false): string[] {
  const pieces: string[] = [];
  const names = new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name));
  let stars = 0;
  const star = (): string => {
    let name: string;
    do name = `splat${stars++ === 0 ? '' : stars}`;
    while (names.has(name));
    return name;
  };

  for (const [
    text,
    escaped,
    slash = '',
    dot = '',
    name,
    pattern,
    all,
    optional,
    group,
    groupOptional,
    plain,
    plainOptional,
  ] of path.matchAll(TOKEN)) {
    if (escaped !== undefined) {
      // Classes such as `\d` cannot be expressed.
      if (/\w/.test(escaped)) return [];
      pieces.push(literal(escaped));
    } else if (name !== undefined) {
      if (pattern !== undefined || (all && dot)) return [];
      const value = `${slash}${dot}:${quoted(name)}${all ? `{/*${star()}}` : ''}`;
      pieces.push(optional ? `{${value}}` : value);
    } else if (group !== undefined) {
      pieces.push(groupOptional ? `{${literal(group)}}` : literal(group));
    } else if (plain === '*') {
      if (plainOptional) return [];
      pieces.push(`{*${star()}}`);
    } else if (plain !== undefined) {
      if (REFUSED.test(plain) || plain === '?') return [];
      pieces.push(plainOptional ? `{${literal(plain)}}` : literal(plain));
    } else if (text) return [];
  }
  const whole = pieces.join('');
  // In Express 4 a leading `*` also matches the first slash of the target. In Express 5 the path must have a slash.
  const rooted = path.startsWith('*') && !isPart ? `/${whole}` : whole;
  // `{*splat}` also matches empty text, `*splat` does not. Either can be right, so both are suggested.
  return [...new Set([rooted, rooted.replace(/\{(\*\w+)\}/g, '$1')])].map(plainNames);
}

function literal(text: string): string {
  return [...text].map((one) => (SPECIAL.test(one) ? `\\${one}` : one)).join('');
}

function quoted(name: string): string {
  return `"${name}"`;
}

/** Removes quotes that a parameter name does not need. */
function plainNames(path: string): string {
  return path.replace(/:"([A-Za-z_]\w*)"(?![\p{ID_Continue}\u200c\u200d])/gu, ':$1');
}
