// Begins with the source that the address of the page names.

import "./style.css";
import { LiveSource } from "./live";
import { PAGE, show } from "./page";
import { type Belongings, NOTHING, RecordedSource, type Store, storeOf } from "./recording";
import type { Source } from "./source";
import { WebSocketTransport } from "./websocket";

/** Returns bytes that the page itself carries. */
function inlined(id: string): Uint8Array | undefined {
  const text = document.getElementById(id)?.textContent;
  if (text === null || text === undefined) return undefined;
  return Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
}

function inlinedSource(): Source | undefined {
  const recording = inlined("recording");
  if (recording === undefined) return undefined;
  const belongings: Belongings = {
    describe: async () => {
      const text = inlined("describe");
      return text === undefined ? undefined : { world: JSON.parse(new TextDecoder().decode(text)) as object, inputs: [] };
    },
    asset: async (name) => {
      const bytes = inlined(`asset-${name}`);
      if (bytes === undefined) throw new Error("it is not part of the page");
      return bytes.buffer as ArrayBuffer;
    },
  };
  return new RecordedSource(document.title.replace(" · simhost", ""), async () => storeOf(new Blob([recording as BlobPart])), belongings);
}

/** Returns a recording that the server offers under an address on it. */
function servedSource(path: string, name: string | null, token: string | undefined): Source {
  const headers: HeadersInit = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const get = async (from: string, more: HeadersInit = {}, method = "GET"): Promise<Response> => {
    const reply = await fetch(from, { method, headers: { ...headers, ...more } });
    if (!reply.ok) throw new Error(`${from}: ${reply.status} ${reply.statusText}`);
    return reply;
  };
  const belongings: Belongings = {
    describe: () => get("describe.json").then(async (reply) => ({ world: (await reply.json()) as object, inputs: [] }), () => undefined),
    asset: async (name) => (await get(`asset/${encodeURIComponent(name)}`)).arrayBuffer(),
  };
  const store: Store = {
    size: async () => Number((await get(path, {}, "HEAD")).headers.get("Content-Length")),
    read: async (start, end) => {
      const reply = await get(path, { Range: `bytes=${start}-${end - 1}` });
      const bytes = new Uint8Array(await reply.arrayBuffer());
      // a server that knows no ranges sends everything
      return reply.status === 206 ? bytes : bytes.subarray(start, end);
    },
  };
  return new RecordedSource(name ?? path.split("/").pop() ?? path, async () => store, belongings);
}

function sourceOf(location: Location): Source {
  const own = inlinedSource();
  if (own !== undefined) return own;
  const query = new URLSearchParams(location.search);
  const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? undefined;
  const recording = query.get("mcap");
  if (recording !== null) return servedSource(recording, query.get("name"), token);
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const address = query.get("ws") ?? `${scheme}//${location.host}`;
  return new LiveSource(() => new WebSocketTransport(address, token));
}

let current: Source | undefined;

function begin(source: Source): void {
  current?.close?.();
  current = source;
  show(source);
}

/** Shows a recording that is dropped on the page in place of what was there. */
function takeDrops(): void {
  window.addEventListener("dragover", (event) => event.preventDefault());
  window.addEventListener("drop", (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    document.body.replaceChildren();
    begin(new RecordedSource(file.name, async () => storeOf(file), NOTHING));
  });
}

if (document.documentElement.dataset["source"] === "tab") {
  // the next script brings the simulation
  window.simhostPage = PAGE;
} else {
  begin(sourceOf(window.location));
  takeDrops();
}
