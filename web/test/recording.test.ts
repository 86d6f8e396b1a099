import assert from "node:assert/strict";
import { fstatSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { McapWriter, TempBuffer } from "@mcap/core";
import { NOTHING, readTracks, RecordedSource, storeOf } from "../src/recording";
import { readAsset } from "../src/looks";
import type { Channel, Listener } from "../src/source";
import { writeLarge } from "./large.mjs";

const COUNT = 50;

async function recording(): Promise<Uint8Array> {
  const buffer = new TempBuffer();
  const writer = new McapWriter({ writable: buffer, useChunks: false });
  await writer.start({ profile: "ros2", library: "test" });
  const text = new TextEncoder().encode("uint8 value\n");
  const schemaId = await writer.registerSchema({ name: "a/msg/B", encoding: "ros2msg", data: text });
  const channelId = await writer.registerChannel({ topic: "/b", messageEncoding: "cdr", schemaId, metadata: new Map() });
  for (let i = 0; i < COUNT; i++) {
    const logTime = BigInt(i) * 100_000_000n;
    await writer.addMessage({ channelId, sequence: i, logTime, publishTime: logTime, data: Uint8Array.of(0, 1, 0, 0, i) });
  }
  await writer.end();
  return buffer.get();
}

test("a recording is read with its times", async () => {
  const { tracks, notice } = readTracks(await recording());
  assert.equal(notice, undefined);
  assert.equal(tracks[0]?.channel.schemaName, "a/msg/B");
  const samples = tracks[0]?.samples ?? [];
  assert.equal(samples.length, COUNT);
  assert.ok(Math.abs((samples[49]?.time ?? 0) - 4.9) < 1e-9);
  assert.equal(samples[49]?.data.getUint8(4), 49);
});

test("a recording that is cut off is read up to its last whole message", async () => {
  const whole = await recording();
  const { tracks, notice } = readTracks(whole.subarray(0, Math.floor(whole.length / 3)));
  assert.match(notice ?? "", /cut off/);
  const count = tracks[0]?.samples.length ?? 0;
  assert.ok(count > 3 && count < COUNT, `${count}`);
});

test("garbage is refused with a reason", () => {
  assert.throws(() => readTracks(new TextEncoder().encode("this is not a recording at all")), /recording/);
  assert.throws(() => readTracks(new Uint8Array()), /no messages|cut off/);
});

test("a seek sends the latest sample of what is subscribed", async () => {
  const bytes = await recording();
  const source = new RecordedSource("test", async () => storeOf(new Blob([bytes as BlobPart])), NOTHING);
  const seen: number[] = [];
  let rewinds = 0;
  const opened = new Promise<void>((resolve) => {
    const listener: Listener = {
      channels: (channels) => { channels.forEach((channel) => source.subscribe(channel)); },
      services: () => {}, parameters: () => {}, status: () => {},
      sample: (_, __, data) => { seen.push(data.getUint8(4)); },
      time: () => {}, rewound: () => { rewinds += 1; },
      state: ({ name }) => { if (name === "open") setTimeout(resolve, 0); },
    };
    (globalThis as { requestAnimationFrame?: unknown }).requestAnimationFrame = () => 0;
    source.open(listener);
  });
  await opened;
  source.seek(2.25);
  assert.equal(seen[seen.length - 1], 22);
  source.seek(1);
  assert.equal(seen[seen.length - 1], 10);
  assert.equal(rewinds, 1);
  const all: number[] = [];
  source.history({ id: 0, topic: "/b", encoding: "cdr", schemaName: "", schema: "" }, (time) => all.push(time));
  assert.equal(all.length, COUNT);
});

test("a large recording is read in parts", async () => {
  const folder = mkdtempSync(join(tmpdir(), "page-large-"));
  const path = join(folder, "large.mcap");
  await writeLarge(path, 200e6);
  const file = openSync(path, "r");
  const size = fstatSync(file).size;
  let bytes = 0;
  const store = { size: async () => size, read: async (start: number, end: number) => {
    const part = new Uint8Array(end - start);
    bytes += readSync(file, part, 0, part.length, start);
    return part;
  } };
  const source = new RecordedSource("test", async () => store, NOTHING);
  const seen = new Map<string, number>();
  const until = async (isDone: () => boolean): Promise<void> => {
    for (const start = Date.now(); !isDone() && Date.now() - start < 10_000;) await new Promise((resolve) => setTimeout(resolve, 2));
    assert.ok(isDone(), JSON.stringify([...seen]));
  };
  (globalThis as { requestAnimationFrame?: unknown }).requestAnimationFrame = () => 0;
  let channels: readonly Channel[] = [];
  source.open({
    channels: (found) => { channels = found; found.forEach((channel) => source.subscribe(channel)); },
    services: () => {}, parameters: () => {}, status: (_, text) => assert.fail(text), time: () => {}, rewound: () => {},
    sample: ({ topic }, _, data) => { seen.set(topic, data.getFloat64(4, true)); },
    state: ({ name, text }) => assert.notEqual(name, "lost", text),
  });
  await until(() => seen.size === 2);
  assert.equal(source.end, 1000);
  source.seek(700.2);
  await until(() => (seen.get("/often") ?? 0) > 0);
  assert.ok(Math.abs((seen.get("/often") ?? 0) - 700) < 0.5, `${seen.get("/often")}`);
  // the last sample of a topic that has few of them is far before
  assert.ok(Math.abs((seen.get("/seldom") ?? 0) - 5) < 0.1, `${seen.get("/seldom")}`);
  assert.ok(bytes < 6e6, `${bytes} of ${size} bytes were read`);
  // a plot of the whole run reads a part of the chunks
  const times: number[] = [];
  source.history(channels.find(({ topic }) => topic === "/often")!, (time) => times.push(time));
  await until(() => (times[times.length - 1] ?? 0) > 985);
  assert.ok(bytes < 0.6 * size && times.length > 500, `${bytes} bytes, ${times.length} samples`);
  rmSync(folder, { recursive: true });
});

test("assets that are none are refused", () => {
  assert.throws(() => readAsset(new ArrayBuffer(3)), /not an asset/);
  assert.throws(() => readAsset(new TextEncoder().encode("<html>not found</html>").buffer as ArrayBuffer), /not an asset/);
});
