/** Returns a `tf2_msgs/TFMessage` in CDR: parent, child and pose of each frame. */
export function transforms(all: [string, string, number[]][]): DataView {
  const bytes: number[] = [0, 1, 0, 0];
  const align = (size: number): void => { while ((bytes.length - 4) % size !== 0) bytes.push(0); };
  const u32 = (value: number): void => {
    align(4);
    bytes.push(...new Uint8Array(Uint32Array.of(value).buffer));
  };
  const text = (value: string): void => {
    u32(value.length + 1);
    bytes.push(...new TextEncoder().encode(value), 0);
  };
  u32(all.length);
  for (const [parent, child, pose] of all) {
    u32(1);
    u32(2);
    text(parent);
    text(child);
    align(8);
    bytes.push(...new Uint8Array(Float64Array.from(pose).buffer));
  }
  return new DataView(Uint8Array.from(bytes).buffer);
}
