// Models in WebAssembly modules: the simulator compiles and calls them through these functions.

/** Functions of the simulator that answer a model. */
export interface Host {
  memory: WebAssembly.Memory;
  simhost_import_arguments(): number;
  simhost_serve_model(guest: number, index: number): number;
  simhost_model_functions(): void;
  simhost_model_text(): number;
  simhost_model_text_length(): number;
}

/** Bytes in a page of a memory, and the largest memory of a model, bytes. */
const PAGE = 65_536;
const MOST_BYTES = 2 ** 28;

interface Guest { code: number; instance: WebAssembly.Instance; memory: WebAssembly.Memory }

/** The modules of a simulator, and their instances. */
export class Models {
  private readonly codes: WebAssembly.Module[] = [];
  private readonly guests = new Map<number, Guest>();
  private next = 0;
  private text = new Uint8Array();
  private host: Host | undefined;
  /** Names of the imports and numbers of their results, and names of the exports. The simulator knows them by their indices. */
  private functions: { imports: [string, number][]; exports: string[] } = { imports: [], exports: [] };

  /** Connects the simulator, which cannot be called before. */
  attach(host: Host): void {
    this.host = host;
    host.simhost_model_functions();
    const [imports = "", exports = ""] = this.answer().split("\n\n");
    this.functions = {
      imports: imports.split("\n").map((line) => [line.split("\t")[0]!, Number(line.split("\t")[1])]),
      exports: exports.split("\n"),
    };
  }

  /** The functions that the simulator imports. Those that fail return -1 and leave the reason as text. */
  readonly imports = {
    model_compile: (at: number, length: number) => this.attempt(() => {
      this.codes.push(new WebAssembly.Module(this.bytes(at, length).slice()));
      return this.codes.length - 1;
    }),
    model_describe: (code: number) => {
      const module = this.codes[code]!;
      const imports = WebAssembly.Module.imports(module).map(({ module, name, kind }) => `${module}\t${name}\t${kind}`);
      const exports = WebAssembly.Module.exports(module).map(({ name }) => name);
      this.say([...imports, "", ...exports].join("\n").replace(/^\n/, "\n\n"));
    },
    model_instantiate: (code: number) => this.attempt(() => {
      this.guests.set(this.next, this.instantiate(this.next, code));
      return this.next++;
    }),
    model_descriptor: (guest: number, at: number) => this.attempt(() => {
      const symbol = this.guest(guest).instance.exports.simhost_plugin_v1;
      if (!(symbol instanceof WebAssembly.Global) || typeof symbol.value !== "number") {
        throw new Error("its export `simhost_plugin_v1` is not the address of data");
      }
      new DataView(this.memory.buffer).setUint32(at, symbol.value, true);
      return 0;
    }),
    model_call: (guest: number, index: number, at: number, count: number, result: number) => this.attempt(() => {
      const call = this.guest(guest).instance.exports[this.functions.exports[index]!] as (...numbers: number[]) => number | undefined;
      const returned = call(...new Int32Array(this.memory.buffer, at, count)) ?? 0;
      new DataView(this.memory.buffer).setInt32(result, returned, true);
      return 0;
    }),
    model_read: (guest: number, from: number, at: number, length: number) => {
      const own = this.part(guest, from, length);
      if (own === undefined) return -1;
      this.bytes(at, length).set(own);
      return 0;
    },
    model_write: (guest: number, to: number, at: number, length: number) => {
      const own = this.part(guest, to, length);
      if (own === undefined) return -1;
      own.set(this.bytes(at, length));
      return 0;
    },
    model_grow: (guest: number, pages: number) => this.attempt(() => {
      const { memory } = this.guest(guest);
      if (memory.buffer.byteLength + pages * PAGE > MOST_BYTES) throw new Error(`its memory exceeds ${MOST_BYTES} bytes`);
      return memory.grow(pages);
    }),
    model_reset: (guest: number) => this.attempt(() => {
      const { code, memory } = this.guest(guest);
      const fresh = this.instantiate(guest, code);
      const missing = memory.buffer.byteLength - fresh.memory.buffer.byteLength;
      if (missing > 0) fresh.memory.grow(missing / PAGE);
      new Uint8Array(fresh.memory.buffer).set(new Uint8Array(memory.buffer));
      this.guests.set(guest, fresh);
      return 0;
    }),
    model_drop: (guest: number) => void this.guests.delete(guest),
    model_text_length: () => this.text.length,
    model_text: (at: number) => this.bytes(at, this.text.length).set(this.text),
  };

  private get memory(): WebAssembly.Memory {
    return this.host!.memory;
  }

  private bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, at >>> 0, length);
  }

  private guest(guest: number): Guest {
    return this.guests.get(guest)!;
  }

  /** Returns a part of the memory of an instance, if it has it. */
  private part(guest: number, at: number, length: number): Uint8Array | undefined {
    const { buffer } = this.guest(guest).memory;
    const start = at >>> 0;
    return start + length > buffer.byteLength ? undefined : new Uint8Array(buffer, start, length);
  }

  /** Returns the text of the simulator. */
  answer(): string {
    const host = this.host!;
    return new TextDecoder().decode(this.bytes(host.simhost_model_text(), host.simhost_model_text_length()).slice());
  }

  /** Sets the text for the simulator. */
  say(text: string): void {
    this.text = new TextEncoder().encode(text);
  }

  /** Calls a function, and returns -1 if it fails. */
  private attempt(call: () => number): number {
    try {
      return call();
    } catch (error) {
      this.say(reason(error));
      return -1;
    }
  }

  private instantiate(guest: number, code: number): Guest {
    const services: WebAssembly.ModuleImports = {};
    this.functions.imports.forEach(([name, results], index) => {
      services[name] = (...given: number[]) => {
        const answer = this.serve(guest, index, given);
        return results === 0 ? undefined : answer;
      };
    });
    const instance = new WebAssembly.Instance(this.codes[code]!, { simhost: services });
    const { memory } = instance.exports;
    if (!(memory instanceof WebAssembly.Memory)) throw new Error("its export `memory` is not a memory");
    return { code, instance, memory };
  }

  /** Asks the simulator. A question that it does not answer is a trap of the model. */
  private serve(guest: number, index: number, given: readonly number[]): number {
    const host = this.host!;
    const at = host.simhost_import_arguments();
    new Int32Array(this.memory.buffer, at, given.length).set(given);
    if (host.simhost_serve_model(guest, index) < 0) throw new Error(this.answer());
    return new DataView(this.memory.buffer).getInt32(at, true);
  }
}

/** Returns why a model has failed, with the function where the browser names it. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const place = /at (\S+) \(?wasm:\/\/\S+:(0x[0-9a-f]+)/.exec(error.stack ?? "");
  const what = error instanceof WebAssembly.RuntimeError ? `it trapped: ${error.message}` : error.message;
  return place === null ? what : `${what} in ${place[1]!.replace(/^[^.]*\.wasm\./, "")}, at offset ${place[2]!} of the module`;
}
