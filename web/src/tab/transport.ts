// The connection to a simulator in a worker.

import { textOf } from "../source";
import type { Closing, Transport } from "../transport";
import type { Files } from "./messages";
import { type Finding, isReport } from "./report";
import { Refusal, type SimulatorWorker } from "./simulator";

/** A world to open. */
export interface OpenRequest { readonly files: Files; readonly world: string; readonly paused: boolean; readonly commands?: string }

/** Callbacks for the outcome of opening a world. */
export interface OpenWatcher {
  onOpen(): void;
  /** Takes the report of the errors of the world. */
  onRefusal(report: string): void;
  /** Takes errors of scripts in a step. */
  onFaults(findings: readonly Finding[]): void;
}

/** Runs one world in a worker, which speaks the frames of a WebSocket. */
export class WorkerTransport implements Transport {
  readonly address = "the simulator in this tab";
  onmessage: (frame: string | ArrayBuffer) => void = () => {};
  onclose: (closing: Closing) => void = () => {};
  isOpen = false;
  private isClosed = false;

  constructor(private readonly worker: SimulatorWorker, request: OpenRequest, watcher: OpenWatcher) {
    worker.onframe = (frame) => {
      if (this.isOpen) this.onmessage(typeof frame === "string" ? frame : bufferOf(frame));
    };
    worker.onfaults = (findings) => watcher.onFaults(findings);
    worker.onend = (text) => this.lose(text);
    worker.version.then(() => worker.ask({ ask: "open", ...request })).then(() => {
      this.isOpen = !this.isClosed;
      watcher.onOpen();
    }, (error: unknown) => {
      if (error instanceof Refusal && isReport(error.message)) {
        watcher.onRefusal(error.message);
        this.lose("the world has errors");
      } else {
        this.lose(textOf(error));
      }
    });
  }

  send(frame: string | Uint8Array<ArrayBuffer>): void {
    if (this.isOpen) this.worker.send(frame);
  }

  close(): void {
    this.isOpen = false;
    this.isClosed = true;
  }

  private lose(text: string): void {
    if (this.isClosed) return;
    this.close();
    this.onclose({ text, isOver: false, canRetry: false });
  }
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer {
  const whole = buffer as ArrayBuffer;
  return byteLength === whole.byteLength ? whole : whole.slice(byteOffset, byteOffset + byteLength);
}
