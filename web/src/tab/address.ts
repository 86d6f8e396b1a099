// Reads the world that the address of the page names: one of the folder, of the same origin, or in the link itself.

import { type ListedWorld, WorldFiles } from "./files";
import { unpacked } from "./link";

/** World that is shown first if the folder has it. */
const FIRST = "demo.world.xml";

/** Returns the world that an address names. */
export async function worldOf(address: URL, list: readonly ListedWorld[]): Promise<WorldFiles> {
  const link = new URLSearchParams(address.hash.slice(1)).get("world");
  if (link !== null) {
    const { world, texts } = await unpacked(link);
    const isListed = list.some(({ path }) => path === world);
    const files = isListed ? await WorldFiles.listed(world, list) : new WorldFiles(world, list);
    for (const [path, text] of Object.entries(texts)) files.setText(path, text);
    return files;
  }
  const named = address.searchParams.get("world");
  if (named !== null) return ofAddress(new URL(named, address), new URL("worlds/", address), list);
  const first = list.find(({ path }) => path === FIRST) ?? list[0];
  if (first === undefined) throw new Error("the folder of the page has no worlds");
  return WorldFiles.listed(first.path, list);
}

/** Reads a world from an address of the origin of the page. */
async function ofAddress(found: URL, folder: URL, list: readonly ListedWorld[]): Promise<WorldFiles> {
  if (found.origin !== folder.origin) {
    throw new Error(`${found.href} is not opened: expected an address of ${folder.origin}, where the page comes from`);
  }
  const path = found.href.startsWith(folder.href) ? decodeURIComponent(found.pathname.slice(folder.pathname.length)) : "";
  if (list.some((one) => one.path === path)) return WorldFiles.listed(path, list);
  const reply = await fetch(found, { redirect: "error" });
  if (!reply.ok) throw new Error(`cannot read ${found.href}: ${reply.status} ${reply.statusText}`);
  return WorldFiles.of(found.pathname.split("/").pop() ?? "world.xml", await reply.text(), list);
}
