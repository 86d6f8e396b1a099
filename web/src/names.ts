// Names of vehicles over the scene.

import { el } from "./dom";
import type { Frames } from "./frames";
import type { Stage } from "./stage";

/** Names at a time; more would hide the scene. */
const MOST = 60;

export class Names {
  readonly element = el("div", { class: "names" });
  private readonly labels = new Map<string, HTMLElement>();

  constructor(private readonly stage: Stage, private readonly frames: Frames) {}

  update(vehicles: ReadonlyMap<string, number>, selected: string, isOn: boolean, heightOf: (name: string) => number): void {
    this.element.hidden = !isOn;
    if (!isOn) return;
    let shown = 0;
    const gone = new Set(this.labels.keys());
    for (const [name, frame] of vehicles) {
      if (shown >= MOST && name !== selected) continue;
      const { x, y, z } = this.frames.pose(frame);
      const at = this.stage.project(x, y, z + 0.5 + heightOf(name));
      if (!at.isVisible) continue;
      shown += 1;
      gone.delete(name);
      let label = this.labels.get(name);
      if (label === undefined) {
        label = el("span", { class: "name" }, name);
        this.labels.set(name, label);
        this.element.append(label);
      }
      label.classList.toggle("on", name === selected);
      label.style.transform = `translate(calc(${at.x.toFixed(1)}px - 50%), calc(${at.y.toFixed(1)}px - 100%))`;
    }
    for (const name of gone) {
      this.labels.get(name)?.remove();
      this.labels.delete(name);
    }
  }
}
