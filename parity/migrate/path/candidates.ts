/** How a path of Express 4 could be written for Express 5. Guesses: `convertPath` proves each of them, or drops it. */

// As path-to-regexp 0.1 reads a path: a backslash and its character; a name with what is before and after it.
const TOKEN = /\\(.)|(\/)?(\.)?:(\w+)(\(.*?\))?(\*)?(\?)?|\(([^()|*+?[\]{}\\:^$]*)\)(\?)?|([\s\S])(\?)?/g;
/** What path-to-regexp 8 reads as syntax. */
const SPECIAL = /[\\:*?+!(){}[\]]/;
/** What has a meaning in a regular expression, and cannot be said by a path of Express 5. */
const REFUSED = /[|[\]{}^$()+]/;

/**
 * @param isPart Whether other text stands in front of it.
 * @returns Paths, the most readable first.
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
      // `\d` and its like are classes.
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
  // Requests begin with a slash, which a star at the front takes along.
  const rooted = path.startsWith('*') && !isPart ? `/${whole}` : whole;
  // A star that has to take something, and one before which the slash may be missing too.
  return [...new Set([rooted, rooted.replace(/\{(\*\w+)\}/g, '$1')])].map(plainNames);
}

function literal(text: string): string {
  return [...text].map((one) => (SPECIAL.test(one) ? `\\${one}` : one)).join('');
}

function quoted(name: string): string {
  return `"${name}"`;
}

/** Without the quotes that a name does not need. */
function plainNames(path: string): string {
  return path.replace(/:"([A-Za-z_]\w*)"(?![\p{ID_Continue}\u200c\u200d])/gu, ':$1');
}
