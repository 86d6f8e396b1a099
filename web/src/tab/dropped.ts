// Files and folders that are dropped on the page.

/** A dropped file with its path below the folder that was dropped. */
export interface DroppedFile { readonly path: string; readonly content: Uint8Array }

/** Largest sum of the files of a drop, bytes. */
const MOST_BYTES = 200_000_000;

/** Reads files that were chosen. */
export async function readFiles(files: readonly File[]): Promise<DroppedFile[]> {
  return checked(files.map((file) => ({ path: file.name, file })));
}

/** Reads files and folders. The name of a folder is not part of the paths, as if its world were opened in it. */
export async function readDrop(data: DataTransfer): Promise<DroppedFile[]> {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  // a drop that a script makes has files only
  if (entries.length === 0) return readFiles([...data.files]);
  const found = await Promise.all(entries.map((entry) => (entry.isDirectory ? walk(entry, "") : walk(entry, entry.name))));
  return checked(found.flat());
}

interface Found { path: string; file: File }

async function checked(found: readonly Found[]): Promise<DroppedFile[]> {
  const size = found.reduce((sum, { file }) => sum + file.size, 0);
  if (size > MOST_BYTES) throw new Error(`the files have ${size} bytes; expected at most ${MOST_BYTES}`);
  return Promise.all(found.map(async ({ path, file }) => ({ path, content: new Uint8Array(await file.arrayBuffer()) })));
}

async function walk(entry: FileSystemEntry, path: string): Promise<Found[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ path, file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    // a reader gives its entries in parts
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) break;
    children.push(...part);
  }
  const found = await Promise.all(children.map((child) => walk(child, path === "" ? child.name : `${path}/${child.name}`)));
  return found.flat();
}
