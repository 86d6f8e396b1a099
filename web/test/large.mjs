// Writes a large recording for tests.
import { closeSync, openSync, writeSync } from "node:fs";
import { McapWriter } from "@mcap/core";

/** Writes a recording in chunks of 1 MiB without compression: `size` bytes over 1,000 s, and a topic of two samples. */
export async function writeLarge(path, size) {
  const file = openSync(path, "w");
  let at = 0n;
  const writable = { position: () => at, write: async (data) => { writeSync(file, data); at += BigInt(data.byteLength); } };
  const writer = new McapWriter({ writable, useChunks: true, chunkSize: 1 << 20 });
  await writer.start({ profile: "ros2", library: "test" });
  const text = new TextEncoder().encode("float64 value\nfloat64[] rest\n");
  const schemaId = await writer.registerSchema({ name: "a/msg/Value", encoding: "ros2msg", data: text });
  const channel = (topic) => writer.registerChannel({ topic, messageEncoding: "cdr", schemaId, metadata: new Map() });
  const [often, seldom] = [await channel("/often"), await channel("/seldom")];
  const LENGTH = 12_500;
  const COUNT = Math.ceil(size / (8 * LENGTH));
  const message = (value, length) => {
    const data = new Uint8Array(4 + 16 + 8 * length);
    const view = new DataView(data.buffer);
    data[1] = 1;
    view.setFloat64(4, value, true);
    view.setUint32(12, length, true);
    return data;
  };
  for (let i = 0; i <= COUNT; i++) {
    const logTime = BigInt(Math.round((1e12 * i) / COUNT));
    const add = (channelId, length) => writer.addMessage({ channelId, sequence: i, logTime, publishTime: logTime, data: message(Number(logTime) / 1e9, length) });
    if (i === 0 || i === 10) await add(seldom, 0);
    await add(often, LENGTH);
  }
  await writer.end();
  closeSync(file);
}
