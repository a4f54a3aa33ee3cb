/** Values as the address says them, in Spanish; what it says wrongly it does not say. */

type Value = boolean | string | number;

/** One value: its name in the address, how it is read and, where it is not the value itself, written. */
export interface Parameter {
  readonly name: string;
  readonly read: (text: string) => Value | undefined;
  readonly write?: (value: Value) => string;
}

type Values<Key extends string> = { [key in Key]?: Value | undefined };

const maxLength = 200;

/** Yes or no. */
export function yesNo(name: string): Parameter {
  const values: Record<string, boolean> = { si: true, no: false };
  return { name, read: (value) => values[value], write: (value) => (value ? "si" : "no") };
}

/** One of some values, by the names that the address has for them. */
export function oneOf<Key extends string>(name: string, names: Record<Key, string>): Parameter {
  return {
    name,
    read: (value) => keys(names).find((key) => names[key] === value),
    write: (value) => names[value as Key],
  };
}

export function text(name: string): Parameter {
  return { name, read: (value) => value.trim().slice(0, maxLength) || undefined };
}

/** A whole number from `least` to `most`. */
export function integer(name: string, least: number, most: number): Parameter {
  return {
    name,
    read(value) {
      const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
      return number >= least && number <= most ? number : undefined;
    },
  };
}

/** The keys of a record that has no others. */
export function keys<Key extends string>(record: Record<Key, unknown>): Key[] {
  return Object.keys(record) as Key[];
}

/** What the address says. */
export function read<Key extends string>(
  parameters: Record<Key, Parameter>,
  address: URLSearchParams,
): Values<Key> {
  const found: Values<Key> = {};
  for (const key of keys(parameters)) {
    const value = parameters[key].read(address.get(parameters[key].name) ?? "");
    if (value !== undefined) found[key] = value;
  }
  return found;
}

/** Says these values in the address, and nothing of those that are undefined. */
export function write<Key extends string>(
  parameters: Record<Key, Parameter>,
  values: Values<Key>,
  address: URLSearchParams,
): void {
  for (const key of keys(parameters)) {
    const { name, write: format = String } = parameters[key];
    const value = values[key];
    if (value === undefined) address.delete(name);
    else address.set(name, format(value));
  }
}
