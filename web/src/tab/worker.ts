// The worker with the simulator.

import { Host } from "./host";
import type { Reply, Request } from "./messages";
import { Simulator } from "./module";
import { type ScriptEntry, Scripts } from "./script/scripts";

/** Wall time between two advances, ms. */
const PERIOD = 8;

/** Sender of requests: the page, or the port that a frame has passed on. */
interface Channel {
  onmessage: ((event: MessageEvent<Request>) => void) | null;
  postMessage(message: Reply, transfer: Transferable[]): void;
}

declare const self: {
  onmessage: ((event: MessageEvent<Request | { kind: "port" }>) => void) | null;
  postMessage(message: Reply, transfer: Transferable[]): void;
  /** Takes the scripts that follow in the text of the worker. */
  simhostScripts?: (entries: readonly ScriptEntry[]) => void;
};

let scripts = new Scripts([]);
self.simhostScripts = (entries) => {
  delete self.simhostScripts;
  scripts = new Scripts(entries);
};

async function load(module: Blob | string): Promise<Simulator> {
  if (typeof module !== "string") return Simulator.load(await module.arrayBuffer(), scripts);
  const reply = await fetch(module);
  if (!reply.ok) throw new Error(`cannot read ${module}: ${reply.status} ${reply.statusText}`);
  return Simulator.load(await reply.arrayBuffer(), scripts);
}

/** Returns the memory of frames that the page can have without a copy. */
function buffersOf(reply: Reply): Transferable[] {
  if (reply.kind !== "frames") return [];
  // several frames can be in the same memory
  return [...new Set(reply.frames.flatMap((frame) => (typeof frame === "string" ? [] : [frame.buffer as ArrayBuffer])))];
}

let channel: Channel = self as Channel;
const host = new Host(load, (reply) => channel.postMessage(reply, buffersOf(reply)));
self.onmessage = (event) => {
  if (event.data.kind !== "port") return void host.receive(event.data);
  channel = event.ports[0]!;
  channel.onmessage = ({ data }) => void host.receive(data);
};

function tick(): void {
  const start = performance.now();
  host.advance(start);
  setTimeout(tick, Math.max(0, PERIOD - (performance.now() - start)));
}
tick();
