/** Restores objects that all applications of a process share, such as `http.ServerResponse.prototype`. */

type Properties = Record<PropertyKey, PropertyDescriptor>;

export class Globals {
  readonly #saved: readonly { object: object; prototype: object | null; properties: Properties }[];

  constructor(objects: readonly object[]) {
    this.#saved = objects.map((object) => ({
      object,
      prototype: Object.getPrototypeOf(object) as object | null,
      properties: Object.getOwnPropertyDescriptors(object) as Properties,
    }));
  }

  /** @returns Whether all objects could be restored; false, for example, if an application froze one. */
  restore(): boolean {
    return this.#saved.every(({ object, prototype, properties }) => {
      if (!Object.isExtensible(object)) return false;
      if (Object.getPrototypeOf(object) !== prototype) Object.setPrototypeOf(object, prototype);
      for (const key of Reflect.ownKeys(object))
        if (!Object.hasOwn(properties, key)) Reflect.deleteProperty(object, key);
      return Reflect.ownKeys(properties).every((key) => {
        const expected = properties[key] as PropertyDescriptor;
        const now = Object.getOwnPropertyDescriptor(object, key);
        return (now && isSame(now, expected)) || Reflect.defineProperty(object, key, expected);
      });
    });
  }
}

function isSame(left: PropertyDescriptor, right: PropertyDescriptor): boolean {
  return (
    left.value === right.value &&
    left.get === right.get &&
    left.set === right.set &&
    left.writable === right.writable &&
    left.configurable === right.configurable &&
    left.enumerable === right.enumerable
  );
}
