// Camera images in windows over the scene.

import type { Bus } from "./bus";
import { button, el } from "./dom";
import type { Message } from "./cdr";

/** Time between two pictures of a camera at least, ms. */
const PERIOD = 100;

/** Turns an image of ROS 2 into pixels: colours, depths as grey from near to far, classes as hues. */
export function pixelsOf(message: Message): ImageData | undefined {
  const [width, height, step] = [Number(message["width"]), Number(message["height"]), Number(message["step"])];
  const data = message["data"] as Uint8Array;
  const encoding = String(message["encoding"]);
  if (!(width > 0 && height > 0) || data.byteLength < step * height) return undefined;
  const pixels = new Uint8ClampedArray(4 * width * height);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  let most = 0;
  if (encoding === "32FC1") {
    for (let at = 0; at + 4 <= data.byteLength; at += 4) {
      const depth = view.getFloat32(at, true);
      if (depth > most && depth < 1e6) most = depth;
    }
  }
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const to = 4 * (row * width + column);
      const from = row * step;
      pixels[to + 3] = 255;
      if (encoding === "rgb8" || encoding === "bgr8") {
        const at = from + 3 * column;
        const swap = encoding === "bgr8" ? 2 : 0;
        pixels[to] = data[at + swap]!;
        pixels[to + 1] = data[at + 1]!;
        pixels[to + 2] = data[at + 2 - swap]!;
      } else if (encoding === "32FC1") {
        const depth = view.getFloat32(from + 4 * column, true);
        const level = depth > 0 ? 255 * (1 - Math.sqrt(depth / Math.max(most, 1e-6))) : 0;
        pixels.fill(level, to, to + 3);
      } else if (encoding === "mono16" || encoding === "16UC1") {
        const value = view.getUint16(from + 2 * column, true);
        const hue = (value * 0.61803) % 1;
        for (let i = 0; i < 3; i++) pixels[to + i] = value === 0 ? 20 : 60 + 190 * Math.abs(Math.sin(Math.PI * (hue + i / 3)));
      } else {
        pixels.fill(data[from + column] ?? 0, to, to + 3);
      }
    }
  }
  return new ImageData(pixels, width, height);
}

export class Insets {
  readonly element = el("div", { class: "insets" });
  private readonly open = new Map<string, () => void>();
  onChange: () => void = () => {};

  constructor(private readonly bus: Bus) {}

  isOpen(topic: string): boolean {
    return this.open.has(topic);
  }

  toggle(topic: string): void {
    const close = this.open.get(topic);
    if (close !== undefined) close();
    else this.show(topic);
    this.onChange();
  }

  private show(topic: string): void {
    const canvas = el("canvas", { width: 4, height: 3 });
    let last = -Infinity;
    const end = this.bus.take(topic, {
      message: (message) => {
        const now = performance.now();
        if (now - last < PERIOD) return;
        last = now;
        const pixels = pixelsOf(message);
        if (pixels === undefined) return;
        [canvas.width, canvas.height] = [pixels.width, pixels.height];
        canvas.getContext("2d")?.putImageData(pixels, 0, 0);
      },
    });
    const close = (): void => {
      end();
      this.open.delete(topic);
      window.remove();
      this.onChange();
    };
    const name = topic.replace(/^\//, "").replace(/\/image$/, "");
    const window = el("section", { class: "inset" }, el("header", {}, name, button("×", "Close this image", close, "small quiet")), canvas);
    this.element.append(window);
    this.open.set(topic, close);
  }
}
