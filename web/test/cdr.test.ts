import assert from "node:assert/strict";
import { test } from "node:test";
import { Definition, numberAt } from "../src/cdr";

/** Writes values in little-endian CDR. */
class Writer {
  private readonly bytes: number[] = [0, 1, 0, 0];

  private align(size: number): void {
    while ((this.bytes.length - 4) % size !== 0) this.bytes.push(0);
  }

  number(size: 1 | 2 | 4 | 8, set: (view: DataView) => void): this {
    this.align(size);
    const buffer = new ArrayBuffer(size);
    set(new DataView(buffer));
    this.bytes.push(...new Uint8Array(buffer));
    return this;
  }

  u32(value: number): this { return this.number(4, (view) => view.setUint32(0, value, true)); }
  f64(value: number): this { return this.number(8, (view) => view.setFloat64(0, value, true)); }
  f32(value: number): this { return this.number(4, (view) => view.setFloat32(0, value, true)); }
  u8(value: number): this { return this.number(1, (view) => view.setUint8(0, value)); }

  text(value: string): this {
    const bytes = new TextEncoder().encode(value);
    this.u32(bytes.length + 1);
    this.bytes.push(...bytes, 0);
    return this;
  }

  view(): DataView { return new DataView(Uint8Array.from(this.bytes).buffer); }
}

const DEFINITION = `# A test.
std_msgs/Header header
uint8 KIND=3
# Speed over ground. [m/s]
float64 speed
float32[] ranges
geometry_msgs/Point[2] corners
string<=8 name
bool ok
================================================================================
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
================================================================================
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
================================================================================
MSG: geometry_msgs/Point
float64 x
float64 y
float64 z
`;

function sample(): Writer {
  const writer = new Writer().u32(7).u32(5).text("map").f64(2.5).u32(3).f32(1).f32(Infinity).f32(-2);
  for (let i = 0; i < 6; i++) writer.f64(i);
  return writer.text("é!").u8(1);
}

test("a message is decoded with its alignment", () => {
  const message = new Definition("a/msg/Test", DEFINITION).decode(sample().view());
  assert.equal(numberAt(message, "header.stamp.sec"), 7);
  assert.equal(numberAt(message, "speed"), 2.5);
  assert.equal(numberAt(message, "ranges[2]"), -2);
  assert.equal(numberAt(message, "corners[1].z"), 5);
  assert.equal(message["name"], "é!");
  assert.equal(numberAt(message, "ok"), 1);
  assert.ok(Number.isNaN(numberAt(message, "nothing.here")));
});

test("a message that is cut off is an error at each length", () => {
  const whole = sample().view();
  const definition = new Definition("a/msg/Test", DEFINITION);
  for (let length = 0; length < whole.byteLength; length++) {
    assert.throws(() => definition.decode(new DataView(whole.buffer, 0, length)), `${length} bytes`);
  }
});

test("the numbers of a definition have their units", () => {
  const found = new Definition("a/msg/Test", DEFINITION).quantities();
  assert.deepEqual(found.map(({ path }) => path), ["speed", "ranges", "ok"]);
  assert.deepEqual([found[0]?.unit, found[0]?.doc], ["m/s", "Speed over ground."]);
});
