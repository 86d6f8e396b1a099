// The simulator as the page sees it: questions to a worker, and frames.

import type { Files, Question, Reply, Request } from "./messages";
import type { Finding } from "./report";
import { fileOf, read } from "./resources";
import { bundled, finding, placed, type ScriptSource, withFindings } from "./script/bundle";
import type { FrameError } from "./script/frame";
import { FramedWorker } from "./script/framed";

/** The module refuses to do something, with a report or a text. */
export class Refusal extends Error {}

interface Waiting { resolve(value: unknown): void; reject(error: Error): void }

/** Interface that the page needs of a worker, or of a frame that has started one. */
interface Channel {
  onmessage: ((event: MessageEvent<Reply>) => void) | null;
  postMessage(request: Request): void;
  terminate(): void;
}

/** Returns the scripts among the files of a world. */
export function scriptsOf(files: Files): ScriptSource[] {
  const paths = [...files.keys()].filter((path) => path.endsWith(".js")).sort();
  return paths.map((path) => ({ path, text: new TextDecoder().decode(files.get(path)) }));
}

/** Files for frames, which can read neither the folder nor the page. They are read once. */
let forFrames: { code: Promise<string>; module: Promise<Blob> } | undefined;

function filesForFrames(): { code: Promise<string>; module: Promise<Blob> } {
  const asBlob = async (path: string): Promise<Blob> => {
    const file = fileOf(path);
    return typeof file === "string" ? new Blob([(await read(path)) as Uint8Array<ArrayBuffer>]) : file;
  };
  forFrames ??= { code: asBlob("worker.js").then((blob) => blob.text()), module: asBlob("simhost.wasm") };
  return forFrames;
}

/** A worker with a simulator. After a failure it is over, and the page starts another one. */
export class SimulatorWorker {
  onframe: (frame: string | Uint8Array) => void = () => {};
  /** Called with errors of scripts in a step. */
  onfaults: (findings: readonly Finding[]) => void = () => {};
  /** Called when the run has ended with an error, or the module has failed. */
  onend: (reason: string) => void = () => {};
  /** Resolves to the version of the module. */
  readonly version: Promise<string>;
  private readonly worker: Channel;
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;
  /** Why the worker is over. */
  private ending = new Error("the simulator has stopped");
  isOver = false;

  /** With scripts, the worker has an origin of its own and can request nothing. */
  constructor(private readonly scripts: readonly ScriptSource[] = []) {
    this.worker = scripts.length === 0 ? this.plain() : this.framed();
    this.worker.onmessage = (event) => this.take(event.data);
    const module = scripts.length === 0 ? Promise.resolve(fileOf("simhost.wasm")) : filesForFrames().module;
    this.version = module.then((file) => this.ask({ ask: "load", module: file })) as Promise<string>;
    // the first question reports the reason
    this.version.catch(() => {});
  }

  private plain(): Channel {
    const script = fileOf("worker.js");
    const worker = new Worker(typeof script === "string" ? script : URL.createObjectURL(script));
    worker.onerror = (event) => this.fail(event.message);
    return worker;
  }

  private framed(): Channel {
    const bundle = filesForFrames().code.then((code) => bundled(code, this.scripts));
    const worker = new FramedWorker(bundle.then(({ text }) => text));
    worker.onerror = (error) => void bundle.then(({ places }) => this.failAt(error, placed(places, error.line, error.column)), () => this.fail(error.message));
    return worker;
  }

  /** Ends the worker after an error in its code: of a script that cannot be read, it is the report about the world. */
  private failAt({ message }: FrameError, place: { path: string; line: number; column: number } | undefined): void {
    if (place === undefined) return this.fail(message);
    const found = finding(place.path, place.line, place.column, message.replace(/^Uncaught /, ""));
    this.stop(new Refusal(withFindings("[]", [found], place.path)));
  }

  /** Returns whether the worker can run a world with these scripts. */
  runs(scripts: readonly ScriptSource[]): boolean {
    return !this.isOver && JSON.stringify(scripts) === JSON.stringify(this.scripts);
  }

  ask(question: Question): Promise<unknown> {
    if (this.isOver) return Promise.reject(this.ending);
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.post({ kind: "question", id, question });
    });
  }

  /** Returns whether the worker is idle within a time, ms. */
  isIdleWithin(time: number): Promise<boolean> {
    const timeout = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), time));
    return Promise.race([timeout, this.ask({ ask: "ping" }).then(() => true, () => false)]);
  }

  send(frame: string | Uint8Array): void {
    this.post({ kind: "frame", frame });
  }

  /** Ends the worker, also in the middle of a call. */
  end(reason = "the simulator was stopped"): void {
    this.stop(new Error(reason));
  }

  private stop(reason: Error): void {
    if (this.isOver) return;
    this.isOver = true;
    this.ending = reason;
    this.worker.terminate();
    for (const one of this.waiting.values()) one.reject(reason);
    this.waiting.clear();
  }

  private post(request: Request): void {
    this.worker.postMessage(request);
  }

  private take(reply: Reply): void {
    switch (reply.kind) {
      case "answer":
        this.waiting.get(reply.id)?.resolve(reply.value);
        this.waiting.delete(reply.id);
        break;
      case "refusal":
        this.waiting.get(reply.id)?.reject(new Refusal(reply.reason));
        this.waiting.delete(reply.id);
        break;
      case "frames":
        this.post({ kind: "taken" });
        for (const frame of reply.frames) this.onframe(frame);
        break;
      case "faults":
        this.onfaults(reply.findings);
        break;
      case "ended":
        this.onend(`the run has ended: ${reply.reason}`);
        break;
      case "trap":
        this.fail(reply.reason);
        break;
    }
  }

  private fail(reason: string): void {
    if (this.isOver) return;
    const text = `the simulator has stopped: ${reason}`;
    this.end(text);
    this.onend(text);
  }
}
