// Reads messages of ROS 2: definitions in `ros2msg`, samples in CDR.

/** A decoded message. */
export type Message = { readonly [name: string]: unknown };

type Read = (reader: Reader) => unknown;

/** Sizes of primitive types, how a view reads them, and their arrays. */
const KINDS: Record<string, [number, Get, (new (buffer: ArrayBuffer) => ArrayLike<number>)?]> = {
  bool: [1, "getUint8", Uint8Array], byte: [1, "getUint8", Uint8Array], char: [1, "getUint8", Uint8Array],
  uint8: [1, "getUint8", Uint8Array], int8: [1, "getInt8", Int8Array],
  uint16: [2, "getUint16", Uint16Array], int16: [2, "getInt16", Int16Array],
  uint32: [4, "getUint32", Uint32Array], int32: [4, "getInt32", Int32Array],
  uint64: [8, "getBigUint64"], int64: [8, "getBigInt64"],
  float32: [4, "getFloat32", Float32Array], float64: [8, "getFloat64", Float64Array],
};
type Get = "getUint8" | "getInt8" | "getUint16" | "getInt16" | "getUint32" | "getInt32" | "getBigUint64" | "getBigInt64" | "getFloat32" | "getFloat64";

const TEXT = new TextDecoder();

/** Reads the primitive values of a sample one after the other. */
class Reader {
  private at = 4;
  private readonly little: boolean;

  constructor(private readonly view: DataView) {
    this.little = view.byteLength >= 4 && view.getUint8(1) % 2 === 1;
    if (view.byteLength < 4) throw new Error("the message has no header of CDR");
  }

  /** Moves behind a value with a size to which it is aligned, and returns its offset. */
  private next(size: number): number {
    const start = this.at + ((size - ((this.at - 4) % size)) % size);
    this.at = start + size;
    return start;
  }

  number(type: string): number | boolean {
    const [size, get] = KINDS[type]!;
    const value = this.view[get](this.next(size), this.little);
    return type === "bool" ? value !== 0 : Number(value);
  }

  text(): string {
    const length = this.number("uint32") as number;
    const start = this.at;
    this.take(length);
    return TEXT.decode(new Uint8Array(this.view.buffer, this.view.byteOffset + start, Math.max(0, length - 1)));
  }

  /** Returns numbers of a type as an array of their own. */
  numbers(type: string, count: number): unknown {
    const [size, , Numbers] = KINDS[type]!;
    if (Numbers === undefined || !this.little) {
      return Array.from({ length: count }, () => this.number(type));
    }
    if (count === 0) return new Numbers(new ArrayBuffer(0));
    const start = this.at + ((size - ((this.at - 4) % size)) % size);
    this.at = start;
    this.take(count * size);
    const from = this.view.byteOffset + start;
    return new Numbers(this.view.buffer.slice(from, from + count * size) as ArrayBuffer);
  }

  private take(bytes: number): void {
    if (this.at + bytes > this.view.byteLength) throw new Error("the message is cut off");
    this.at += bytes;
  }
}

interface Field { name: string; type: string; isArray: boolean; count: number | undefined }

/** A number in a message: where it is, and its unit if the definition names one. */
export interface Quantity { path: string; unit: string; doc: string; isArray: boolean }

/** A definition in `ros2msg`, ready to decode samples. */
export class Definition {
  private readonly types = new Map<string, Field[]>();
  private readonly readers = new Map<string, Read>();
  private readonly docs = new Map<string, string>();

  constructor(readonly name: string, text: string) {
    let current = normalized(name);
    let fields: Field[] = [];
    let comment = "";
    this.types.set(current, fields);
    for (const raw of text.split("\n")) {
      const line = raw.trim();
      if (line.startsWith("====")) continue;
      if (line.startsWith("MSG:")) {
        current = normalized(line.slice(4).trim());
        fields = [];
        this.types.set(current, fields);
        continue;
      }
      if (line.startsWith("#") || line === "") {
        comment = line === "" ? "" : `${comment} ${line.slice(1).trim()}`.trim();
        continue;
      }
      const [code = "", behind = ""] = split(line, "#");
      const match = /^(\S+)\s+(\w+)\s*(=)?/.exec(code);
      if (match === null || match[3] === "=") { comment = ""; continue; }
      const [, declared = "", field = ""] = match;
      const array = /^(.*?)(?:\[(<=)?(\d*)\])$/.exec(declared);
      const type = (array?.[1] ?? declared).replace(/<=\d+$/, "");
      const count = array?.[3] && !array[2] ? Number(array[3]) : undefined;
      fields.push({ name: field, type, isArray: array !== null, count });
      this.docs.set(`${current} ${field}`, behind.trim() || comment);
      comment = "";
    }
  }

  /** Decodes a sample. */
  decode(view: DataView): Message {
    return this.reader(normalized(this.name))(new Reader(view)) as Message;
  }

  /** Lists the numbers of a message, in the order of the definition. */
  quantities(): Quantity[] {
    const found: Quantity[] = [];
    const visit = (type: string, prefix: string, depth: number): void => {
      for (const { name, type: inner, isArray, count } of this.types.get(type) ?? []) {
        if (depth === 0 && name === "header") continue;
        const path = prefix === "" ? name : `${prefix}.${name}`;
        const doc = this.docs.get(`${type} ${name}`) ?? "";
        if (inner in KINDS) {
          if (isArray && count !== undefined && count > 12) continue;
          found.push({ path, unit: /\[([^\]]*)\]\s*$/.exec(doc)?.[1] ?? "", doc: doc.replace(/\s*\[[^\]]*\]\s*$/, ""), isArray });
        } else if (inner !== "string" && !isArray && depth < 6) {
          visit(this.resolve(inner, type), path, depth + 1);
        }
      }
    };
    visit(normalized(this.name), "", 0);
    return found;
  }

  private resolve(type: string, within: string): string {
    const full = normalized(type);
    if (this.types.has(full)) return full;
    const local = `${within.split("/")[0]}/${type}`;
    if (this.types.has(local)) return local;
    const short = [...this.types.keys()].find((name) => name.endsWith(`/${type}`));
    return short ?? full;
  }

  private reader(type: string): Read {
    const known = this.readers.get(type);
    if (known !== undefined) return known;
    const fields = this.types.get(type);
    if (fields === undefined) throw new Error(`the definition of ${this.name} lacks ${type}`);
    const parts = fields.map((field): [string, Read] => [field.name, this.part(field, type)]);
    const read: Read = (reader) => {
      const message: Record<string, unknown> = {};
      for (const [name, part] of parts) message[name] = part(reader);
      // a type without fields has a byte in its place
      if (parts.length === 0) reader.number("uint8");
      return message;
    };
    this.readers.set(type, read);
    return read;
  }

  private part({ type, isArray, count }: Field, within: string): Read {
    const length = (reader: Reader): number => count ?? (reader.number("uint32") as number);
    if (type in KINDS) {
      return isArray ? (reader) => reader.numbers(type, length(reader)) : (reader) => reader.number(type);
    }
    let one: Read | undefined;
    const read: Read = (reader) => {
      one ??= type === "string" || type === "wstring" ? (from) => from.text() : this.reader(this.resolve(type, within));
      return one(reader);
    };
    return isArray
      ? (reader) => {
          const all: unknown[] = [];
          for (let left = length(reader); left > 0; left--) all.push(read(reader));
          return all;
        }
      : read;
  }
}

function normalized(name: string): string {
  return name.replace("/msg/", "/");
}

function split(line: string, mark: string): [string, string] {
  const at = line.indexOf(mark);
  return at < 0 ? [line, ""] : [line.slice(0, at), line.slice(at + 1)];
}

/** Returns the number at a path of a message, such as `linear.x` or `spin[2]`. */
export function numberAt(message: unknown, path: string): number {
  let value = message;
  for (const part of path.split(/[.[\]]+/)) {
    if (part === "") continue;
    if (value === null || typeof value !== "object") return Number.NaN;
    value = (value as Record<string, unknown>)[part];
  }
  return typeof value === "number" ? value : typeof value === "boolean" ? Number(value) : Number.NaN;
}
