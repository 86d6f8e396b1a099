import assert from "node:assert/strict";
import { test } from "node:test";
import { steering } from "../src/drive";
import type { InputInfo } from "../src/world";

function input(schemaName: string, fields: [string, string][]): InputInfo {
  return {
    topic: "/car/cmd", schemaName, vehicle: "car", kind: "k",
    fields: fields.map(([name, unit]) => ({ name, unit, doc: "", count: 1 })),
  };
}

test("a twist has a speed and a turn rate, which a brake ends", () => {
  const how = steering(input("geometry_msgs/msg/Twist", [["linear", "m/s"], ["angular", "rad/s"]]), 0.6);
  how.request(1, -1, false);
  assert.deepEqual(how.message(), { linear: { x: 1 }, angular: { z: -1.5 } });
  how.request(1, 0, true);
  assert.deepEqual(how.message(), { linear: { x: 0 }, angular: { z: 0 } });
});

test("pedals are not negative", () => {
  const how = steering(input("simhost_msgs/msg/PedalsCommand", [["throttle", "1"], ["brake", "1"], ["steering", "rad"]]), 4);
  how.request(0.5, 1, false);
  assert.deepEqual(how.message(), { throttle: 0.5, brake: 0, steering: 0.6 });
  how.request(-1, 0, false);
  assert.deepEqual(how.message(), { throttle: 0, brake: 1, steering: 0 });
});

test("torques of two sides turn a vehicle", () => {
  const how = steering(input("simhost_msgs/msg/TorqueCommand", [["torque_l", "N·m"], ["torque_r", "N·m"]]), 1);
  how.request(0, 1, false);
  const { torque_l: left, torque_r: right } = how.message() as { torque_l: number; torque_r: number };
  assert.ok(left < 0 && right > 0 && left === -right, `${left} ${right}`);
  how.request(1, 0, false);
  assert.deepEqual(how.message(), { torque_l: 20, torque_r: 20 });
});
