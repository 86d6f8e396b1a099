// The tree of vehicles, sensors and quantities.

import type { Bus } from "./bus";
import { el } from "./dom";
import type { Insets } from "./insets";
import type { Plots, Signal } from "./plots";
import type { Quantities } from "./quantities";
import { type Channel, definition } from "./source";
import type { World } from "./world";

/** Numbers of an array that one click plots. */
const MOST_ITEMS = 4;
const IMAGE = "sensor_msgs/msg/Image";

/** Lists what can be plotted, by vehicle. */
export class Tree {
  readonly element = el("div", { class: "panel-body" });
  private readonly list = el("div", {});
  private readonly opened = new Set<string>();
  private filter = "";
  private key = "";
  onSelect: (vehicle: string) => void = () => {};

  constructor(
    private readonly bus: Bus, private readonly plots: Plots, private readonly insets: Insets,
    private readonly quantities: Quantities | undefined,
  ) {
    const search = el("input", {
      type: "search", placeholder: "Filter", "aria-label": "Filter the tree",
      input: () => { this.filter = search.value.trim().toLowerCase(); this.key = ""; this.refresh(this.vehicles, this.world, this.selected); },
    });
    search.style.width = "100%";
    this.element.append(search, this.list);
  }

  private vehicles: readonly string[] = [];
  private world: World | undefined;
  private selected = "";

  /** Shows the channels as they are now. */
  refresh(vehicles: readonly string[], world: World | undefined, selected: string): void {
    [this.vehicles, this.world, this.selected] = [vehicles, world, selected];
    const key = JSON.stringify([vehicles.length, this.bus.channels.length, selected, this.filter, world?.vehicles.length, vehicles[0]]);
    if (key === this.key) return this.mark();
    this.key = key;
    const groups = new Map<string, Channel[]>();
    const names = new Set(vehicles);
    for (const channel of this.bus.channels) {
      const first = channel.topic.replace(/^\//, "").split("/")[0] ?? "";
      const group = names.has(first) ? first : "world";
      const known = groups.get(group);
      if (known === undefined) groups.set(group, [channel]);
      else known.push(channel);
    }
    // a long list is cut, and the filter reaches the rest
    const MOST = 60;
    const ordered = [...vehicles, ...(groups.has("world") ? ["world"] : [])];
    const shown = ordered.filter((name) => this.filter === "" || name.toLowerCase().includes(this.filter)
      || (groups.get(name) ?? []).some((channel) => channel.topic.toLowerCase().includes(this.filter)));
    const parts = shown.slice(0, MOST).map((name) => this.group(name, groups.get(name) ?? [], name !== "world"));
    if (shown.length > MOST) parts.push(el("p", { class: "hint" }, `${shown.length - MOST} more; filter to find them.`));
    this.list.replaceChildren(...parts);
  }

  private group(name: string, channels: readonly Channel[], isVehicle: boolean): HTMLElement {
    const info = this.world?.vehicles.find((one) => one.label === name);
    const what = info === undefined ? "" : info.dynamics.replace("simhost/", "");
    const body = el("div", {});
    const summary = el("summary", {
      click: () => { if (isVehicle) this.onSelect(name); },
    }, el("span", { class: isVehicle ? "vehicle" : "" }, isVehicle ? name : "World"), el("span", { class: "what" }, what));
    const details = el("details", { toggle: () => {
      if (details.open) this.opened.add(name);
      else this.opened.delete(name);
      if (details.open && body.childElementCount === 0) {
        body.append(...channels.map((channel) => this.channel(channel, name)));
        if (this.quantities?.isOffered === true) body.append(this.allQuantities(name, this.quantities));
      }
    } }, summary, body);
    details.open = this.opened.has(name) || name === this.selected;
    return details;
  }

  /** Lists the quantities of a vehicle, or those of the world. */
  private allQuantities(group: string, quantities: Quantities): HTMLElement {
    const body = el("div", {});
    const details = el("details", { toggle: () => {
      if (!details.open || body.childElementCount > 0) return;
      body.append(el("p", { class: "hint" }, "…"));
      quantities.list().then((all) => {
        const own = all.filter(({ name }) => name.startsWith(`${group}/`) || (group === "world" && !name.includes("/")));
        const MOST = 300;
        body.replaceChildren(...own.slice(0, MOST).map(({ name, unit, length, description }) => {
          const first = Array.isArray(unit) ? unit[0] ?? "" : unit;
          const paths = length === null ? [name] : Array.from({ length: Math.min(length, MOST_ITEMS) }, (_, i) => `${name}[${i}]`);
          return this.leaf({ topic: "", shown: name.replace(`${group}/`, ""), path: length === null ? name : `${name}[0]` }, first, description,
            paths.map((path, index): Signal => ({ topic: "", path, unit: Array.isArray(unit) ? unit[index] ?? "" : unit })));
        }));
        this.mark();
      }).catch((error: unknown) => body.replaceChildren(el("p", { class: "hint" }, String(error))));
    } }, el("summary", { title: "All quantities, read ten times a second" }, "all quantities"), body);
    return details;
  }

  private leaf(place: { topic: string; shown: string; path: string }, unit: string, doc: string, signals: Signal[]): HTMLElement {
    return el("button", {
      type: "button", class: "leaf", title: doc === "" ? place.path : doc, "data-signal": `${place.topic} ${place.path}`,
      click: (event) => {
        signals.forEach((signal, index) => this.plots.add(signal, index === 0 && (event as MouseEvent).shiftKey));
        this.mark();
      },
    }, place.shown, el("span", { class: "unit" }, unit === "1" ? "" : unit));
  }

  private channel(channel: Channel, group: string): HTMLElement {
    const { topic, schemaName } = channel;
    const name = topic.replace(/^\//, "").replace(`${group}/`, "");
    const kind = schemaName.split("/").pop() ?? "";
    if (schemaName === IMAGE) {
      const leaf = el("button", { type: "button", class: "leaf", "data-image": topic, click: () => this.insets.toggle(topic) },
        name, el("span", { class: "unit" }, "image"));
      return leaf;
    }
    const body = el("div", {});
    const details = el("details", { toggle: () => {
      if (details.open && body.childElementCount === 0) body.append(...this.leaves(channel));
      if (details.open) this.mark();
    } }, el("summary", { title: `${topic} (${schemaName})` }, name, el("span", { class: "what" }, kind)), body);
    return details;
  }

  private leaves(channel: Channel): HTMLElement[] {
    if (channel.encoding !== "cdr") return [el("p", { class: "hint" }, "not in CDR")];
    let quantities;
    try {
      quantities = definition(channel).quantities();
    } catch (error) {
      return [el("p", { class: "hint" }, String(error))];
    }
    if (quantities.length === 0) return [el("p", { class: "hint" }, "no numbers")];
    return quantities.map(({ path, unit, doc, isArray }) => {
      const signals = (isArray ? Array.from({ length: MOST_ITEMS }, (_, i) => `${path}[${i}]`) : [path])
        .map((one): Signal => ({ topic: channel.topic, path: one, unit }));
      return this.leaf({ topic: channel.topic, shown: path, path }, unit, doc, signals);
    });
  }

  /** Marks what is plotted. */
  mark(): void {
    for (const leaf of this.list.querySelectorAll<HTMLElement>("[data-signal]")) {
      const [topic = "", path = ""] = (leaf.dataset["signal"] ?? "").split(" ");
      const isOn = this.plots.has({ topic, path, unit: "" }) || this.plots.has({ topic, path: `${path}[0]`, unit: "" });
      leaf.classList.toggle("on", isOn);
    }
    for (const leaf of this.list.querySelectorAll<HTMLElement>("[data-image]")) {
      leaf.classList.toggle("on", this.insets.isOpen(leaf.dataset["image"] ?? ""));
    }
  }
}
