// Quantities of the simulation, read while somebody looks at them.

import { ask, type Control } from "./source";

/** A quantity of the simulation. */
export interface QuantityInfo {
  name: string;
  unit: string | string[];
  length: number | null;
  description: string;
}

/** Time between two readings, ms. */
const PERIOD = 100;

type Take = (time: number, values: readonly number[]) => void;

/** Reads the quantities that are shown, ten times a second. */
export class Quantities {
  private readonly takers = new Map<string, Set<Take>>();
  private known: Promise<QuantityInfo[]> | undefined;
  private timer: number | undefined;
  private isAsking = false;

  constructor(private readonly control: Control) {}

  get isOffered(): boolean {
    return this.control.offers("/simhost/list_quantities");
  }

  /** Returns all quantities. */
  list(): Promise<QuantityInfo[]> {
    this.known ??= ask(this.control, "/simhost/list_quantities", {}).then((text) => JSON.parse(text) as QuantityInfo[]).catch((error: unknown) => {
      this.known = undefined;
      throw error;
    });
    return this.known;
  }

  /** Forgets the list, because the world has changed. */
  forget(): void {
    this.known = undefined;
  }

  take(name: string, take: Take): () => void {
    const takers = this.takers.get(name) ?? new Set();
    this.takers.set(name, takers.add(take));
    this.timer ??= window.setInterval(() => void this.read(), PERIOD);
    return () => {
      takers.delete(take);
      if (takers.size === 0) this.takers.delete(name);
      if (this.takers.size > 0) return;
      window.clearInterval(this.timer);
      this.timer = undefined;
    };
  }

  private async read(): Promise<void> {
    // an answer that is late is not asked for twice
    if (this.isAsking || !this.isOffered) return;
    this.isAsking = true;
    try {
      const text = await ask(this.control, "/simhost/read_quantities", { names: [...this.takers.keys()].join("\n") });
      const { time_s: time, values } = JSON.parse(text) as { time_s: number; values: Record<string, number[]> };
      for (const [name, takers] of this.takers) takers.forEach((take) => take(time, values[name] ?? []));
    } catch {
      // the connection is lost, and the page says so
    } finally {
      this.isAsking = false;
    }
  }
}
