import assert from "node:assert/strict";
import { test } from "node:test";
import { McapWriter, TempBuffer } from "@mcap/core";
import { NOTHING, readTracks, RecordedSource } from "../src/recording";
import { readAsset } from "../src/looks";
import type { Listener } from "../src/source";

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
  const source = new RecordedSource("test", async () => bytes, NOTHING);
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

test("assets that are none are refused", () => {
  assert.throws(() => readAsset(new ArrayBuffer(3)), /not an asset/);
  assert.throws(() => readAsset(new TextEncoder().encode("<html>not found</html>").buffer as ArrayBuffer), /not an asset/);
});
