// Plots of numbers over time.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Bus } from "./bus";
import { type Message, numberAt } from "./cdr";
import { button, download, el, shown } from "./dom";
import type { Quantities } from "./quantities";
import { decode, type Tape } from "./source";
import { colorOf } from "./layers";

/** A number of a topic; without a topic, a quantity of the simulation, with its index in brackets. */
export interface Signal { topic: string; path: string; unit: string }

interface Curve { signal: Signal; times: number[]; values: (number | null)[]; end(): void }

/** Samples of a curve at most; older ones are dropped. */
const MOST = 20_000;
/** Time that a plot of a live run shows, s. */
const WINDOW = 30;

function nameOf({ topic, path }: Signal): string {
  return topic === "" ? path : `${topic.replace(/^\//, "")} ${path}`;
}

/** A panel with curves. */
class Plot {
  readonly element = el("section", { class: "plot" });
  private readonly area = el("div", { class: "plot-area" });
  private readonly legend = el("div", { class: "plot-legend" });
  readonly curves: Curve[] = [];
  private chart: uPlot | undefined;
  private isStale = true;
  private isZoomed = false;

  constructor(
    private readonly bus: Bus, private readonly quantities: Quantities | undefined, private readonly tape: Tape | undefined,
    private readonly now: () => number,
    private readonly onSelect: (plot: Plot) => void, private readonly onClose: (plot: Plot) => void,
  ) {
    const head = el("header", { class: "plot-head" }, this.legend,
      button("CSV", "Export the samples as CSV", () => this.exportTable(), "small"),
      button("PNG", "Export the picture", () => this.exportPicture(), "small"),
      button("×", "Close this plot", () => this.onClose(this), "small"));
    this.element.append(head, this.area);
    this.element.addEventListener("pointerdown", () => this.onSelect(this));
    new ResizeObserver(() => this.resize()).observe(this.area);
  }

  has(signal: Signal): boolean {
    return this.curves.some((curve) => nameOf(curve.signal) === nameOf(signal));
  }

  add(signal: Signal): void {
    if (this.has(signal)) return this.remove(signal);
    const curve: Curve = { signal, times: [], values: [], end: () => {} };
    const push = (time: number, value: number): void => {
      const last = curve.times[curve.times.length - 1];
      if (last !== undefined && time <= last) return;
      curve.times.push(time);
      // a gap
      curve.values.push(Number.isFinite(value) ? value : null);
      if (curve.times.length > MOST) {
        curve.times.splice(0, MOST / 2);
        curve.values.splice(0, MOST / 2);
      }
      this.isStale = true;
    };
    const take = (message: Message, time: number): void => push(time, numberAt(message, signal.path));
    const channel = this.bus.find(signal.topic);
    if (signal.topic === "") {
      const [, name = signal.path, index = "0"] = /^(.*)\[(\d+)\]$/.exec(signal.path) ?? [];
      curve.end = this.quantities?.take(name, (time, values) => push(time, values[Number(index)] ?? Number.NaN)) ?? curve.end;
    } else if (this.tape !== undefined && channel !== undefined) {
      curve.end = this.tape.history(channel, (time, data) => take(decode(channel, data), time));
    } else {
      curve.end = this.bus.take(signal.topic, { message: take });
    }
    this.curves.push(curve);
    this.rebuild();
  }

  remove(signal: Signal): void {
    const at = this.curves.findIndex((curve) => nameOf(curve.signal) === nameOf(signal));
    const [gone] = at < 0 ? [] : this.curves.splice(at, 1);
    gone?.end();
    if (this.curves.length === 0) this.onClose(this);
    else this.rebuild();
  }

  end(): void {
    this.curves.forEach((curve) => curve.end());
    this.chart?.destroy();
    this.element.remove();
  }

  /** Forgets samples of a time that has not come yet. */
  rewind(): void {
    if (this.tape !== undefined) return;
    for (const curve of this.curves) [curve.times, curve.values] = [[], []];
    this.isStale = true;
  }

  rebuild(): void {
    this.chart?.destroy();
    this.legend.replaceChildren(...this.curves.map((curve, index) => {
      const mark = el("span", { class: "mark" });
      mark.style.background = `#${colorOf(index).getHexString()}`;
      const unit = curve.signal.unit === "" || curve.signal.unit === "1" ? "" : ` [${curve.signal.unit}]`;
      return el("button", {
        type: "button", class: "curve", title: "Remove this curve", click: () => this.remove(curve.signal),
      }, mark, nameOf(curve.signal), el("span", { class: "unit" }, unit), el("output", {}));
    }));
    const style = getComputedStyle(document.documentElement);
    const [ink, line] = [style.getPropertyValue("--muted").trim(), style.getPropertyValue("--line").trim()];
    const axis: uPlot.Axis = {
      stroke: ink, font: "11px system-ui, sans-serif", grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1, size: 4 },
    };
    const options: uPlot.Options = {
      width: 300, height: 150,
      scales: {
        x: { time: false },
        y: { range: (_, low, high) => {
          if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
          const pad = Math.max(0.08 * (high - low), 1e-6 * Math.max(Math.abs(low), Math.abs(high)), 1e-9);
          return [low - pad, high + pad];
        } },
      },
      axes: [{ ...axis, size: 28, values: (_, all) => all.map((value) => `${value} s`) }, { ...axis, size: 52 }],
      series: [{}, ...this.curves.map((curve, index) => ({
        label: nameOf(curve.signal), stroke: `#${colorOf(index).getHexString()}`, width: 1.5, points: { show: false }, spanGaps: true,
      }))],
      legend: { show: false },
      cursor: { drag: { x: true, y: false, uni: 10 } },
      hooks: {
        setSelect: [(chart) => { this.isZoomed = chart.select.width > 0; }],
        setCursor: [(chart) => this.showValues(chart.cursor.idx ?? undefined)],
        init: [(chart) => chart.over.addEventListener("dblclick", () => { this.isZoomed = false; this.isStale = true; })],
      },
    };
    this.area.replaceChildren();
    this.chart = new uPlot(options, this.table(), this.area);
    this.resize();
    this.isStale = true;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.area;
    if (width > 20 && height > 20) this.chart?.setSize({ width, height });
  }

  /** Returns times and values in the form of uPlot: one list of times for all curves. */
  private table(): uPlot.AlignedData {
    const [first] = this.curves;
    if (first === undefined || this.curves.every((curve) => curve.times.length === 0)) return [[0], ...this.curves.map(() => [null])];
    const isShared = this.curves.every((curve) => curve.times.length === first.times.length && curve.times[0] === first.times[0]);
    if (isShared) return [first.times, ...this.curves.map((curve) => curve.values)];
    return uPlot.join(this.curves.map((curve): uPlot.AlignedData => [curve.times, curve.values]));
  }

  private showValues(index: number | undefined): void {
    const outputs = this.legend.querySelectorAll("output");
    const data = this.chart?.data;
    this.curves.forEach((curve, at) => {
      const value = index !== undefined && data !== undefined ? data[at + 1]?.[index] : curve.values[curve.values.length - 1];
      const output = outputs[at];
      if (output) output.textContent = value === undefined || value === null ? "" : shown(value);
    });
  }

  update(): void {
    if (this.chart === undefined || (!this.isStale && this.tape === undefined)) return;
    if (this.isStale) this.chart.setData(this.table(), false);
    if (!this.isZoomed) {
      const now = this.now();
      const [min, max] = this.tape === undefined ? [Math.max(0, now - WINDOW), Math.max(now, 1)] : [this.tape.start, this.tape.end];
      this.chart.setScale("x", { min, max });
    }
    if (this.tape !== undefined) this.markNow();
    if (this.isStale) this.showValues(this.chart.cursor.idx ?? undefined);
    this.isStale = false;
  }

  /** Moves the cursor to the present time of a recording, unless the pointer is on the plot. */
  private markNow(): void {
    const chart = this.chart;
    if (chart === undefined || chart.over.matches(":hover")) return;
    const left = chart.valToPos(this.now(), "x");
    if (Math.abs((chart.cursor.left ?? -1) - left) > 0.4) chart.setCursor({ left, top: 10 });
  }

  private exportTable(): void {
    const [times = [], ...columns] = this.table();
    const quoted = (name: string): string => `"${name.replaceAll("\"", "\"\"")}"`;
    const head = ["time [s]", ...this.curves.map(({ signal }) => `${nameOf(signal)}${signal.unit === "" ? "" : ` [${signal.unit}]`}`)];
    const lines = [head.map(quoted).join(","), ...Array.from(times, (time, row) =>
      [time, ...columns.map((column) => column[row] ?? "")].join(","))];
    download("plot.csv", new Blob([`${lines.join("\n")}\n`], { type: "text/csv" }));
  }

  private exportPicture(): void {
    const canvas = this.chart?.ctx.canvas;
    if (canvas === undefined) return;
    const copy = el("canvas", { width: canvas.width, height: canvas.height });
    const context = copy.getContext("2d");
    if (context === null) return;
    context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--surface").trim() || "#fff";
    context.fillRect(0, 0, copy.width, copy.height);
    context.drawImage(canvas, 0, 0);
    copy.toBlob((blob) => { if (blob !== null) download("plot.png", blob); });
  }
}

/** All plots. */
export class Plots {
  readonly element = el("div", { class: "plots", hidden: true });
  private readonly plots: Plot[] = [];
  private active: Plot | undefined;
  private updated = 0;
  onChange: () => void = () => {};

  constructor(
    private readonly bus: Bus, private readonly quantities: Quantities | undefined,
    private readonly tape: () => Tape | undefined, private readonly now: () => number,
  ) {}

  /** Adds a number to the plot that was used last, or to a new one; a number that is there is removed. */
  add(signal: Signal, isNew = false): void {
    const shows = this.plots.find((plot) => plot.has(signal));
    if (shows !== undefined) {
      shows.remove(signal);
      return this.onChange();
    }
    if (this.active === undefined || isNew || this.active.curves.length >= 8) this.open();
    this.active?.add(signal);
    this.onChange();
  }

  has(signal: Signal): boolean {
    return this.plots.some((plot) => plot.has(signal));
  }

  private open(): void {
    const plot = new Plot(this.bus, this.quantities, this.tape(), this.now, (one) => this.activate(one), (one) => {
      one.end();
      this.plots.splice(this.plots.indexOf(one), 1);
      if (this.active === one) this.active = this.plots[this.plots.length - 1];
      this.element.hidden = this.plots.length === 0;
      this.onChange();
    });
    this.plots.push(plot);
    this.element.append(plot.element);
    this.element.hidden = false;
    this.activate(plot);
  }

  private activate(plot: Plot): void {
    this.active = plot;
    for (const one of this.plots) one.element.classList.toggle("active", one === plot && this.plots.length > 1);
  }

  /** Takes the colours of the theme. */
  restyle(): void {
    this.plots.forEach((plot) => plot.rebuild());
  }

  rewind(): void {
    this.plots.forEach((plot) => plot.rewind());
  }

  /** Draws new samples, ten times a second. */
  update(wall: number): void {
    if (wall - this.updated < 100) return;
    this.updated = wall;
    this.plots.forEach((plot) => plot.update());
  }
}
