import assert from "node:assert/strict";
import { test } from "node:test";
import { Color, Matrix4, Scene } from "three";
import type { Bus, Taker } from "../src/bus";
import { Frames, TransformReader } from "../src/frames";
import { Layers } from "../src/layers";
import { Shapes } from "../src/shapes";
import { transforms } from "./transforms";

const VEHICLES = 1000;
const POINTS = 131_072;
/** Script time of a picture at most, ms. Drawing is the task of the browser. */
const MOST = 4;

test("a picture of 1,000 moving vehicles and 131,072 points takes at most 4 ms of script", () => {
  const poses: [string, string, number[]][] = Array.from({ length: VEHICLES }, (_, i) => `v${i}`).flatMap((name) => [
    ["map", `${name}/odom`, [0, 0, 0, 0, 0, 0, 1]], [`${name}/odom`, `${name}/base_link`, [1, 2, 0, 0, 0, 0, 1]],
    [`${name}/base_link`, `${name}/wheel/l`, [0, 1, 0, 0, 0, 0, 1]], [`${name}/base_link`, `${name}/wheel/r`, [0, -1, 0, 0, 0, 0, 1]],
  ] as [string, string, number[]][]);
  const messages = [0, 1].map((shift) => transforms(poses.map(([parent, child, [x = 0, ...rest]]) => [parent, child, [x + shift, ...rest]])));
  const [frames, reader, shapes] = [new Frames(), new TransformReader(), new Shapes(new Scene())];
  reader.read(messages[0]!, frames);
  for (let i = 0; i < VEHICLES; i++) {
    for (const part of ["base_link", "wheel/l", "wheel/r"]) {
      const frame = frames.number(`v${i}/${part}`);
      shapes.add(part === "base_link" ? "box" : "cylinder", { label: "", frame, local: new Matrix4(), color: new Color() }, 1);
    }
  }
  let taker: Taker | undefined;
  const bus = {
    channels: [{ topic: "/points", schemaName: "sensor_msgs/msg/PointCloud2" }],
    take: (_: string, one: Taker) => { taker = one; return () => {}; },
  } as unknown as Bus;
  new Layers(new Scene(), bus, frames).refresh();
  const data = new Uint8Array(22 * POINTS);
  const view = new DataView(data.buffer);
  for (let i = 0; i < POINTS; i++) for (let k = 0; k < 4; k++) view.setFloat32(22 * i + 4 * k, (i * (k + 1)) % 30, true);
  const fields = ["x", "y", "z", "range"].map((name, index) => ({ name, offset: 4 * index, datatype: 7 }));
  const cloud = { header: { frame_id: "v0/base_link" }, fields, data, point_step: 22 };
  let best = Infinity;
  for (let i = 0; i < 60; i++) {
    const start = performance.now();
    reader.read(messages[i % 2]!, frames);
    frames.update();
    shapes.update(frames);
    taker?.message?.(cloud, 0, bus.channels[0]!);
    best = Math.min(best, performance.now() - start);
  }
  // the best of many, because other programs interrupt the rest
  assert.ok(best <= MOST, `${best.toFixed(2)} ms`);
});
