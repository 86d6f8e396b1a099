// The files of the page: in the folder that it is served from, or in the page itself.

const contents = new Map<string, Blob>();

async function unpacked(packed: string): Promise<Blob> {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).blob();
}

/** Takes the files out of the page. Returns whether there are any. */
export async function takeFiles(): Promise<boolean> {
  const found = [...document.querySelectorAll<HTMLScriptElement>("script[data-path]")];
  await Promise.all(found.map(async (element) => {
    const content = await unpacked(element.text);
    const type = element.dataset.path!.endsWith(".js") ? "text/javascript" : "application/octet-stream";
    contents.set(element.dataset.path!, content.slice(0, content.size, type));
    element.remove();
  }));
  return found.length > 0;
}

/** Returns a file of the page, or its path in the folder. A worker of a page on a disk can read the file, and no address of it. */
export function fileOf(path: string): Blob | string {
  return contents.get(path) ?? path;
}

/** Reads a file of the page. */
export async function read(path: string): Promise<Uint8Array> {
  const file = fileOf(path);
  if (typeof file !== "string") return new Uint8Array(await file.arrayBuffer());
  const reply = await fetch(file);
  if (!reply.ok) throw new Error(`cannot read ${path}: ${reply.status} ${reply.statusText}`);
  return new Uint8Array(await reply.arrayBuffer());
}
