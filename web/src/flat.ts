// A picture from above for browsers without WebGL 2.

import { Matrix4, Vector3 } from "three";
import type { Frames } from "./frames";
import { type Batch, frameMatrix, type Shapes } from "./shapes";
import type { Stage } from "./stage";

type Point = [number, number];

const outlines = new WeakMap<Batch, Point[]>();

/** Returns the convex outline of points in the plane, counter-clockwise. */
export function outline(points: Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turn = (o: Point, a: Point, b: Point): number => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  const half = (all: Point[]): Point[] => {
    const chain: Point[] = [];
    for (const point of all) {
      while (chain.length > 1 && turn(chain[chain.length - 2]!, chain[chain.length - 1]!, point) <= 0) chain.pop();
      chain.push(point);
    }
    chain.pop();
    return chain;
  };
  return [...half(sorted), ...half([...sorted].reverse())];
}

/** Draws all shapes from above, lower ones first. */
export function paint(context: CanvasRenderingContext2D, stage: Stage, shapes: Shapes, frames: Frames): void {
  const { clientWidth: width, clientHeight: height } = context.canvas;
  context.fillStyle = stage.groundColor;
  context.fillRect(0, 0, width, height);
  const [world, corner] = [new Matrix4(), new Vector3()];
  const drawn: { height: number; color: string; points: Point[] }[] = [];
  for (const batch of shapes.all()) {
    let rim = outlines.get(batch);
    if (rim === undefined) {
      const position = batch.geometry.getAttribute("position");
      rim = outline(Array.from({ length: position.count }, (_, i): Point => [position.getX(i), position.getY(i)]));
      outlines.set(batch, rim);
    }
    for (const { frame, local, color } of batch.instances) {
      frameMatrix(frames, frame, world).multiply(local);
      let top = -Infinity;
      const points = rim.map(([x, y]): Point => {
        corner.set(x, y, 0).applyMatrix4(world);
        top = Math.max(top, corner.z);
        const at = stage.project(corner.x, corner.y, corner.z);
        return [at.x, at.y];
      });
      drawn.push({ height: top, color: `#${color.getHexString()}`, points });
    }
  }
  drawn.sort((a, b) => a.height - b.height);
  context.lineWidth = 1;
  context.strokeStyle = "rgb(0 0 0 / 45%)";
  for (const { color, points } of drawn) {
    context.beginPath();
    points.forEach(([x, y], index) => (index === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
    context.closePath();
    context.fillStyle = color;
    context.fill();
    context.stroke();
  }
}
