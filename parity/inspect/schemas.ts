/** Reads the schemas of `validate` of nozomi/extras as JSON Schema, by Standard JSON Schema. https://standardschema.dev/json-schema */

/** The JSON Schemas of a handler. `unknown` lists the parts whose library has no Standard JSON Schema. */
export interface HandlerSchemas {
  readonly params?: JsonSchema;
  readonly query?: JsonSchema;
  readonly body?: JsonSchema;
  readonly response?: JsonSchema;
  readonly unknown: readonly string[];
}

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

type Convert = (options: { target: string }) => JsonSchema;
interface Schema {
  '~standard'?: { jsonSchema?: Record<'input' | 'output', Convert> };
}

const KEY = Symbol.for('nozomi.schemas');

/** Returns the schemas of a handler; undefined if `validate` did not create it. */
export function schemasOf(handler: unknown): HandlerSchemas | undefined {
  const given: Record<string, Schema | undefined> | undefined = Reflect.get(Object(handler), KEY);
  if (!given) return undefined;
  const unknown: string[] = [];
  const found: Record<string, JsonSchema> = {};
  for (const [part, schema] of Object.entries(given)) {
    if (!schema) continue;
    try {
      const { input, output } = schema['~standard']?.jsonSchema ?? {};
      const convert = part === 'response' ? output : input;
      if (!convert) throw new TypeError('no Standard JSON Schema');
      const { $schema: _dialect, ...converted } = convert({ target: 'draft-2020-12' });
      found[part] = converted;
    } catch {
      unknown.push(part);
    }
  }
  return { ...found, unknown };
}
