// Samples on their way from the source to whoever shows them.

import type { Message } from "./cdr";
import { type Channel, decode, type Source } from "./source";

/** Takes the samples of a topic: decoded, or as bytes. */
export interface Taker {
  message?(message: Message, time: number, channel: Channel): void;
  bytes?(data: DataView, time: number): void;
}

/** Subscribes to what is shown, and to nothing else. */
export class Bus {
  channels: readonly Channel[] = [];
  private readonly byTopic = new Map<string, Channel>();
  /** Who takes the samples of the topics to which the page has subscribed. */
  readonly takers = new Map<string, Set<Taker>>();
  private readonly broken = new Set<string>();
  /** Bytes and samples that have arrived. */
  readonly received = { bytes: 0, samples: 0 };
  /** Called when a sample cannot be decoded. */
  onBroken: (topic: string, error: unknown) => void = () => {};

  constructor(private readonly source: Source) {}

  setChannels(channels: readonly Channel[]): void {
    this.channels = channels;
    this.byTopic.clear();
    for (const channel of channels) this.byTopic.set(channel.topic, channel);
    for (const topic of this.takers.keys()) this.subscribe(topic);
  }

  find(topic: string): Channel | undefined {
    return this.byTopic.get(topic);
  }

  private subscribe(topic: string): void {
    const channel = this.byTopic.get(topic);
    if (channel !== undefined) this.source.subscribe(channel);
  }

  /** Takes the samples of a topic from now on. Returns the function that ends this. */
  take(topic: string, taker: Taker): () => void {
    let takers = this.takers.get(topic);
    if (takers === undefined) {
      takers = new Set();
      this.takers.set(topic, takers);
      this.subscribe(topic);
    }
    takers.add(taker);
    return () => {
      takers.delete(taker);
      if (takers.size > 0 || this.takers.get(topic) !== takers) return;
      this.takers.delete(topic);
      const channel = this.byTopic.get(topic);
      if (channel !== undefined) this.source.unsubscribe(channel);
    };
  }

  sample(channel: Channel, time: number, data: DataView): void {
    this.received.bytes += data.byteLength;
    this.received.samples += 1;
    const takers = this.takers.get(channel.topic);
    if (takers === undefined) return;
    try {
      let message: Message | undefined;
      for (const taker of [...takers]) {
        taker.bytes?.(data, time);
        if (taker.message !== undefined) taker.message((message ??= decode(channel, data)), time, channel);
      }
    } catch (error) {
      if (!this.broken.has(channel.topic)) this.onBroken(channel.topic, error);
      this.broken.add(channel.topic);
    }
  }
}
