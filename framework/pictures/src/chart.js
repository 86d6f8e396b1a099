"use strict";
// Charts of reports of runs and of studies: axes, lines, zoom by the wheel, shift by dragging, and a cursor.
const INK = "#222", GRID = "#e6e6e6", CURSOR = "#999";

/** Returns numbers of a length near `count` that divide a range evenly. */
function ticks(low, high, count) {
  const raw = (high - low) / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(raw));
  // a step that leaves fewer than three labels gives way to a shorter one
  const steps = [10, 5, 2, 1, 0.5, 0.2, 0.1].map((k) => k * power).filter((one) => one >= 0.2 * raw).reverse();
  const fits = (step) => Math.floor(high / step + 1e-9) - Math.ceil(low / step - 1e-9) >= 2;
  const step = steps.filter((one) => one >= raw).find(fits) || steps.filter(fits).pop() || raw;
  const list = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) list.push(k * step || 0);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const large = Math.max(Math.abs(low), Math.abs(high)) >= 1e6 || digits > 6;
  return list.map((at) => [at, large ? at.toExponential(2) : at.toFixed(digits)]);
}

/** Returns a value as text; one that is small beside the others of its chart is zero. */
function valueText(value, largest) {
  if (value === null || value === undefined) return "–";
  return String(Math.abs(value) < 1e-9 * largest ? 0 : +value.toPrecision(4));
}

/** A canvas with two axes. */
class Chart {
  constructor(canvas, height, xLabel, yLabel) {
    Object.assign(this, { canvas, height, xLabel, yLabel, left: 74, right: 12, top: 10, below: 44 });
    this.pen = canvas.getContext("2d");
    /** Place of the pointer in the units of the axes, while it is on the chart. */
    this.cursor = null;
  }
  begin(x0, x1, y0, y1) {
    const scale = window.devicePixelRatio || 1, width = this.canvas.clientWidth || 600;
    this.canvas.style.height = this.height + "px";
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(this.height * scale);
    this.pen.setTransform(scale, 0, 0, scale, 0, 0);
    Object.assign(this, { width, x0, x1, y0, y1 });
    this.pen.clearRect(0, 0, width, this.height);
    this.axes();
    this.pen.save();
    this.pen.beginPath();
    this.pen.rect(this.left, this.top, width - this.left - this.right, this.height - this.top - this.below);
    this.pen.clip();
  }
  end() {
    if (this.cursor) {
      this.path([[this.cursor[0], this.y0], [this.cursor[0], this.y1]], CURSOR, 1, [2, 3]);
      this.path([[this.x0, this.cursor[1]], [this.x1, this.cursor[1]]], CURSOR, 1, [2, 3]);
    }
    this.pen.restore();
  }
  x(value) { return this.left + (value - this.x0) / (this.x1 - this.x0) * (this.width - this.left - this.right); }
  y(value) { return this.height - this.below - (value - this.y0) / (this.y1 - this.y0) * (this.height - this.top - this.below); }
  valueX(pixel) { return this.x0 + (pixel - this.left) / (this.width - this.left - this.right) * (this.x1 - this.x0); }
  valueY(pixel) { return this.y0 + (this.height - this.below - pixel) / (this.height - this.top - this.below) * (this.y1 - this.y0); }
  axes() {
    const pen = this.pen, bottom = this.height - this.below, right = this.width - this.right;
    pen.font = "13px system-ui, 'DejaVu Sans', sans-serif";
    pen.lineWidth = 1;
    pen.textAlign = "center";
    for (const [at, text] of ticks(Math.min(this.x0, this.x1), Math.max(this.x0, this.x1), (right - this.left) / 90)) {
      this.path([[at, this.y0], [at, this.y1]], GRID, 1);
      pen.fillStyle = INK;
      pen.fillText(text, this.x(at), bottom + 16);
    }
    pen.textAlign = "right";
    for (const [at, text] of ticks(this.y0, this.y1, (bottom - this.top) / 45)) {
      this.path([[this.x0, at], [this.x1, at]], GRID, 1);
      pen.fillStyle = INK;
      pen.fillText(text, this.left - 6, this.y(at) + 4);
    }
    pen.strokeStyle = INK;
    pen.strokeRect(this.left, this.top, right - this.left, bottom - this.top);
    pen.fillStyle = INK;
    pen.textAlign = "center";
    pen.fillText(this.xLabel, 0.5 * (this.left + right), this.height - 8);
    pen.save();
    pen.translate(14, 0.5 * (this.top + bottom));
    pen.rotate(-Math.PI / 2);
    // a long name gets smaller letters
    const share = 0.98 * (this.top + bottom) / pen.measureText(this.yLabel).width;
    if (share < 1) pen.font = pen.font.replace("13px", `${Math.max(9, Math.floor(13 * share))}px`);
    pen.fillText(this.yLabel, 0, 0);
    pen.restore();
  }
  path(points, colour, width, dash = []) {
    const pen = this.pen;
    pen.beginPath();
    let begun = false;
    for (const [x, y] of points) {
      if (x === null || y === null) { begun = false; continue; }
      if (begun) pen.lineTo(this.x(x), this.y(y)); else pen.moveTo(this.x(x), this.y(y));
      begun = true;
    }
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.setLineDash(dash);
    pen.stroke();
    pen.setLineDash([]);
  }
  fill(points, fill, border) {
    const pen = this.pen;
    pen.beginPath();
    points.forEach(([x, y], k) => (k ? pen.lineTo(this.x(x), this.y(y)) : pen.moveTo(this.x(x), this.y(y))));
    pen.closePath();
    pen.fillStyle = fill;
    pen.fill();
    if (border) { pen.strokeStyle = border; pen.lineWidth = 1.2; pen.stroke(); }
  }
  /** Returns the place of the pointer as text, or `otherwise`. */
  cursorText(otherwise = "") {
    if (!this.cursor) return otherwise;
    const largest = (from, to) => Math.max(Math.abs(from), Math.abs(to));
    return `${valueText(this.cursor[0], largest(this.x0, this.x1))}, ${valueText(this.cursor[1], largest(this.y0, this.y1))}`;
  }
  /**
   * Calls `zoom(factor, x, y)` for the wheel, `pan(dx, dy)` while dragging, `reset()` for a double click, `hover(x)` where the
   * pointer is pressed, and `redraw()` after each of them and where the pointer moves.
   */
  listen({ zoom, pan, reset, hover, redraw }) {
    const at = (event) => [this.valueX(event.offsetX), this.valueY(event.offsetY)];
    let last = null;
    this.canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      zoom(Math.exp(Math.sign(event.deltaY) * 0.2), ...at(event));
      redraw();
    }, { passive: false });
    this.canvas.addEventListener("pointerdown", (event) => {
      last = at(event);
      this.canvas.setPointerCapture(event.pointerId);
      if (hover) { hover(last[0]); redraw(); }
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (last) {
        const [x, y] = at(event);
        pan(last[0] - x, last[1] - y);
        redraw();
        last = at(event);
      }
      this.cursor = at(event);
      redraw();
    });
    this.canvas.addEventListener("pointerup", () => { last = null; });
    this.canvas.addEventListener("pointerleave", () => { this.cursor = null; redraw(); });
    this.canvas.addEventListener("dblclick", () => { reset(); redraw(); });
  }
}

/** Returns a view [x0, x1, y0, y1] after `listen` has called for a zoom by a factor about a point, or for a shift. */
const zoomed = (view, factor, x, y) => [x + (view[0] - x) * factor, x + (view[1] - x) * factor, y + (view[2] - y) * factor, y + (view[3] - y) * factor];
const shifted = (view, dx, dy) => [view[0] + dx, view[1] + dx, view[2] + dy, view[3] + dy];
