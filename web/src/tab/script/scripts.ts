// Models in scripts: declares them to the simulator, and calls them.

import type { Finding } from "../report";
import { finding, raisedAt, type ScriptPlace, sourceOf } from "./bundle";
import { type Column, declare, type Declared, type HostPorts, SCOPES } from "./declare";
import { type Fields, Rule, shown } from "./rules";

/** A script that has been read: where it is in the text of the worker, and its code. */
export type ScriptEntry = readonly [ScriptPlace, (model: (given: unknown) => void) => void];

/** The simulator, as scripts need it. */
interface Simulator {
  memory: WebAssembly.Memory;
  simhost_script_ports(): void;
}

/** Largest text of a fault, bytes. */
const FAULT_BYTES = 230;

interface Instance { readonly script: number; readonly model: Declared; readonly own: Fields }

/** The scripts of a worker. */
export class Scripts {
  /** Errors in the scripts and their declarations. */
  readonly findings: Finding[] = [];
  private readonly faults = new Map<string, Finding>();
  private readonly given: unknown[] = [];
  private readonly models = new Map<number, Declared>();
  private readonly instances = new Map<number, Instance>();
  private readonly places: readonly ScriptPlace[];
  private next = 0;
  private memory = new Float64Array();
  private host: { simulator: Simulator; answer: () => string; say: (text: string) => void } | undefined;

  /** Runs scripts. Each declares one model. */
  constructor(private readonly entries: readonly ScriptEntry[]) {
    this.places = entries.map(([place]) => place);
    entries.forEach(([{ path }, run], index) => {
      try {
        run((given) => {
          if (this.given[index] !== undefined) throw new Error("the script declares a second model; expected one per file");
          this.given[index] = given ?? null;
        });
        if (this.given[index] === undefined) throw new Rule("", "the script declares no model; expected a call of `model({ kind: \"friction\", … })`");
      } catch (error) {
        this.given[index] = undefined;
        this.findings.push(this.findingOf(index, error, path));
      }
    });
  }

  /** Connects the simulator, which knows the quantities of the host. */
  attach(simulator: Simulator, answer: () => string, say: (text: string) => void): void {
    this.host = { simulator, answer, say };
    if (this.entries.length === 0) return;
    simulator.simhost_script_ports();
    const ports = JSON.parse(answer()) as Readonly<Record<string, HostPorts>>;
    const names = new Map<string, string>();
    this.entries.forEach(([{ path }], index) => {
      if (this.given[index] === undefined) return;
      try {
        const model = declare(this.given[index], ports);
        const other = names.get(`${model.kind} ${model.full}`);
        if (other !== undefined) throw new Rule("name", `the ${model.kind} class \`${model.full}\` is declared in ${other}, too; expected another name`);
        names.set(`${model.kind} ${model.full}`, path);
        this.models.set(index, model);
      } catch (error) {
        this.findings.push(this.findingOf(index, error, path));
      }
    });
  }

  /** The files with declarations for the folder of models, by their names. */
  get files(): Map<string, string> {
    return new Map([...this.models].map(([index, { json }]) =>
      [this.places[index]!.path.replaceAll("/", "_"), `{"script":${index},"declaration":${json}}`]));
  }

  /** Returns the first error of each script since the last call. */
  takeFaults(): Finding[] {
    const all = [...this.faults.values()];
    this.faults.clear();
    return all;
  }

  /** The functions that the simulator imports. Those that fail return -1 and leave the reason as text. */
  readonly imports = {
    script_create: (script: number, at: number, length: number) => this.attempt(script, () => {
      const model = this.models.get(script);
      if (model === undefined) throw new Error("the script is not known");
      const values = JSON.parse(new TextDecoder().decode(new Uint8Array(this.buffer, at, length).slice())) as unknown[];
      const own = Object.create(model.prototype) as Fields;
      model.parameters.forEach((key, index) => { own[key] = values[index]; });
      if (typeof own["prepare"] === "function") (own["prepare"] as () => void)();
      this.instances.set(this.next, { script, model, own });
      return this.next++;
    }),
    script_drop: (instance: number) => void this.instances.delete(instance),
    script_call: (instance: number, phase: number, given: number, results: number) => {
      const known = this.instances.get(instance)!;
      return this.attempt(known.script, () => {
        call(known, phase, this.numbers, given / 8, results / 8);
        return 0;
      });
    },
    script_arrange: (instance: number, at: number, count: number) => {
      const known = this.instances.get(instance)!;
      return this.attempt(known.script, () => {
        if (typeof known.own["arrange"] !== "function") return 0;
        arrange(known.own as Fields & { arrange(wheels: Fields[]): void }, new Float64Array(this.buffer, at, 4 * count));
        return 0;
      });
    },
    script_refused: (script: number) => {
      const model = this.models.get(script);
      const { path } = this.places[script]!;
      const finding = this.findingOf(script, new Rule(model?.full ?? "model", this.host!.answer()), path);
      if (!this.findings.some(({ file, message }) => file === path && message === finding.message)) this.findings.push(finding);
    },
  };

  /** The memory of the simulator as numbers. It has another buffer after it has grown. */
  private get numbers(): Float64Array {
    if (this.memory.buffer !== this.buffer) this.memory = new Float64Array(this.buffer);
    return this.memory;
  }

  private get buffer(): ArrayBuffer {
    return this.host!.simulator.memory.buffer as ArrayBuffer;
  }

  private attempt(script: number, act: () => number): number {
    try {
      return act();
    } catch (error) {
      const { path } = this.places[script] ?? { path: "a script" };
      const found = this.findingOf(script, error, path);
      if (!this.faults.has(path)) this.faults.set(path, found);
      this.host!.say(limited(found.message, `, at line ${found.line} of ${path}`));
      return -1;
    }
  }

  /** Returns an error of a script with its place. */
  private findingOf(index: number, error: unknown, path: string): Finding {
    const message = error instanceof Rule ? error.message : textOf(error);
    const at = error instanceof Rule ? undefined : raisedAt(this.places, error);
    if (at !== undefined) return finding(at.path, at.line, at.column, message);
    const run = this.entries[index]?.[1];
    const [line, column] = run === undefined ? [1, 1] : wordIn(sourceOf(run), error instanceof Rule ? error.word : "model");
    return finding(path, line, column, message);
  }
}

/** Returns line and column of the first use of a word. */
function wordIn(text: string, word: string): [number, number] {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const use = word === "" ? -1 : text.search(new RegExp(`(?<![\\w/])${escaped}(?![\\w/])`));
  const before = text.slice(0, Math.max(use, 0)).split("\n");
  return [before.length, [...before[before.length - 1]!].length + 1];
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name === "Error" ? "" : `${error.name}: `}${error.message}` : `the script has thrown ${shown(error)}`;
}

/** Returns a text that fits into a fault together with its end. */
function limited(text: string, end: string): string {
  const bytes = (part: string): number => new TextEncoder().encode(part).length;
  let letters = [...text];
  while (bytes(letters.join("")) + bytes(end) > FAULT_BYTES && letters.length > 1) letters = [...letters.slice(0, -2), "…"];
  return letters.join("") + end;
}

function arrange(own: Fields & { arrange(wheels: Fields[]): void }, places: Float64Array): void {
  const keys = ["x", "y", "yaw", "radius"];
  const wheels: Fields[] = [];
  for (let at = 0; at < places.length; at += 4) wheels.push(Object.fromEntries(keys.map((key, index) => [key, places[at + index]])));
  own.arrange(wheels);
  wheels.forEach((wheel, index) => keys.forEach((key, place) => { places[4 * index + place] = finite("arrange", `wheels[${index}].${key}`, wheel[key]); }));
}

/** Calls the method of a phase for one lane, with numbers as `framework/wasm/src/scripts.rs` gathers them. The numbers
 * given and the results begin at indices of the memory. */
function call({ model, own }: Instance, index: number, memory: Float64Array, given: number, results: number): void {
  const phase = model.phases[index]!;
  const [time, dt, wheels] = [memory[given]!, memory[given + 1]!, memory[given + 2]!];
  const reader = new Reader(memory, given + 3);
  const input = reader.fields(phase.inputs);
  const state = reader.fields(model.states);
  const writer = new Writer(memory, results, wheels);
  if (phase.method === undefined) {
    for (const one of model.states) writer.put("state", one, state[one.name]);
    return;
  }
  // the host integrates the rates, so the states stay
  const after = phase.id === "rates" ? structuredClone(state) : state;
  const method = own[phase.method] as (input: Fields, state: Fields, step: Fields) => unknown;
  const answer = method.call(own, input, state, { time, dt, wheels }) ?? {};
  if (typeof answer !== "object") throw new Rule(phase.method, `\`${phase.method}\` returns ${shown(answer)}; expected an object with ${listed(phase.outputs)}`);
  const unknown = surplus(answer as Fields, phase.outputs);
  if (unknown !== undefined) throw new Rule(unknown, `\`${phase.method}\` returns \`${unknown}\`; expected ${listed(phase.outputs)}`);
  for (const one of phase.outputs) writer.put(phase.method, one, (answer as Fields)[one.name]);
  const extra = surplus(after, model.states);
  if (extra !== undefined) throw new Rule(extra, `\`${phase.method}\` sets the unknown state \`${extra}\`; expected ${listed(model.states)}`);
  for (const one of model.states) writer.put(phase.method, one, after[one.name]);
}

/** Returns a property that is not a column, if there are more properties than columns. */
function surplus(found: Fields, columns: readonly Column[]): string | undefined {
  const keys = Object.keys(found);
  return keys.length > columns.length ? keys.find((key) => !columns.some(({ name }) => name === key)) : undefined;
}

function listed(columns: readonly Column[]): string {
  return columns.length === 0 ? "no values" : columns.map(({ name }) => `\`${name}\``).join(", ");
}

function finite(method: string, name: string, value: unknown): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new Rule(method, `\`${name}\` of \`${method}\` is ${shown(value)}; expected a finite number`);
}

/** Reads the columns of a lane. */
class Reader {
  constructor(private readonly memory: Float64Array, private at: number) {}

  fields(columns: readonly Column[]): Fields {
    const found: Fields = {};
    for (const { name, scope } of columns) {
      const count = this.memory[this.at++]!;
      if (count < 0) continue;
      if (scope === SCOPES.instance) found[name] = this.memory[this.at++];
      else if (scope === SCOPES.wheel) found[name] = this.values(count);
      else found[name] = { age: this.memory[this.at++], values: this.values(count) };
    }
    return found;
  }

  private values(count: number): number[] {
    this.at += count;
    return Array.from(this.memory.subarray(this.at - count, this.at));
  }
}

/** Writes the columns of a lane. A number is the value of every wheel. */
class Writer {
  constructor(private readonly memory: Float64Array, private at: number, private readonly wheels: number) {}

  put(method: string, { name, scope }: Column, value: unknown): void {
    if (scope !== SCOPES.wheel) {
      this.memory[this.at++] = finite(method, name, value);
      return;
    }
    if (Array.isArray(value) && value.length !== this.wheels) {
      throw new Rule(method, `\`${name}\` of \`${method}\` has ${value.length} values; expected ${this.wheels}, one per wheel`);
    }
    for (let wheel = 0; wheel < this.wheels; wheel++) {
      this.memory[this.at++] = finite(method, name, Array.isArray(value) ? (value[wheel] as unknown) : value);
    }
  }
}
