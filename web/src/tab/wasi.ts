// The system of a WebAssembly module (WASI preview 1): files in memory, a clock that its owner sets, and text that the
// module prints. Nothing of it reaches the machine.

const SUCCESS = 0, BADF = 8, EXIST = 20, INVAL = 28, ISDIR = 31, NOENT = 44, NOSYS = 52, NOTDIR = 54, NOTEMPTY = 55;
const DIRECTORY = 3, REGULAR = 4;
/** Number of the open root folder, after the standard streams. */
const ROOT = 3;

/** The end of a module that cannot run any further. */
export class Exit extends Error {}

/** A file: its content is the first `length` bytes. */
interface File {
  bytes: Uint8Array;
  length: number;
  number: number;
}

type Folder = Set<string>;

interface Open {
  path: string;
  file?: File;
  at: number;
  appends: boolean;
}

/** Files in memory under absolute paths, and the functions of WASI over them. */
export class System {
  /** Wall time of the steady clock, ns. */
  now = 0n;
  /** Text that the module has printed to standard error, from the last line break. */
  printed = "";
  private memory!: WebAssembly.Memory;
  private readonly files = new Map<string, File>();
  private readonly folders = new Map<string, Folder>([["/", new Set()]]);
  private readonly open = new Map<number, Open>();
  private next = ROOT + 1;
  private numbers = 1;

  constructor() {
    this.open.set(ROOT, { path: "/", at: 0, appends: false });
  }

  /** Sets the memory of the module. */
  attach(memory: WebAssembly.Memory): void {
    this.memory = memory;
  }

  /** Writes a file, with the folders above it. */
  write(path: string, bytes: Uint8Array): void {
    const whole = absolute("/", path);
    this.makeFolders(parent(whole));
    this.enter(whole, { bytes, length: bytes.length, number: this.numbers++ });
  }

  /** Removes a file or a folder with all that it contains. */
  remove(path: string): void {
    const whole = absolute("/", path);
    for (const name of [...(this.folders.get(whole) ?? [])]) this.remove(join(whole, name));
    this.files.delete(whole);
    if (whole !== "/") this.folders.delete(whole);
    this.folders.get(parent(whole))?.delete(base(whole));
  }

  /** Returns all files of a folder and those below it, by their paths in it. */
  list(folder: string): Map<string, Uint8Array> {
    const start = folder === "/" ? "/" : `${folder}/`;
    const found = new Map<string, Uint8Array>();
    for (const [path, file] of this.files) {
      if (path.startsWith(start)) found.set(path.slice(start.length), file.bytes.slice(0, file.length));
    }
    return found;
  }

  private makeFolders(path: string): void {
    if (this.folders.has(path)) return;
    this.makeFolders(parent(path));
    this.folders.set(path, new Set());
    this.folders.get(parent(path))?.add(base(path));
  }

  private enter(path: string, file: File): void {
    this.files.set(path, file);
    this.folders.get(parent(path))?.add(base(path));
  }

  private view(): DataView {
    return new DataView(this.memory.buffer);
  }

  private bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, at, length);
  }

  private path(fd: number, at: number, length: number): string {
    const name = new TextDecoder().decode(this.bytes(at, length));
    return absolute(this.open.get(fd)?.path ?? "/", name);
  }

  /** Calls a function with each buffer of a list until it returns fewer bytes than it was given. */
  private each(list: number, count: number, take: (buffer: Uint8Array) => number): number {
    let all = 0;
    for (let index = 0; index < count; index++) {
      const view = this.view();
      const length = view.getUint32(list + 8 * index + 4, true);
      const taken = take(this.bytes(view.getUint32(list + 8 * index, true), length));
      all += taken;
      if (taken < length) break;
    }
    return all;
  }

  private stat(path: string, at: number, file = this.files.get(path)): number {
    if (!file && !this.folders.has(path)) return NOENT;
    this.bytes(at, 64).fill(0);
    const view = this.view();
    view.setBigUint64(at + 8, BigInt(file?.number ?? 0), true);
    view.setUint8(at + 16, file ? REGULAR : DIRECTORY);
    view.setBigUint64(at + 24, 1n, true);
    view.setBigUint64(at + 32, BigInt(file?.length ?? 0), true);
    return SUCCESS;
  }

  private print(bytes: Uint8Array): number {
    this.printed = (this.printed + new TextDecoder().decode(bytes)).slice(-8192);
    return bytes.length;
  }

  /** The functions that a module imports. */
  readonly imports: Record<string, (...values: never[]) => number> = {
    environ_get: () => SUCCESS,
    environ_sizes_get: (count: number, size: number) => this.put(count, 0) || this.put(size, 0),
    args_get: () => SUCCESS,
    args_sizes_get: (count: number, size: number) => this.put(count, 0) || this.put(size, 0),
    clock_res_get: (_: number, at: number) => this.putLong(at, 1000n),
    clock_time_get: (clock: number, _: bigint, at: number) =>
      this.putLong(at, clock === 0 ? BigInt(Math.round(Date.now() * 1e6)) : this.now),
    random_get: (at: number, length: number) => {
      // hashes of maps, whose order has no influence on results
      this.bytes(at, length).fill(7);
      return SUCCESS;
    },
    sched_yield: () => SUCCESS,
    poll_oneoff: () => NOSYS,
    proc_exit: (code: number) => {
      throw new Exit(`the module has ended with code ${code}`);
    },
    fd_prestat_get: (fd: number, at: number) => {
      if (fd !== ROOT) return BADF;
      return this.put(at, 0) || this.put(at + 4, 1);
    },
    fd_prestat_dir_name: (fd: number, at: number, length: number) => {
      if (fd !== ROOT || length < 1) return BADF;
      this.bytes(at, 1)[0] = 47;
      return SUCCESS;
    },
    fd_fdstat_get: (fd: number, at: number) => {
      const open = this.open.get(fd);
      if (fd >= ROOT && !open) return BADF;
      this.bytes(at, 24).fill(0);
      const view = this.view();
      view.setUint8(at, fd < ROOT ? 2 : open?.file ? REGULAR : DIRECTORY);
      view.setUint16(at + 2, open?.appends ? 1 : 0, true);
      view.setBigUint64(at + 8, ~0n & 0x1fffffffn, true);
      view.setBigUint64(at + 16, ~0n & 0x1fffffffn, true);
      return SUCCESS;
    },
    fd_fdstat_set_flags: () => SUCCESS,
    fd_close: (fd: number) => (this.open.delete(fd) ? SUCCESS : BADF),
    fd_sync: () => SUCCESS,
    fd_datasync: () => SUCCESS,
    fd_advise: () => SUCCESS,
    fd_filestat_get: (fd: number, at: number) => {
      const open = this.open.get(fd);
      return open ? this.stat(open.path, at, open.file) : BADF;
    },
    fd_filestat_set_size: (fd: number, size: bigint) => {
      const file = this.open.get(fd)?.file;
      if (!file) return BADF;
      reserve(file, Number(size));
      file.bytes.fill(0, Math.min(file.length, Number(size)));
      file.length = Number(size);
      return SUCCESS;
    },
    fd_filestat_set_times: () => SUCCESS,
    fd_read: (fd: number, list: number, count: number, at: number) => {
      const open = this.open.get(fd);
      if (fd === 0) return this.put(at, 0);
      if (!open?.file) return open ? ISDIR : BADF;
      const file = open.file;
      const read = this.each(list, count, (buffer) => {
        const part = file.bytes.subarray(open.at, Math.min(open.at + buffer.length, file.length));
        buffer.set(part);
        open.at += part.length;
        return part.length;
      });
      return this.put(at, read);
    },
    fd_pread: (fd: number, list: number, count: number, from: bigint, at: number) => {
      const file = this.open.get(fd)?.file;
      if (!file) return BADF;
      let place = Number(from);
      const read = this.each(list, count, (buffer) => {
        const part = file.bytes.subarray(place, Math.min(place + buffer.length, file.length));
        buffer.set(part);
        place += part.length;
        return part.length;
      });
      return this.put(at, read);
    },
    fd_write: (fd: number, list: number, count: number, at: number) => {
      if (fd === 1 || fd === 2) return this.put(at, this.each(list, count, (buffer) => this.print(buffer)));
      const open = this.open.get(fd);
      const file = open?.file;
      if (!open || !file) return BADF;
      const written = this.each(list, count, (buffer) => {
        if (open.appends) open.at = file.length;
        reserve(file, open.at + buffer.length);
        file.bytes.set(buffer, open.at);
        open.at += buffer.length;
        file.length = Math.max(file.length, open.at);
        return buffer.length;
      });
      return this.put(at, written);
    },
    fd_seek: (fd: number, offset: bigint, whence: number, at: number) => {
      const open = this.open.get(fd);
      if (!open?.file) return BADF;
      const from = [0, open.at, open.file.length][whence];
      if (from === undefined || from + Number(offset) < 0) return INVAL;
      open.at = from + Number(offset);
      return this.putLong(at, BigInt(open.at));
    },
    fd_tell: (fd: number, at: number) => {
      const open = this.open.get(fd);
      return open ? this.putLong(at, BigInt(open.at)) : BADF;
    },
    fd_readdir: (fd: number, at: number, length: number, cookie: bigint, used: number) => {
      const path = this.open.get(fd)?.path;
      const names = path === undefined ? undefined : this.folders.get(path);
      if (path === undefined || !names) return path === undefined ? BADF : NOTDIR;
      const all = [...names].sort();
      let end = 0;
      for (let index = Number(cookie); index < all.length && end < length; index++) {
        const name = new TextEncoder().encode(all[index]);
        const entry = new Uint8Array(24 + name.length);
        const view = new DataView(entry.buffer);
        view.setBigUint64(0, BigInt(index + 1), true);
        view.setUint32(16, name.length, true);
        view.setUint8(20, this.files.has(join(path, all[index] ?? "")) ? REGULAR : DIRECTORY);
        entry.set(name, 24);
        const part = entry.subarray(0, length - end);
        this.bytes(at + end, part.length).set(part);
        end += part.length;
      }
      return this.put(used, end);
    },
    path_open: (
      fd: number,
      _: number,
      name: number,
      length: number,
      how: number,
      _rights: bigint,
      _inherited: bigint,
      flags: number,
      at: number,
    ) => {
      const path = this.path(fd, name, length);
      const [create, folder, exclusive, truncate] = [1, 2, 4, 8].map((bit) => (how & bit) !== 0);
      let file = this.files.get(path);
      const isFolder = this.folders.has(path);
      if (exclusive && (file || isFolder)) return EXIST;
      if (folder && !isFolder) return file ? NOTDIR : NOENT;
      if (!file && !isFolder) {
        if (!create || !this.folders.has(parent(path))) return NOENT;
        file = { bytes: new Uint8Array(), length: 0, number: this.numbers++ };
        this.enter(path, file);
      }
      if (file && truncate) file.length = 0;
      this.open.set(this.next, { path, at: 0, appends: (flags & 1) !== 0, ...(file ? { file } : {}) });
      return this.put(at, this.next++);
    },
    path_filestat_get: (fd: number, _: number, name: number, length: number, at: number) =>
      this.stat(this.path(fd, name, length), at),
    path_filestat_set_times: () => SUCCESS,
    path_create_directory: (fd: number, name: number, length: number) => {
      const path = this.path(fd, name, length);
      if (this.files.has(path) || this.folders.has(path)) return EXIST;
      if (!this.folders.has(parent(path))) return NOENT;
      this.makeFolders(path);
      return SUCCESS;
    },
    path_unlink_file: (fd: number, name: number, length: number) => {
      const path = this.path(fd, name, length);
      if (!this.files.has(path)) return this.folders.has(path) ? ISDIR : NOENT;
      this.remove(path);
      return SUCCESS;
    },
    path_remove_directory: (fd: number, name: number, length: number) => {
      const path = this.path(fd, name, length);
      const names = this.folders.get(path);
      if (!names) return this.files.has(path) ? NOTDIR : NOENT;
      if (names.size > 0) return NOTEMPTY;
      this.remove(path);
      return SUCCESS;
    },
    path_rename: (
      fd: number, name: number, length: number, toFd: number, toName: number, toLength: number,
    ) => {
      const [from, to] = [this.path(fd, name, length), this.path(toFd, toName, toLength)];
      const file = this.files.get(from);
      if (!this.folders.has(parent(to))) return NOENT;
      if (file) {
        this.remove(from);
        this.enter(to, file);
        return SUCCESS;
      }
      if (!this.folders.has(from)) return NOENT;
      const inside = [...this.files].filter(([path]) => path.startsWith(`${from}/`));
      this.makeFolders(to);
      for (const [path, one] of inside) {
        const target = to + path.slice(from.length);
        this.makeFolders(parent(target));
        this.enter(target, one);
      }
      this.remove(from);
      return SUCCESS;
    },
    path_readlink: () => INVAL,
    path_symlink: () => NOSYS,
    path_link: () => NOSYS,
  };

  private put(at: number, value: number): number {
    this.view().setUint32(at, value, true);
    return SUCCESS;
  }

  private putLong(at: number, value: bigint): number {
    this.view().setBigUint64(at, value, true);
    return SUCCESS;
  }
}

/** Makes room for a number of bytes. */
function reserve(file: File, length: number): void {
  if (length <= file.bytes.length) return;
  const larger = new Uint8Array(Math.max(length, 2 * file.bytes.length, 1024));
  larger.set(file.bytes.subarray(0, file.length));
  file.bytes = larger;
}

function absolute(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${folder}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

function join(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`;
}

function parent(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

function base(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
