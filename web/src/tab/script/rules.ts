// Rules of declarations, and the values in them.

/** The properties of an object of a script. */
export type Fields = Record<string, unknown>;

/** A rule that a declaration breaks. The word is where the script breaks it. */
export class Rule extends Error {
  constructor(readonly word: string, message: string) {
    super(message);
  }
}

/** Checks that an object has no other properties. `isWrong` says whether one that is not in the list is an error. */
export function known(own: Fields, keys: readonly string[], isWrong: (key: string) => boolean = () => true, within?: string): void {
  for (const key of Object.keys(own)) {
    if (keys.includes(key) || !isWrong(key)) continue;
    const place = within === undefined ? "" : ` of \`${within}\``;
    throw new Rule(key, `unknown property \`${key}\`${place}${named(key, keys)}; expected ${keys.join(", ")}`);
  }
}

export function textOf(own: Fields, key: string, expected: string): string {
  const found = own[key];
  if (typeof found === "string" && found !== "") return found;
  throw new Rule(key, `\`${key}\` is ${shown(found)}; expected ${expected}`);
}

export function numberOf(own: Fields, key: string, otherwise: number): number {
  const found = own[key] ?? otherwise;
  if (typeof found === "number" && !Number.isNaN(found)) return found;
  throw new Rule(key, `\`${key}\` is ${shown(found)}; expected a number`);
}

export function truthOf(own: Fields, key: string): boolean {
  const found = own[key] ?? false;
  if (typeof found === "boolean") return found;
  throw new Rule(key, `\`${key}\` is ${shown(found)}; expected true or false`);
}

/** Returns a value for a message. */
export function shown(value: unknown): string {
  if (value === undefined) return "missing";
  if (typeof value === "function") return "a function";
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? `an array of ${value.length}` : "an object";
  return `\`${String(value).slice(0, 60)}\``;
}

/** Returns the nearest of some names as a question, or nothing. */
export function named(found: string, names: readonly string[]): string {
  const near = names.map((name) => [distance(found, name), name] as const).filter(([far, name]) => far <= Math.max(1, name.length / 3));
  near.sort(([a], [b]) => a - b);
  return near[0] === undefined ? "" : `; did you mean \`${near[0][1]}\`?`;
}

/** Returns the number of letters to insert, remove or replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
