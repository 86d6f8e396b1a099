// Links that contain a world: JSON, compressed with deflate, in the alphabet of URLs.

/** A world in a link: the path of its file, and the texts that the folder of the page does not have. */
export interface SharedWorld { readonly world: string; readonly texts: Readonly<Record<string, string>> }

/** Largest link, characters. */
const MOST_LETTERS = 200_000;
/** Largest content of a link, bytes. */
const MOST_BYTES = 4_000_000;

/** Returns the text that follows `#world=`. */
export async function packed(shared: SharedWorld): Promise<string> {
  const text = new Blob([JSON.stringify(shared)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(text).arrayBuffer());
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  const link = btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  if (link.length > MOST_LETTERS) {
    throw new Error(`the world is too large for a link: ${link.length} characters; expected at most ${MOST_LETTERS}. Save it as a file instead`);
  }
  return link;
}

/** Reads the text that follows `#world=`. */
export async function unpacked(link: string): Promise<SharedWorld> {
  try {
    return sharedWorld(JSON.parse(await inflated(link)));
  } catch (error) {
    throw new Error(`the link does not contain a world: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function inflated(link: string): Promise<string> {
  const bytes = Uint8Array.from(atob(link.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let [text, size] = ["", 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    // a short link can expand to a thousand times its length
    if (size > MOST_BYTES) {
      void reader.cancel().catch(() => {});
      throw new Error(`it expands to more than ${MOST_BYTES} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

function sharedWorld(value: unknown): SharedWorld {
  const { world, texts } = Object(value) as { world?: unknown; texts?: unknown };
  if (typeof world !== "string" || typeof texts !== "object" || texts === null) throw new Error("expected a world and its texts");
  const entries = Object.entries(texts);
  if (entries.some(([, text]) => typeof text !== "string")) throw new Error("expected texts of files");
  return { world, texts: Object.fromEntries(entries) as Record<string, string> };
}
