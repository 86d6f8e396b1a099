// A recording in MCAP: from the server, from a file that was dropped, or from the page itself.

import { McapStreamReader } from "@mcap/core";
import { decompress } from "fzstd";
import { type Channel, type Listener, type Source, type Tape, textOf } from "./source";

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

/** The bytes of a recording, of which parts can be read. */
export interface Store {
  size(): Promise<number>;
  read(start: number, end: number): Promise<Uint8Array>;
}

/** Returns the bytes of a file, or of a part of the page. */
export function storeOf(blob: Blob): Store {
  const read = async (start: number, end: number): Promise<Uint8Array> => new Uint8Array(await blob.slice(start, end).arrayBuffer());
  return { size: async () => blob.size, read };
}

/** Size of a recording up to which it is read at once, and up to which this is possible without an index, bytes. */
const SMALL = 32 << 20;
const LARGE = 512 << 20;
/** Size of the chunks that are kept, bytes. */
const KEPT = 192 << 20;
/** Chunks at most that a plot of the whole run reads. */
const PLOTTED = 100;
/** Size of the end of a file: a record of 29 bytes, and eight letters. */
const END = 37;

/** A part of a recording: a chunk, or all of it. */
interface Piece {
  readonly start: number;
  readonly end: number;
  /** Topics of its samples; `undefined` if that is not known. */
  readonly topics: ReadonlySet<string> | undefined;
  readonly size: number;
  /** The samples by topic, once they have been read. */
  samples: ReadonlyMap<string, readonly Sample[]> | undefined;
  load(): Promise<ReadonlyMap<string, readonly Sample[]>>;
}

interface ChunkIndex { messageStartTime: bigint; messageEndTime: bigint; chunkStartOffset: bigint; chunkLength: bigint; uncompressedSize: bigint; messageIndexOffsets: Map<number, bigint> }

/** Reads records: those of a whole file, or some from the middle of one. */
function readRecords(bytes: Uint8Array, isFile: boolean): { tracks: Map<number, Track>; chunks: ChunkIndex[]; notice: string | undefined } {
  const schemas = new Map<number, { name: string; text: string }>();
  const tracks = new Map<number, Track>();
  const chunks: ChunkIndex[] = [];
  let notice: string | undefined;
  let at = 0;
  const reader = new McapStreamReader({
    noMagicPrefix: !isFile,
    decompressHandlers: { zstd: (data, size) => decompress(data, new Uint8Array(Number(size))) },
  });
  const take = (): void => {
    for (let record = reader.nextRecord(); record !== undefined; record = reader.nextRecord()) {
      if (record.type === "Schema") {
        schemas.set(record.id, { name: record.name, text: new TextDecoder().decode(record.data) });
      } else if (record.type === "ChunkIndex") {
        chunks.push(record);
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
    if (isFile && !reader.done()) notice = "the recording is cut off; everything up to its last whole record is shown";
  } catch (error) {
    notice = `the recording cannot be read beyond byte ${Math.min(at, bytes.length)}: ${textOf(error)}`;
  }
  for (const { samples } of tracks.values()) {
    if (samples.some((sample, index) => index > 0 && sample.time < samples[index - 1]!.time)) {
      samples.sort((a, b) => a.time - b.time);
    }
  }
  return { tracks, chunks, notice };
}

/** Reads the samples of a recording. A recording that is cut off is read up to its last whole record. */
export function readTracks(bytes: Uint8Array): { tracks: Track[]; notice: string | undefined } {
  const { tracks, notice } = readRecords(bytes, true);
  const found = [...tracks.values()].filter((track) => track.samples.length > 0);
  if (found.length === 0) throw new Error(notice ?? "the recording has no messages");
  return { tracks: found, notice };
}

interface Contents { channels: Channel[]; pieces: Piece[]; notice?: string | undefined }

function readWhole(bytes: Uint8Array): Contents {
  const { tracks, notice } = readTracks(bytes);
  const times = tracks.flatMap(({ samples }) => [samples[0]!.time, samples[samples.length - 1]!.time]);
  const samples = samplesOf(tracks);
  const piece = { start: Math.min(...times), end: Math.max(...times), topics: new Set(samples.keys()), size: bytes.length, samples, load: async () => samples };
  return { channels: tracks.map((track) => track.channel), pieces: [piece], notice };
}

/** Reads the index of a recording; `undefined` if it has none. Chunks are read when they are needed. */
async function readIndex(store: Store, size: number): Promise<Contents | undefined> {
  const end = await store.read(size - END, size);
  const start = Number(new DataView(end.buffer, end.byteOffset).getBigUint64(9, true));
  const isFooter = end[0] === 2 && end[END - 7] === 0x4d && end[END - 6] === 0x43;
  if (!isFooter || start === 0 || start >= size) return undefined;
  const summary = await store.read(start, size - 8);
  const { tracks, chunks } = readRecords(summary, false);
  if (tracks.size === 0 || chunks.length === 0) return undefined;
  // schemas and channels come first; they explain the messages of each chunk
  let head = 0;
  const view = new DataView(summary.buffer, summary.byteOffset, summary.byteLength);
  while (summary[head] === 3 || summary[head] === 4) head += 9 + Number(view.getBigUint64(head + 1, true));
  const topic = (id: number): string => tracks.get(id)?.channel.topic ?? "";
  const pieces = chunks.map((chunk): Piece => {
    const { messageIndexOffsets: indices, chunkStartOffset: from, chunkLength: length } = chunk;
    return {
      start: Number(chunk.messageStartTime) / 1e9, end: Number(chunk.messageEndTime) / 1e9,
      topics: indices.size === 0 ? undefined : new Set([...indices.keys()].map(topic)),
      size: Number(chunk.uncompressedSize), samples: undefined,
      load: async () => {
        const records = await store.read(Number(from), Number(from + length));
        const bytes = new Uint8Array(head + records.length);
        bytes.set(summary.subarray(0, head));
        bytes.set(records, head);
        const read = readRecords(bytes, false);
        if (read.notice !== undefined) throw new Error(read.notice);
        return samplesOf([...read.tracks.values()]);
      },
    };
  });
  pieces.sort((a, b) => a.start - b.start);
  return { channels: [...tracks.values()].map((track) => track.channel), pieces };
}

function samplesOf(tracks: readonly Track[]): ReadonlyMap<string, readonly Sample[]> {
  return new Map(tracks.map(({ channel, samples }) => [channel.topic, samples]));
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
  private pieces: Piece[] = [];
  /** Pieces whose samples are known, the one that was used last at the end. */
  private readonly known = new Set<Piece>();
  private readonly loading = new Map<Piece, Promise<void>>();
  private channels = new Map<string, Channel>();
  private readonly wanted = new Set<string>();
  /** Topics whose present sample has not been read. */
  private readonly waiting = new Set<string>();
  private listener: Listener | undefined;
  private now = 0;
  private pace = 0;
  private wall = 0;

  constructor(
    readonly name: string,
    private readonly store: () => Promise<Store>,
    private readonly belongings: Belongings,
  ) {}

  open(listener: Listener): void {
    this.listener = listener;
    listener.state({ name: "connecting", text: `reading ${this.name}` });
    this.read().then((notice) => {
      this.start = this.pieces.reduce((least, { start }) => Math.min(least, start), Infinity);
      this.end = this.pieces.reduce((most, { end }) => Math.max(most, end), -Infinity);
      this.now = this.start;
      listener.state({ name: "open", text: this.name });
      listener.channels([...this.channels.values()]);
      if (notice !== undefined) listener.status("warning", notice);
      this.seek(this.start);
      requestAnimationFrame((wall) => this.tick(wall));
    }).catch((error: unknown) => {
      listener.state({ name: "lost", text: `cannot show ${this.name}: ${textOf(error)}` });
    });
  }

  /** Reads all of a small recording, and the index of a large one. Returns a notice for people. */
  private async read(): Promise<string | undefined> {
    const store = await this.store();
    const size = await store.size();
    const index = size <= SMALL ? undefined : await readIndex(store, size);
    if (index === undefined && size > LARGE) throw new Error("it has no index; “simhost recover” makes a file that has one");
    const { channels, pieces, notice } = index ?? readWhole(await store.read(0, size));
    this.pieces = pieces;
    this.channels = new Map(channels.map((channel) => [channel.topic, channel]));
    return notice;
  }

  /** Returns the samples of a topic in a piece; `undefined` while they are being read. */
  private samples(piece: Piece, topic: string): readonly Sample[] | undefined {
    if (piece.samples === undefined) void this.load(piece);
    else if (this.known.delete(piece)) this.known.add(piece);
    return piece.samples === undefined ? undefined : piece.samples.get(topic) ?? [];
  }

  private load(piece: Piece): Promise<void> {
    let loading = this.loading.get(piece);
    if (piece.samples !== undefined) return Promise.resolve();
    if (loading !== undefined) return loading;
    loading = piece.load().catch((error: unknown) => {
      this.listener?.status("error", `a part of ${this.name} cannot be read: ${textOf(error)}`);
      return new Map<string, Sample[]>();
    }).then((samples) => {
      piece.samples = samples;
      this.loading.delete(piece);
      this.known.add(piece);
      let size = [...this.known].reduce((sum, one) => sum + one.size, 0);
      for (const old of this.known) {
        if (size <= KEPT || old === piece) break;
        old.samples = undefined;
        this.known.delete(old);
        size -= old.size;
      }
      const waiting = [...this.waiting];
      this.waiting.clear();
      waiting.forEach((topic) => this.sendLatest(topic));
    });
    this.loading.set(piece, loading);
    return loading;
  }

  private tick(wall: number): void {
    requestAnimationFrame((next) => this.tick(next));
    const passed = Math.min((wall - this.wall) / 1000, 0.25);
    this.wall = wall;
    if (this.pace === 0 || this.now >= this.end) return;
    const next = Math.min(this.now + this.pace * passed, this.end);
    const ahead = this.pieces.find((piece) => piece.start > next);
    if (ahead !== undefined) void this.load(ahead);
    if (!this.emit(this.now, next)) return;
    this.now = next;
    this.listener?.time(next);
    if (next >= this.end) this.pace = 0;
  }

  /** Sends the samples between two times; of those that replace each other, the last ones. Returns whether all have been read. */
  private emit(from: number, to: number): boolean {
    const pieces = this.pieces.filter((piece) => piece.start <= to && piece.end > from);
    if (pieces.filter((piece) => this.samples(piece, "") === undefined).length > 0) return false;
    for (const topic of this.wanted) {
      const channel = this.channels.get(topic);
      // more than a few in one picture cannot be seen
      const last = pieces.flatMap((piece) => {
        const samples = piece.samples?.get(topic) ?? [];
        const end = countUntil(samples, to);
        return samples.slice(Math.max(countUntil(samples, from), end - 4), end);
      }).slice(-4);
      if (channel !== undefined) for (const { time, data } of last) this.listener?.sample(channel, time, data);
    }
    return true;
  }

  subscribe(channel: Channel): void {
    this.wanted.add(channel.topic);
    this.sendLatest(channel.topic);
  }

  unsubscribe(channel: Channel): void {
    this.wanted.delete(channel.topic);
  }

  /** Sends the last sample of a topic up to now, or its first one, as soon as it has been read. */
  private sendLatest(topic: string): void {
    const channel = this.channels.get(topic);
    let first: Sample | undefined;
    for (let at = this.pieces.length - 1; at >= 0 && channel !== undefined && this.wanted.has(topic); at--) {
      const piece = this.pieces[at]!;
      if (piece.topics?.has(topic) === false || (piece.start > this.now && at > 0)) continue;
      const samples = this.samples(piece, topic);
      if (samples === undefined) {
        this.waiting.add(topic);
        return;
      }
      const count = countUntil(samples, this.now);
      first = samples[Math.max(0, count - 1)] ?? first;
      if (count > 0) break;
    }
    if (first !== undefined && channel !== undefined) this.listener?.sample(channel, first.time, first.data);
  }

  seek(time: number): void {
    const to = Math.min(Math.max(time, this.start), this.end);
    if (to < this.now) this.listener?.rewound();
    this.now = to;
    this.waiting.clear();
    for (const topic of this.wanted) this.sendLatest(topic);
    this.listener?.time(to);
  }

  play(pace: number): void {
    if (pace > 0 && this.now >= this.end) this.seek(this.start);
    this.pace = pace;
    this.wall = performance.now();
  }

  history({ topic }: Channel, take: (time: number, data: DataView) => void): () => void {
    const pieces = this.pieces.filter((piece) => piece.topics?.has(topic) !== false);
    const stride = Math.ceil(pieces.length / PLOTTED);
    let isOver = false;
    const read = async (): Promise<void> => {
      for (let at = 0; at < pieces.length && !isOver; at += stride) {
        const piece = pieces[at]!;
        if (piece.samples === undefined) await this.load(piece);
        for (const { time, data } of piece.samples?.get(topic) ?? []) take(time, data);
      }
    };
    void read();
    return () => { isOver = true; };
  }

  describe(): Promise<object | undefined> {
    return this.belongings.describe();
  }

  asset(name: string): Promise<ArrayBuffer> {
    return this.belongings.asset(name);
  }
}
