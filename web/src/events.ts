// Faults, warnings and messages, as a list that jumps in time.

import { el } from "./dom";
import type { Level } from "./source";

const MOST = 400;

export class Events {
  readonly element = el("div", { class: "panel-body" });
  private readonly list = el("div", { class: "events" });
  private readonly empty = el("p", { class: "hint" }, "Faults, warnings and messages appear here.");
  private last = "";
  onJump: (time: number) => void = () => {};

  constructor() {
    this.element.append(this.empty, this.list);
  }

  /** Adds a line. What repeats itself, with other numbers, is one line; returns whether it does. */
  add(time: number, level: Level, text: string): boolean {
    const key = text.replace(/\d+/g, "");
    const repeats = key === this.last;
    if (repeats) this.list.firstElementChild?.remove();
    this.last = key;
    this.empty.hidden = true;
    const row = el("button", { type: "button", class: `event ${level}`, click: () => this.onJump(time) },
      el("time", {}, time.toFixed(2)), el("span", {}, text));
    this.list.prepend(row);
    if (this.list.childElementCount > MOST) this.list.lastElementChild?.remove();
    return repeats;
  }
}
