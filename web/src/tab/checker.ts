// Checks worlds in a worker of their own, so that a running world is not disturbed.

import type { Files } from "./messages";
import { type Finding, findingsOf, isReport } from "./report";
import { Refusal, scriptsOf, SimulatorWorker } from "./simulator";

/** Largest time of a check, ms. */
const PATIENCE = 10_000;

/** Checks one world at a time; of those that wait, only the last. */
export class Checker {
  private worker: SimulatorWorker | undefined;
  private running: Promise<unknown> | undefined;

  /** Returns what is wrong with a world; nothing if it is no longer wanted when its turn comes. Fails if the check fails. */
  async check(files: Files, world: string, isWanted: () => boolean): Promise<Finding[] | undefined> {
    while (this.running !== undefined) await this.running.catch(() => {});
    if (!isWanted()) return undefined;
    const result = this.report(files, world);
    this.running = result;
    try {
      const findings = findingsOf(await result);
      return isWanted() ? findings : undefined;
    } finally {
      this.running = undefined;
    }
  }

  private async report(files: Files, world: string): Promise<string> {
    const scripts = scriptsOf(files);
    if (this.worker?.runs(scripts) !== true) {
      this.worker?.end();
      this.worker = new SimulatorWorker(scripts);
    }
    const { worker } = this;
    const timer = setTimeout(() => worker.end(`the check took longer than ${PATIENCE / 1000} s`), PATIENCE);
    try {
      await worker.version;
      return (await worker.ask({ ask: "check", files, world })) as string;
    } catch (error) {
      // a script that cannot be read
      if (error instanceof Refusal && isReport(error.message)) return error.message;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}
