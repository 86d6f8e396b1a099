// Where samples come from. The page knows this interface only, so that a live server, a recording and data in
// the page itself look the same to it.

import { Definition, type Message } from "./cdr";

/** What a source offers under a name. */
export interface Channel {
  readonly id: number;
  readonly topic: string;
  readonly encoding: string;
  readonly schemaName: string;
  readonly schema: string;
}

export type Level = "info" | "warning" | "error";

/** What the page learns from a source. */
export interface Listener {
  channels(channels: readonly Channel[]): void;
  /** The services of a live server are known, or have changed. */
  services(): void;
  /** A sample; `time` is its stamp in s. */
  sample(channel: Channel, time: number, data: DataView): void;
  /** The present time, s. */
  time(time: number): void;
  /** Time went back: everything that was derived from older samples is void. */
  rewound(): void;
  parameters(values: readonly Parameter[]): void;
  status(level: Level, text: string): void;
  state(state: State): void;
}

export interface State {
  readonly name: "connecting" | "open" | "lost" | "ended";
  readonly text: string;
  /** Tries again, where the source does not do so by itself. */
  readonly again?: () => void;
}

export interface Parameter { readonly name: string; readonly value: unknown }

/** What only a running simulation can do. */
export interface Control {
  /** Whether a service exists. */
  offers(service: string): boolean;
  call(service: string, request: object): Promise<Message>;
  publish(topic: string, schemaName: string, message: object): void;
  setParameter(name: string, value: unknown): void;
}

/** Calls a service and returns its message. Fails with the reason for which it was not carried out. */
export async function ask(control: Control, service: string, request: object): Promise<string> {
  const reply = await control.call(service, request);
  if (reply["success"] !== true) throw new Error(String(reply["message"]));
  return String(reply["message"]);
}

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What only a recording can do. */
export interface Tape {
  readonly start: number;
  readonly end: number;
  seek(time: number): void;
  /** Plays at a pace; 0 pauses. */
  play(pace: number): void;
  /** Calls a function for the samples of a channel from the start, for plots. Returns a function that ends this. */
  history(channel: Channel, take: (time: number, data: DataView) => void): () => void;
}

export interface Source {
  readonly name: string;
  readonly control: Control | undefined;
  readonly tape: Tape | undefined;
  open(listener: Listener): void;
  /** Ends a connection for good. */
  close?(): void;
  subscribe(channel: Channel): void;
  unsubscribe(channel: Channel): void;
  /** Returns the bytes of an asset, such as a mesh. */
  asset(name: string): Promise<ArrayBuffer>;
  /** Returns what the world file says beyond the messages, if the source knows. */
  describe(): Promise<object | undefined>;
}

const definitions = new WeakMap<Channel, Definition>();

/** Returns the definition of the messages of a channel. */
export function definition(channel: Channel): Definition {
  let known = definitions.get(channel);
  if (known === undefined) {
    known = new Definition(channel.schemaName, channel.schema);
    definitions.set(channel, known);
  }
  return known;
}

/** Decodes a sample of a channel. */
export function decode(channel: Channel, data: DataView): Message {
  if (channel.encoding === "json") {
    return JSON.parse(new TextDecoder().decode(data)) as Message;
  }
  return definition(channel).decode(data);
}
