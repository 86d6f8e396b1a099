// The files of a world: those of the folder that the page is served from, changed texts and dropped files.

import type { Files } from "./messages";
import { read } from "./resources";

/** A world that the folder has. Paths are relative to its folder `worlds`. */
export interface ListedWorld { readonly path: string; readonly files: readonly string[] }

const FOLDER = "worlds/";
const TEXT = /\.(xml|csv|json|yaml|yml|txt|mtl|toml|xodr|js)$/i;

/** Returns the worlds that the folder has. */
export async function listWorlds(): Promise<ListedWorld[]> {
  return JSON.parse(new TextDecoder().decode(await read(`${FOLDER}index.json`))) as ListedWorld[];
}

/** Returns whether a file can be edited. */
export function isText(path: string): boolean {
  return TEXT.test(path);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The files of one world. */
export class WorldFiles {
  private readonly contents = new Map<string, Uint8Array>();
  /** Texts of the folder as they were read, by path. */
  private readonly originals = new Map<string, string>();
  private readonly known: ReadonlySet<string>;

  /** `world` is the path of the world file. */
  constructor(readonly world: string, list: readonly ListedWorld[]) {
    this.known = new Set(list.flatMap(({ path, files }) => [path, ...files]));
  }

  /** Returns a listed world with all files that it refers to. */
  static async listed(world: string, list: readonly ListedWorld[]): Promise<WorldFiles> {
    const files = new WorldFiles(world, list);
    const found = list.find(({ path }) => path === world);
    await Promise.all([world, ...(found?.files ?? [])].map((path) => files.fetch(path)));
    return files;
  }

  /** Returns a world whose text comes from elsewhere, such as an address. */
  static of(world: string, text: string, list: readonly ListedWorld[]): WorldFiles {
    const files = new WorldFiles(world, list);
    files.setText(world, text);
    return files;
  }

  private async fetch(path: string): Promise<void> {
    const content = await read(FOLDER + path);
    this.contents.set(path, content);
    if (isText(path)) this.originals.set(path, new TextDecoder().decode(content));
  }

  /** Reads the files of the folder that the texts name and that have not been read. */
  async fetchNamed(): Promise<void> {
    for (;;) {
      const texts = [...this.contents.keys()].filter(isText).map((path) => this.text(path));
      const missing = [...this.known].filter((path) => !this.contents.has(path) && !path.endsWith(".world.xml")
        && texts.some((text) => text.includes(nameOf(path))));
      if (missing.length === 0) return;
      await Promise.all(missing.map((path) => this.fetch(path)));
    }
  }

  get paths(): string[] {
    const others = [...this.contents.keys()].filter((path) => path !== this.world).sort();
    return [this.world, ...others];
  }

  get all(): Files {
    return this.contents;
  }

  text(path: string): string {
    return new TextDecoder().decode(this.contents.get(path));
  }

  setText(path: string, text: string): void {
    this.contents.set(path, new TextEncoder().encode(text));
  }

  /** Adds a file that was dropped on the page. */
  add(path: string, content: Uint8Array): void {
    this.contents.set(path, content);
    this.originals.delete(path);
  }

  /** Returns the path of the command file of the world, if there is one. */
  get commands(): string | undefined {
    const path = this.world.replace(/(\.world)?\.xml$/, ".commands.csv");
    return path !== this.world && this.contents.has(path) ? path : undefined;
  }

  /** Returns the texts that differ from the folder, and whether the user has added other files. */
  get own(): { texts: Record<string, string>; hasOthers: boolean } {
    const texts: Record<string, string> = {};
    let hasOthers = false;
    for (const path of this.contents.keys()) {
      if (!isText(path)) hasOthers ||= !this.known.has(path);
      else if (this.text(path) !== this.originals.get(path)) texts[path] = this.text(path);
    }
    return { texts, hasOthers };
  }
}
