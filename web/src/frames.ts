// Frames of reference: their poses, and those that follow from them in the world.

/** Frames by number, with poses in their parents and in the world. */
export class Frames {
  /** Names by number. */
  readonly names: string[] = [];
  /** Translation and quaternion (x, y, z, w) of each frame in its parent, 7 numbers each. */
  private local = new Float64Array(7 * 64);
  /** The same in the world. */
  world = new Float64Array(7 * 64);
  /** Numbers of the parents; -1 for frames of the world. */
  private readonly parents: number[] = [];
  /** Whether the pose in the world has changed with the last update. */
  readonly hasMoved: boolean[] = [];
  private readonly isStale: boolean[] = [];
  /** Whether a pose has been set. */
  private readonly isSet: boolean[] = [];
  private readonly numbers = new Map<string, number>();
  private order: number[] = [];
  private isOrdered = false;

  /** Returns the number of a frame, which exists from then on. */
  number(name: string): number {
    const key = name.startsWith("/") ? name.slice(1) : name;
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const number = this.names.length;
    this.names.push(key);
    this.parents.push(-1);
    this.hasMoved.push(true);
    this.isStale.push(true);
    this.isSet.push(false);
    if (7 * this.names.length > this.local.length) {
      this.local = grown(this.local);
      this.world = grown(this.world);
    }
    this.local[7 * number + 6] = 1;
    this.numbers.set(key, number);
    this.isOrdered = false;
    return number;
  }

  /** Returns the number of a frame if it exists. */
  find(name: string): number | undefined {
    return this.numbers.get(name);
  }

  setParent(number: number, parent: number): void {
    if (this.parents[number] === parent || number === parent) return;
    this.parents[number] = parent;
    this.isOrdered = false;
    this.isStale[number] = true;
  }

  /** Sets a pose from 7 numbers of a message at an offset. */
  read(number: number, view: DataView, offset: number): void {
    const to = 7 * number;
    let differs = false;
    for (let i = 0; i < 7; i++) {
      const value = view.getFloat64(offset + 8 * i, true);
      if (this.local[to + i] !== value) {
        this.local[to + i] = value;
        differs = true;
      }
    }
    if (differs) this.isStale[number] = true;
    this.isSet[number] = true;
  }

  set(number: number, pose: ArrayLike<number>): void {
    for (let i = 0; i < 7; i++) this.local[7 * number + i] = pose[i] ?? 0;
    this.isStale[number] = true;
    this.isSet[number] = true;
  }

  /** Returns whether the pose of a frame in the world is known. */
  isPlaced(number: number): boolean {
    for (let at = number, steps = 0; at >= 0 && steps < 100; at = this.parents[at] ?? -1, steps++) {
      // a frame without a parent is the world
      if ((this.parents[at] ?? -1) >= 0 && this.isSet[at] !== true) return false;
    }
    return (this.parents[number] ?? -1) >= 0;
  }

  /** Computes the poses in the world of all frames that have moved. */
  update(): void {
    if (!this.isOrdered) this.sort();
    const { local, world, parents, isStale, hasMoved } = this;
    for (const number of this.order) {
      const parent = parents[number] as number;
      const moved = isStale[number] === true || (parent >= 0 && hasMoved[parent] === true);
      hasMoved[number] = moved;
      isStale[number] = false;
      if (!moved) continue;
      const at = 7 * number;
      if (parent < 0) {
        for (let i = 0; i < 7; i++) world[at + i] = local[at + i] as number;
      } else {
        compose(world, 7 * parent, local, at, world, at);
      }
    }
  }

  /** Returns the translation of a frame in its parent. */
  translation(number: number): [number, number, number] {
    const at = 7 * number;
    return [this.local[at] ?? 0, this.local[at + 1] ?? 0, this.local[at + 2] ?? 0];
  }

  /** Returns the pose of a frame in the world: x, y, z and the angle about z. */
  pose(number: number): { x: number; y: number; z: number; yaw: number } {
    const { world } = this;
    const at = 7 * number;
    const qx = world[at + 3]!, qy = world[at + 4]!, qz = world[at + 5]!, qw = world[at + 6]!;
    const yaw = Math.atan2(2 * (qw * qz + qx * qy), 1 - 2 * (qy * qy + qz * qz));
    return { x: world[at]!, y: world[at + 1]!, z: world[at + 2]!, yaw };
  }

  clear(): void {
    this.isStale.fill(true);
  }

  private sort(): void {
    const depth = (number: number): number => {
      let steps = 0;
      for (let at = this.parents[number] ?? -1; at >= 0 && steps < 100; at = this.parents[at] ?? -1) steps++;
      return steps;
    };
    const depths = this.names.map((_, number) => depth(number));
    this.order = this.names.map((_, number) => number).sort((a, b) => (depths[a] as number) - (depths[b] as number));
    this.isOrdered = true;
    this.isStale.fill(true);
  }
}

function grown(old: Float64Array): Float64Array<ArrayBuffer> {
  const array = new Float64Array(2 * old.length);
  array.set(old);
  return array;
}

/** Writes the pose `b` in the frame `a` to `out`; each is 7 numbers at an offset. */
export function compose(a: Float64Array, i: number, b: Float64Array, j: number, out: Float64Array, k: number): void {
  // no lists here: this runs thousands of times for each picture
  const ax = a[i + 3]!, ay = a[i + 4]!, az = a[i + 5]!, aw = a[i + 6]!;
  const x = b[j]!, y = b[j + 1]!, z = b[j + 2]!;
  const bx = b[j + 3]!, by = b[j + 4]!, bz = b[j + 5]!, bw = b[j + 6]!;
  const tx = 2 * (ay * z - az * y), ty = 2 * (az * x - ax * z), tz = 2 * (ax * y - ay * x);
  out[k] = a[i]! + x + aw * tx + ay * tz - az * ty;
  out[k + 1] = a[i + 1]! + y + aw * ty + az * tx - ax * tz;
  out[k + 2] = a[i + 2]! + z + aw * tz + ax * ty - ay * tx;
  out[k + 3] = aw * bx + ax * bw + ay * bz - az * by;
  out[k + 4] = aw * by - ax * bz + ay * bw + az * bx;
  out[k + 5] = aw * bz + ax * by - ay * bx + az * bw;
  out[k + 6] = aw * bw - ax * bx - ay * by - az * bz;
}

/**
 * Reads `tf2_msgs/TFMessage` without decoding it: consecutive messages differ in their numbers alone, so that
 * names are read once.
 */
export class TransformReader {
  private offsets: number[] = [];
  private numbers: number[] = [];
  /** Start and end of the names in `known`, alternating. */
  private texts: number[] = [];
  private known = new Uint8Array();

  read(view: DataView, frames: Frames): void {
    if (!this.matches(view)) this.parse(view, frames);
    const { offsets, numbers } = this;
    for (let i = 0; i < offsets.length; i++) frames.read(numbers[i]!, view, offsets[i]!);
  }

  private matches(view: DataView): boolean {
    if (view.byteLength !== this.known.length || view.byteLength === 0) return false;
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    const { known, texts } = this;
    for (let i = 0; i < texts.length; i += 2) {
      for (let at = texts[i]!, end = texts[i + 1]!; at < end; at++) if (bytes[at] !== known[at]) return false;
    }
    return true;
  }

  private parse(view: DataView, frames: Frames): void {
    this.known = new Uint8Array(view.buffer, view.byteOffset, view.byteLength).slice();
    [this.offsets, this.numbers, this.texts] = [[], [], []];
    const decoder = new TextDecoder();
    let at = 4;
    const align = (size: number): void => { at += (size - ((at - 4) % size)) % size; };
    const text = (): string => {
      align(4);
      const length = view.getUint32(at, true);
      const start = at + 4;
      if (start + length > view.byteLength) throw new Error("the message is cut off");
      at = start + length;
      return decoder.decode(this.known.subarray(start, at - 1));
    };
    const count = view.getUint32(at, true);
    at += 4;
    this.texts.push(4, 8);
    for (let i = 0; i < count; i++) {
      align(4);
      at += 8;
      const start = at;
      const parent = frames.number(text());
      const child = frames.number(text());
      this.texts.push(start, at);
      frames.setParent(child, parent);
      align(8);
      if (at + 56 > view.byteLength) throw new Error("the message is cut off");
      this.offsets.push(at);
      this.numbers.push(child);
      at += 56;
    }
  }
}
