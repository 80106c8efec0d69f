/** Converts Standard Schemas to JSON Schema, and collects their definitions for `components.schemas`. */

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** `input`: what a client sends. `output`: what it receives. */
export type Direction = 'input' | 'output';

/** Converts a schema whose library has no Standard JSON Schema. Returns undefined if it cannot. */
export type Convert = (schema: unknown, direction: Direction) => object | undefined;

type Converter = (options: { target: string; libraryOptions?: object }) => Record<string, unknown>;
interface Standard {
  readonly vendor?: string;
  readonly jsonSchema?: Record<Direction, Converter>;
}

type Definitions = JsonSchema & {
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly definitions?: Readonly<Record<string, JsonSchema>>;
};

const REFERENCE = '#/components/schemas/';

export class Schemas {
  /** The schemas for `components.schemas`, by name. */
  readonly named: Record<string, JsonSchema>;
  readonly #convert: Convert | undefined;
  readonly #texts = new Map<string, string>();

  constructor(named: Readonly<Record<string, JsonSchema>>, convert: Convert | undefined) {
    this.named = Object.assign(Object.create(null), named);
    this.#convert = convert;
  }

  /**
   * Converts a Standard Schema; returns other values, which are JSON Schema already.
   *
   * @param name What to call the schema if it refers to itself.
   * @throws {TypeError} if its library cannot convert it.
   */
  toJson(schema: unknown, direction: Direction, name: string): JsonSchema {
    const standard: Standard | undefined = Object(schema)['~standard'];
    if (!standard) return Object(schema);
    const converted = standard.jsonSchema
      ? // zod throws for a Date or a bigint otherwise, and drops the whole schema.
        standard.jsonSchema[direction]({
          target: 'draft-2020-12',
          libraryOptions: { unrepresentable: 'any' },
        })
      : this.#convert?.(schema, direction);
    if (!converted)
      throw new TypeError(`the schema of ${standard.vendor} has no Standard JSON Schema: pass toJsonSchema`);
    const { $schema: _dialect, $id: _id, id, ...own } = Object(converted);
    return this.#hoist(
      direction === 'output' ? loosened(own) : own,
      typeof id === 'string' ? id : name,
      direction,
    );
  }

  /** Copies a value of the document, with each Standard Schema in it converted. */
  resolve<T>(value: T, direction: Direction, name: string): T {
    return copy(value, (key, one, holder) => {
      // Not `one`: JSON.stringify has called its `toJSON`, which schemas of arktype have.
      const { [key]: given } = holder;
      return Object(given)['~standard'] ? this.toJson(given, direction, name) : one;
    });
  }

  /** Moves the definitions of a schema to `components.schemas`, because `#` in a document is the document. */
  #hoist({ $defs, definitions, ...own }: Definitions, name: string, direction: Direction): JsonSchema {
    const inner = { ...definitions, ...$defs };
    const names = new Map<string, string>();
    for (const [key, schema] of Object.entries(inner)) {
      const given = safe(key.startsWith('__schema') ? name : key);
      names.set(key, this.#free(given, direction, JSON.stringify(schema)));
    }
    const isRecursive = /"\$ref":"#"/.test(JSON.stringify([own, inner]));
    const self = isRecursive ? this.#free(safe(name), direction, JSON.stringify(own)) : undefined;
    const target = (reference: string): string => {
      if (reference === '#') return REFERENCE + self;
      const [, key = '', rest = ''] = /^#\/(?:\$defs|definitions)\/([^/]+)(.*)$/.exec(reference) ?? [];
      return names.has(key) ? REFERENCE + names.get(key) + rest : reference;
    };
    const rewrite = (schema: JsonSchema): JsonSchema =>
      copy(schema, (key, one) => (key === '$ref' && typeof one === 'string' ? target(one) : one));
    for (const [key, free] of names) this.named[free] = rewrite(without(inner[key] ?? {}));
    if (!self) return rewrite(own);
    this.named[self] = rewrite(own);
    return { $ref: REFERENCE + self };
  }

  /** Returns the name, or one with an addition if another schema has it. */
  #free(name: string, direction: Direction, text: string): string {
    for (let count = 0; ; count++) {
      const free = name + (count === 0 ? '' : `_${direction}`) + (count > 1 ? count : '');
      const known = this.#texts.get(free);
      if (known === text) return free;
      if (known !== undefined || free in this.named) continue;
      this.#texts.set(free, text);
      return free;
    }
  }
}

/** Copies a value of JSON. `replace` gets each value in it, with its key and the object that contains it. */
function copy<T>(
  value: T,
  replace: (key: string, one: unknown, holder: Record<string, unknown>) => unknown,
): T {
  if (value === undefined) return value;
  const text = JSON.stringify(value, function (this: Record<string, unknown>, key, one) {
    return replace(key, one, this);
  });
  return JSON.parse(text);
}

/**
 * Removes `additionalProperties: false`, which zod writes into each schema of an output: what a response has no more than
 * may change, and the same schema would differ for requests.
 */
function loosened(schema: Definitions): Definitions {
  return copy(schema, (key, one) => (key === 'additionalProperties' && one === false ? undefined : one));
}

/** Removes what zod repeats in a definition. */
function without({ id: _id, $id: _other, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

/** Replaces the characters that the name of a component must not have. */
function safe(name: string): string {
  return name.replace(/[^\w.-]/g, '_');
}
