// The worker with the simulator.

import { Host } from "./host";
import type { Reply, Request } from "./messages";
import { Simulator } from "./module";

/** Wall time between two advances, ms. */
const PERIOD = 8;

declare const self: {
  onmessage: (event: MessageEvent<Request>) => void;
  postMessage(message: Reply, transfer: Transferable[]): void;
};

async function load(module: Blob | string): Promise<Simulator> {
  if (typeof module !== "string") return Simulator.load(await module.arrayBuffer());
  const reply = await fetch(module);
  if (!reply.ok) throw new Error(`cannot read ${module}: ${reply.status} ${reply.statusText}`);
  return Simulator.load(await reply.arrayBuffer());
}

/** Returns the memory of frames that the page can have without a copy. */
function buffersOf(reply: Reply): Transferable[] {
  if (reply.kind !== "frames") return [];
  // several frames can be in the same memory
  return [...new Set(reply.frames.flatMap((frame) => (typeof frame === "string" ? [] : [frame.buffer as ArrayBuffer])))];
}

const host = new Host(load, (reply) => self.postMessage(reply, buffersOf(reply)));
self.onmessage = (event) => void host.receive(event.data);

function tick(): void {
  const start = performance.now();
  host.advance(start);
  setTimeout(tick, Math.max(0, PERIOD - (performance.now() - start)));
}
tick();
