import assert from "node:assert/strict";
import { test } from "node:test";
import { Frames, TransformReader } from "../src/frames";
import { transforms } from "./transforms";

const LEFT = [0, 0, Math.SQRT1_2, Math.SQRT1_2];

test("poses are chained from the world to a sensor", () => {
  const frames = new Frames();
  const reader = new TransformReader();
  // the child comes before its parent
  reader.read(transforms([
    ["car/base_link", "car/scan", [1, 0, 0.5, 0, 0, 0, 1]],
    ["map", "car/odom", [10, 0, 0, ...LEFT]],
    ["car/odom", "car/base_link", [2, 0, 0, ...LEFT]],
  ]), frames);
  frames.update();
  const { x, y, z, yaw } = frames.pose(frames.number("car/scan"));
  assert.ok(Math.hypot(x - 9, y - 2, z - 0.5) < 1e-9, `${x} ${y} ${z}`);
  assert.ok(Math.abs(Math.abs(yaw) - Math.PI) < 1e-9);
});

test("further messages move frames, and other names are read anew", () => {
  const frames = new Frames();
  const reader = new TransformReader();
  reader.read(transforms([["map", "a", [1, 0, 0, 0, 0, 0, 1]]]), frames);
  frames.update();
  reader.read(transforms([["map", "a", [2, 0, 0, 0, 0, 0, 1]]]), frames);
  frames.update();
  assert.equal(frames.pose(frames.number("a")).x, 2);
  assert.equal(frames.hasMoved[frames.number("a")], true);
  frames.update();
  assert.equal(frames.hasMoved[frames.number("a")], false);
  reader.read(transforms([["map", "b", [3, 0, 0, 0, 0, 0, 1]]]), frames);
  frames.update();
  assert.equal(frames.pose(frames.number("a")).x, 2);
  assert.equal(frames.pose(frames.number("b")).x, 3);
});

test("a message that is cut off is an error", () => {
  const whole = transforms([["map", "a", [1, 0, 0, 0, 0, 0, 1]]]);
  const cut = new DataView(whole.buffer, 0, whole.byteLength - 8);
  assert.throws(() => new TransformReader().read(cut, new Frames()));
});

test("frames in a circle do not hang", () => {
  const frames = new Frames();
  new TransformReader().read(transforms([["a", "b", [0, 0, 0, 0, 0, 0, 1]], ["b", "a", [0, 0, 0, 0, 0, 0, 1]]]), frames);
  frames.update();
});
