// The bar below: pause, step, pace, reset, snapshots, recording; the time line of a recording.

import { button, el } from "./dom";
import { ask, type Level, type Source, textOf } from "./source";

const PACES = [0.1, 0.25, 0.5, 1, 2, 4, 10];

export class RunBar {
  readonly element = el("footer", { class: "bar" });
  private readonly clock = el("output", { class: "clock", title: "Simulated time" }, "0.00");
  private readonly play: HTMLButtonElement;
  private readonly pace = el("select", { "aria-label": "Pace", title: "Simulated time per wall time" });
  private readonly line: HTMLInputElement | undefined;
  /** Switches the logs of all vehicles. */
  readonly log: HTMLButtonElement | undefined;
  private readonly snapshots = el("select", { "aria-label": "Snapshot", title: "Return to a snapshot", disabled: true });
  isPaused = false;
  private factor = 1;
  private time = 0;
  /** What needs a service. */
  private readonly needs: [HTMLElement, string][] = [];

  constructor(private readonly source: Source, private readonly say: (level: Level, text: string) => void) {
    this.play = button("Pause", "Pause or continue (p)", () => this.togglePause(), "primary");
    this.play.style.minWidth = "6em";
    this.pace.append(...PACES.map((one) => el("option", { value: one }, `${one} ×`)));
    this.pace.value = "1";
    this.pace.addEventListener("change", () => this.choosePace(Number(this.pace.value)));
    const parts: (Node | string)[] = [this.play];
    if (source.tape !== undefined) {
      this.isPaused = true;
      this.line = el("input", {
        type: "range", class: "timeline", min: 0, max: 1, step: "any", "aria-label": "Time",
        input: () => source.tape?.seek(Number(this.line?.value)),
      });
      parts.push(this.pace, this.line);
    } else {
      const step = button("Step", "One step (.)", () => this.step());
      parts.push(step, this.pace);
      this.needs.push([step, "/simhost/step"], [this.pace, "/simhost/pace"]);
      const seed = el("input", { type: "number", min: 0, step: 1, placeholder: "seed", "aria-label": "Seed", title: "Seed of all random numbers; empty keeps it", class: "wide-only" });
      seed.style.width = "6em";
      const reset = button("Reset", "Return to the start", () => {
        void this.call("/simhost/reset", { seed: seed.value === "" ? -1 : Number(seed.value) });
      });
      parts.push(el("span", { class: "gap" }), reset, seed);
      this.needs.push([reset, "/simhost/reset"], [seed, "/simhost/reset"]);
      this.snapshots.append(el("option", { value: "" }, "Snapshots"));
      this.snapshots.addEventListener("change", () => this.restore());
      const keep = button("Snapshot", "Keep the present state", () => void this.snapshot(), "wide-only");
      parts.push(keep, this.snapshots);
      const record = this.toggle("Record", "Start or stop a recording of all streams in MCAP", "/simhost/record", {});
      const log = this.log = this.toggle("Log", "Start or stop the logs of all vehicles", "/simhost/log", { vehicle: "" });
      parts.push(record, log);
      this.needs.push( [keep, "/simhost/snapshot"], [this.snapshots, "/simhost/restore"]);
      this.snapshots.classList.add("wide-only");
    }
    parts.push(el("span", { class: source.tape === undefined ? "narrow" : "" }), this.clock, el("span", { class: "unit" }, "s"));
    this.element.append(...parts);
    this.show();
  }

  /** Creates a button that switches something on and off by a service. */
  private toggle(text: string, title: string, service: string, request: object): HTMLButtonElement {
    const control = button(text, title, () => {
      const isOn = !control.classList.contains("on");
      void this.call(service, { ...request, action: isOn ? "on" : "off" }).then((message) => {
        if (message === undefined) return;
        control.classList.toggle("on", isOn);
        if (message !== "") this.say("info", isOn ? `recording ${message}` : `recorded ${message}`);
      });
    }, "wide-only");
    this.needs.push([control, service]);
    return control;
  }

  /** Hides what the server cannot do. */
  setServices(): void {
    const { control } = this.source;
    const offers = (name: string): boolean => control?.offers(name) ?? false;
    for (const [part, service] of this.needs) part.hidden = !offers(service);
    this.play.hidden = control !== undefined && !offers("/simhost/pause");
  }

  /** Forgets what another simulation has kept. */
  forget(): void {
    this.snapshots.replaceChildren(el("option", { value: "" }, "Snapshots"));
    this.snapshots.disabled = true;
  }

  setTime(time: number): void {
    this.time = time;
    const { tape } = this.source;
    this.clock.textContent = time.toFixed(2);
    if (this.line === undefined || tape === undefined) return;
    this.line.min = String(tape.start);
    this.line.max = String(tape.end);
    this.line.value = String(time);
    if (time >= tape.end && !this.isPaused) {
      this.isPaused = true;
      this.show();
    }
  }

  setPaused(isPaused: boolean): void {
    this.isPaused = isPaused;
    this.show();
  }

  setPace(factor: number): void {
    this.factor = factor;
    const known = [...this.pace.options].some((option) => Number(option.value) === factor);
    if (!known && Number.isFinite(factor)) this.pace.append(el("option", { value: factor }, `${factor} ×`));
    this.pace.value = String(factor);
  }

  private show(): void {
    this.play.textContent = this.isPaused ? "Play" : "Pause";
  }

  private choosePace(factor: number): void {
    this.factor = factor;
    if (this.source.tape !== undefined) {
      if (!this.isPaused) this.source.tape.play(factor);
      return;
    }
    void this.call("/simhost/pace", { factor });
  }

  togglePause(): void {
    const { tape } = this.source;
    this.isPaused = !this.isPaused;
    this.show();
    if (tape !== undefined) tape.play(this.isPaused ? 0 : this.factor);
    else void this.call(this.isPaused ? "/simhost/pause" : "/simhost/resume", {});
  }

  step(): void {
    const { tape } = this.source;
    if (tape !== undefined) return tape.seek(this.time + 0.02);
    if (!this.isPaused) this.togglePause();
    void this.call("/simhost/step", { steps: 1 });
  }

  private async snapshot(): Promise<void> {
    const name = await this.call("/simhost/snapshot", {});
    if (name === undefined) return;
    this.snapshots.disabled = false;
    this.snapshots.append(el("option", { value: name }, name));
    this.say("info", `snapshot ${name}`);
  }

  private restore(): void {
    const name = this.snapshots.value;
    this.snapshots.value = "";
    if (name !== "") void this.call("/simhost/restore", { name });
  }

  /** Calls a service and returns its message if it succeeds. */
  private async call(service: string, request: object): Promise<string | undefined> {
    const { control } = this.source;
    return control === undefined ? undefined : ask(control, service, request).catch((error: unknown) => {
      this.say("error", textOf(error));
      return undefined;
    });
  }
}
