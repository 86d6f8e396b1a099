// Runs the simulator for the page: answers its questions and advances time.

import { textOf } from "../source";
import type { Question, Reply, Request } from "./messages";
import type { Simulator } from "./module";

/** Largest wall time of one advance, s. It keeps a slow world responsive, and a suspended tab from catching up. */
const MOST = 0.05;

/** What the worker needs of the simulator. */
export type Machine = Pick<Simulator, "version" | "check" | "open" | "receive" | "advance" | "frames" | "faults" | "saveWorld" | "saveRun">;

/** Holds a simulator, which runs one world at a time. */
export class Host {
  private machine: Machine | undefined;
  private isRunning = false;
  /** Whether the page has not read the last frames. */
  private isWaiting = false;
  private last = 0;

  constructor(private readonly load: (module: Blob | string) => Promise<Machine>, private readonly post: (reply: Reply) => void) {}

  async receive(request: Request): Promise<void> {
    switch (request.kind) {
      case "question":
        await this.answer(request.id, request.question);
        break;
      case "frame":
        this.guarded((machine) => machine.receive(request.frame));
        break;
      case "taken":
        this.isWaiting = false;
        break;
    }
  }

  /** Advances the world to a wall time, ms, and posts the frames that it has sent. */
  advance(now: number): void {
    const passed = Math.min(Math.max((now - this.last) / 1000, 0), MOST);
    this.last = now;
    if (!this.isRunning) return;
    this.guarded((machine) => {
      try {
        machine.advance(passed);
      } finally {
        const findings = machine.faults();
        if (findings.length > 0) this.post({ kind: "faults", findings });
      }
      // a page that reads slowly takes the latest states instead of a queue
      if (this.isWaiting) return;
      const frames = machine.frames();
      if (frames.length === 0) return;
      this.isWaiting = true;
      this.post({ kind: "frames", frames });
    });
  }

  private async answer(id: number, question: Question): Promise<void> {
    try {
      this.post({ kind: "answer", id, value: await this.valueOf(question) });
    } catch (error) {
      if (this.isDead()) this.fail(textOf(error));
      else this.post({ kind: "refusal", id, reason: textOf(error) });
    }
  }

  private async valueOf(question: Question): Promise<unknown> {
    if (question.ask === "load") {
      this.machine = await this.load(question.module);
      return this.machine.version();
    }
    if (question.ask === "ping") return undefined;
    const { machine } = this;
    if (machine === undefined) throw new Error("the simulator is not loaded");
    switch (question.ask) {
      case "check":
        return machine.check(question.files, question.world);
      case "open":
        this.isRunning = false;
        machine.open(question.files, question.world, { paused: question.paused, ...(question.commands === undefined ? {} : { commands: question.commands }) });
        this.isRunning = true;
        this.isWaiting = false;
        return undefined;
      case "saveWorld":
        return machine.saveWorld();
      case "saveRun":
        return machine.saveRun();
    }
  }

  private guarded(act: (machine: Machine) => void): void {
    if (this.machine === undefined) return;
    try {
      act(this.machine);
    } catch (error) {
      if (this.isDead()) return this.fail(textOf(error));
      this.isRunning = false;
      this.post({ kind: "ended", reason: textOf(error) });
    }
  }

  /** Returns whether the module has failed, after which it answers nothing. */
  private isDead(): boolean {
    try {
      this.machine?.version();
      return false;
    } catch {
      return true;
    }
  }

  private fail(reason: string): void {
    this.machine = undefined;
    this.isRunning = false;
    this.post({ kind: "trap", reason });
  }
}

