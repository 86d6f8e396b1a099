// The simulator as a WebAssembly module: worlds from files in memory, and the messages of the live protocol.

import { type Host as ModelHost, Models } from "./models";
import type { Finding } from "./report";
import { withFindings } from "./script/bundle";
import { Scripts } from "./script/scripts";
import { System } from "./wasi";

/** Folder of the files of the page. */
const FILES = "/files";
/** Folder of models in modules. */
const MODELS = "/models";
/** Folder of the record of a run. */
const RUN = "/run";

interface Exports extends ModelHost {
  simhost_start(): void;
  simhost_script_ports(): void;
  simhost_argument(length: number): number;
  simhost_result(): number;
  simhost_result_length(): number;
  simhost_version(): number;
  simhost_check(): number;
  simhost_open(): number;
  simhost_receive(isText: number): number;
  simhost_advance(): number;
  simhost_frames(): number;
  simhost_run_to(time: number): number;
  simhost_hash(): number;
  simhost_save_world(): number;
  simhost_finish(): number;
  simhost_close(): number;
}

/** How a world is opened. */
export interface OpenOptions {
  /** Seed of all random numbers; by default the seed of the world, or 0. */
  seed?: number;
  /** Whether the run begins with a pause. */
  paused?: boolean;
  /** Path of a file with commands among the files. */
  commands?: string;
}

/** A simulator of its own memory. After an error of `trap`, nothing else can be called. */
export class Simulator {
  private isDead = false;

  private constructor(
    private readonly system: System,
    private readonly module: Exports,
    private readonly scripts: Scripts,
  ) {}

  /** Compiles and starts a module. The models of scripts are part of each world. */
  static async load(bytes: BufferSource, scripts = new Scripts([])): Promise<Simulator> {
    const [system, models] = [new System(), new Models()];
    const { instance } = await WebAssembly.instantiate(bytes, {
      wasi_snapshot_preview1: system.imports as unknown as WebAssembly.ModuleImports,
      simhost_models: { ...models.imports, ...scripts.imports } as unknown as WebAssembly.ModuleImports,
    });
    const module = instance.exports as unknown as Exports;
    system.attach(module.memory);
    models.attach(module);
    module.simhost_start();
    scripts.attach(module, () => models.answer(), (text) => models.say(text));
    return new Simulator(system, module, scripts);
  }

  /** Returns the version of simhost. */
  version(): string {
    return this.text(() => this.module.simhost_version());
  }

  /** Returns the report of `simhost check --json` about a world. */
  check(files: Map<string, Uint8Array>, world: string): string {
    this.give(files);
    const report = this.text(() => this.module.simhost_check(), `${FILES}/${world}`);
    return withFindings(report, this.scripts.findings, world);
  }

  /** Opens a world, and closes the last one. Throws an error whose message is the report of `check`. */
  open(files: Map<string, Uint8Array>, world: string, options: OpenOptions = {}): void {
    this.close();
    if (this.scripts.findings.length > 0) throw new Error(withFindings("[]", this.scripts.findings, world));
    this.give(files);
    const { seed, paused, commands } = options;
    const request = {
      world: `${FILES}/${world}`,
      out: RUN,
      seed: seed ?? null,
      paused: paused ?? false,
      commands: commands === undefined ? null : `${FILES}/${commands}`,
    };
    this.call(() => this.module.simhost_open(), JSON.stringify(request));
  }

  /** Handles a message of the client, as a WebSocket would carry it. */
  receive(frame: string | Uint8Array): void {
    this.call(() => this.module.simhost_receive(typeof frame === "string" ? 1 : 0), frame);
  }

  /** Makes the steps that are due after more wall time, s. */
  advance(wallSeconds: number): void {
    this.system.now += BigInt(Math.round(Math.max(wallSeconds, 0) * 1e9));
    this.call(() => this.module.simhost_advance());
  }

  /** Returns the messages to the client since the last call. */
  frames(): (string | Uint8Array)[] {
    const all = this.call(() => this.module.simhost_frames());
    const view = new DataView(all.buffer);
    const found: (string | Uint8Array)[] = [];
    for (let at = 0; at < all.length; ) {
      const isText = view.getUint8(at) === 1;
      const start = at + 5;
      at = start + view.getUint32(at + 1, true);
      const bytes = all.subarray(start, at);
      found.push(isText ? new TextDecoder().decode(bytes) : bytes);
    }
    return found;
  }

  /** Steps to a simulated time, s, as fast as possible. */
  runTo(time: number): void {
    this.call(() => this.module.simhost_run_to(time));
  }

  /** Returns the first error of each script since the last call. */
  faults(): Finding[] {
    return this.scripts.takeFaults();
  }

  /** Returns the result hash of the run so far. */
  hash(): string {
    return this.text(() => this.module.simhost_hash());
  }

  /** Returns the world with all edits as a world file. */
  saveWorld(): string {
    return this.text(() => this.module.simhost_save_world());
  }

  /** Ends the record of the run, and returns the folder that `simhost rerun` takes. Later steps are not in it. */
  saveRun(): Map<string, Uint8Array> {
    this.call(() => this.module.simhost_finish());
    return this.system.list(RUN);
  }

  /** Closes the world. */
  close(): void {
    this.call(() => this.module.simhost_close());
    this.system.remove(RUN);
  }

  private give(files: Map<string, Uint8Array>): void {
    this.system.remove(FILES);
    this.system.remove(MODELS);
    for (const [name, declaration] of this.scripts.files) this.system.write(`${MODELS}/${name}`, new TextEncoder().encode(declaration));
    for (const [path, bytes] of files) {
      this.system.write(`${FILES}/${path}`, bytes);
      if (path.endsWith(".wasm")) this.system.write(`${MODELS}/${path.slice(path.lastIndexOf("/") + 1)}`, bytes);
    }
  }

  private text(call: () => number, argument?: string): string {
    return named(new TextDecoder().decode(this.call(call, argument)));
  }

  /** Calls a function of the module with an argument, and returns its result. */
  private call(call: () => number, argument?: string | Uint8Array): Uint8Array {
    if (this.isDead) throw new Error("the simulator has ended with an error; load another one");
    let status = 0;
    try {
      if (argument !== undefined) {
        const bytes = typeof argument === "string" ? new TextEncoder().encode(argument) : argument;
        const at = this.module.simhost_argument(bytes.length);
        new Uint8Array(this.module.memory.buffer, at, bytes.length).set(bytes);
      }
      status = call();
    } catch (error) {
      this.isDead = true;
      const printed = this.system.printed.trim();
      throw new Error(printed === "" ? `the simulator has ended: ${String(error)}` : printed);
    }
    const at = this.module.simhost_result();
    const result = new Uint8Array(this.module.memory.buffer, at, this.module.simhost_result_length()).slice();
    if (status !== 0) throw new Error(named(new TextDecoder().decode(result)));
    return result;
  }
}

/** Returns a text in which files have the names that the page has given them. */
function named(text: string): string {
  return text.replaceAll(`${FILES}/`, "").replaceAll(`${MODELS}/`, "");
}
