// The simulator as the page sees it: questions to a worker, and frames.

import type { Question, Reply, Request } from "./messages";
import { fileOf } from "./resources";

/** The module refuses to do something, with a report or a text. */
export class Refusal extends Error {}

interface Waiting { resolve(value: unknown): void; reject(error: Error): void }

/** Starts a worker. */
function started(): Worker {
  const script = fileOf("worker.js");
  return new Worker(typeof script === "string" ? script : URL.createObjectURL(script));
}

/** A worker with a simulator. After a failure it is over, and the page starts another one. */
export class SimulatorWorker {
  onframe: (frame: string | Uint8Array) => void = () => {};
  /** Called when the run has ended with an error, or the module has failed. */
  onend: (reason: string) => void = () => {};
  /** Resolves to the version of the module. */
  readonly version: Promise<string>;
  private readonly worker = started();
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;
  isOver = false;

  constructor() {
    this.worker.onmessage = (event: MessageEvent<Reply>) => this.take(event.data);
    this.worker.onerror = (event) => this.fail(event.message);
    this.version = this.ask({ ask: "load", module: fileOf("simhost.wasm") }) as Promise<string>;
    // the first question reports the reason
    this.version.catch(() => {});
  }

  ask(question: Question): Promise<unknown> {
    if (this.isOver) return Promise.reject(new Error("the simulator has stopped"));
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
    this.isOver = true;
    this.worker.terminate();
    for (const one of this.waiting.values()) one.reject(new Error(reason));
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
