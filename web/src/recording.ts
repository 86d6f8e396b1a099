// A recording in MCAP: from the server, from a file that was dropped, or from the page itself.

import { McapStreamReader } from "@mcap/core";
import { decompress } from "fzstd";
import type { Channel, Listener, Source, Tape } from "./source";

interface Sample { readonly time: number; readonly data: DataView }
interface Track { readonly channel: Channel; readonly samples: Sample[] }

/** Files and descriptions that belong to a recording. */
export interface Belongings {
  describe(): Promise<object | undefined>;
  asset(name: string): Promise<ArrayBuffer>;
}

export const NOTHING: Belongings = {
  describe: () => Promise.resolve(undefined),
  asset: (name) => Promise.reject(new Error(`${name} is not part of the recording`)),
};

/** Reads the samples of a recording. A recording that is cut off is read up to its last whole record. */
export function readTracks(bytes: Uint8Array): { tracks: Track[]; notice: string | undefined } {
  const schemas = new Map<number, { name: string; text: string }>();
  const tracks = new Map<number, Track>();
  let notice: string | undefined;
  let at = 0;
  const reader = new McapStreamReader({
    decompressHandlers: { zstd: (data, size) => decompress(data, new Uint8Array(Number(size))) },
  });
  const take = (): void => {
    for (let record = reader.nextRecord(); record !== undefined; record = reader.nextRecord()) {
      if (record.type === "Schema") {
        schemas.set(record.id, { name: record.name, text: new TextDecoder().decode(record.data) });
      } else if (record.type === "Channel" && !tracks.has(record.id)) {
        const schema = schemas.get(record.schemaId);
        const channel: Channel = {
          id: record.id, topic: record.topic, encoding: record.messageEncoding,
          schemaName: schema?.name ?? "", schema: schema?.text ?? "",
        };
        tracks.set(record.id, { channel, samples: [] });
      } else if (record.type === "Message") {
        const { data } = record;
        // the reader keeps its own buffer
        const copy = data.slice();
        const view = new DataView(copy.buffer, copy.byteOffset, copy.byteLength);
        tracks.get(record.channelId)?.samples.push({ time: Number(record.logTime) / 1e9, data: view });
      }
    }
  };
  const PIECE = 1 << 20;
  try {
    for (; at < bytes.length; at += PIECE) {
      reader.append(bytes.subarray(at, at + PIECE));
      take();
    }
    if (!reader.done()) notice = "the recording is cut off; everything up to its last whole record is shown";
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    notice = `the recording cannot be read beyond byte ${Math.min(at, bytes.length)}: ${text}`;
  }
  const found = [...tracks.values()].filter((track) => track.samples.length > 0);
  if (found.length === 0) throw new Error(notice ?? "the recording has no messages");
  for (const { samples } of found) {
    if (samples.some((sample, index) => index > 0 && sample.time < samples[index - 1]!.time)) {
      samples.sort((a, b) => a.time - b.time);
    }
  }
  return { tracks: found, notice };
}

/** Returns the number of samples up to a time. */
function countUntil(samples: readonly Sample[], time: number): number {
  let [low, high] = [0, samples.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (samples[middle]!.time <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Plays a recording. */
export class RecordedSource implements Source, Tape {
  readonly control = undefined;
  readonly tape: Tape = this;
  start = 0;
  end = 0;
  private tracks = new Map<string, Track>();
  private readonly wanted = new Set<string>();
  private listener: Listener | undefined;
  private now = 0;
  private pace = 0;
  private wall = 0;

  constructor(
    readonly name: string,
    private readonly load: () => Promise<Uint8Array>,
    private readonly belongings: Belongings,
  ) {}

  open(listener: Listener): void {
    this.listener = listener;
    listener.state({ name: "connecting", text: `reading ${this.name}` });
    this.load().then((bytes) => {
      const { tracks, notice } = readTracks(bytes);
      this.tracks = new Map(tracks.map((track) => [track.channel.topic, track]));
      const times = tracks.flatMap(({ samples }) => [samples[0]!.time, samples[samples.length - 1]!.time]);
      [this.start, this.end] = [Math.min(...times), Math.max(...times)];
      this.now = this.start;
      listener.state({ name: "open", text: this.name });
      listener.channels(tracks.map((track) => track.channel));
      if (notice !== undefined) listener.status("warning", notice);
      this.seek(this.start);
      requestAnimationFrame((wall) => this.tick(wall));
    }).catch((error: unknown) => {
      const text = error instanceof Error ? error.message : String(error);
      listener.state({ name: "lost", text: `cannot show ${this.name}: ${text}` });
    });
  }

  private tick(wall: number): void {
    requestAnimationFrame((next) => this.tick(next));
    const passed = Math.min((wall - this.wall) / 1000, 0.25);
    this.wall = wall;
    if (this.pace === 0 || this.now >= this.end) return;
    const next = Math.min(this.now + this.pace * passed, this.end);
    this.emit(this.now, next);
    this.now = next;
    this.listener?.time(next);
    if (next >= this.end) this.pace = 0;
  }

  /** Sends the samples between two times; of those that replace each other, the last one. */
  private emit(from: number, to: number): void {
    for (const topic of this.wanted) {
      const track = this.tracks.get(topic);
      if (track === undefined) continue;
      const [first, end] = [countUntil(track.samples, from), countUntil(track.samples, to)];
      // more than a few in one picture cannot be seen
      for (let i = Math.max(first, end - 4); i < end; i++) {
        const { time, data } = track.samples[i]!;
        this.listener?.sample(track.channel, time, data);
      }
    }
  }

  subscribe(channel: Channel): void {
    this.wanted.add(channel.topic);
    this.sendLatest(channel.topic);
  }

  unsubscribe(channel: Channel): void {
    this.wanted.delete(channel.topic);
  }

  private sendLatest(topic: string): void {
    const track = this.tracks.get(topic);
    if (track === undefined) return;
    const sample = track.samples[Math.max(0, countUntil(track.samples, this.now) - 1)];
    if (sample !== undefined) this.listener?.sample(track.channel, sample.time, sample.data);
  }

  seek(time: number): void {
    const to = Math.min(Math.max(time, this.start), this.end);
    if (to < this.now) this.listener?.rewound();
    this.now = to;
    for (const topic of this.wanted) this.sendLatest(topic);
    this.listener?.time(to);
  }

  play(pace: number): void {
    if (pace > 0 && this.now >= this.end) this.seek(this.start);
    this.pace = pace;
    this.wall = performance.now();
  }

  history(channel: Channel, take: (time: number, data: DataView) => void): void {
    for (const { time, data } of this.tracks.get(channel.topic)?.samples ?? []) take(time, data);
  }

  describe(): Promise<object | undefined> {
    return this.belongings.describe();
  }

  asset(name: string): Promise<ArrayBuffer> {
    return this.belongings.asset(name);
  }
}
