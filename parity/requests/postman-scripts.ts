/** Finds the variables that scripts of Postman take from responses. */

/** A name for the JSON of the response: `const data = pm.response.json()`. */
const ALIAS =
  /\b(?:const|let|var)\s+(\w+)\s*=\s*(?:pm\.response\.json\(\)|JSON\.parse\(\s*responseBody\s*\))/g;
const SETTER =
  /\b(?:pm\.(?:environment|collectionVariables|globals|variables)\.set|postman\.set(?:Environment|Global)Variable)\(\s*["'`]([^"'`]+)["'`]\s*,\s*([^;\n]+?)\s*\)\s*(?=[;\n]|$)/g;

/**
 * Returns the variables that a script sets to a part of the response. A variable that it sets in another way is not among
 * them, so that its use is an error.
 */
export function assignmentsOf(script: string): Array<{ name: string; path: string }> {
  const names = Array.from(script.matchAll(ALIAS), ([, name = '']) => name);
  return Array.from(script.matchAll(SETTER), ([, name = '', value = '']) => {
    const [, root = '', path = ''] =
      /^(pm\.response\.json\(\)|JSON\.parse\(\s*responseBody\s*\)|\w+)((?:\.[\w-]+|\[[^\]]+\])*)$/.exec(
        value,
      ) ?? [];
    const isResponse = root.includes('(') || names.includes(root);
    return isResponse ? { name, path } : undefined;
  }).filter((one) => one !== undefined);
}
