// Drives a session with the client library of the Foxglove WebSocket protocol:
// reads odometry, publishes a twist, pauses, steps, resumes and stops.
// Usage: node drive.mjs HOST:PORT

import assert from "node:assert/strict";
import { parse } from "@foxglove/rosmsg";
import { MessageReader, MessageWriter } from "@foxglove/rosmsg2-serialization";
import protocol from "@foxglove/ws-protocol";
import WebSocket from "ws";

const { FoxgloveClient } = protocol;
const [address, vehicle = "robot"] = process.argv.slice(2);
const client = new FoxgloveClient({
  ws: new WebSocket(`ws://${address}`, [FoxgloveClient.SUPPORTED_SUBPROTOCOL]),
});

const channels = new Map();
const services = new Map();
const waiting = new Set(); // functions that are asked after each event
const state = { samples: [], responses: new Map(), parameters: new Map() };

/** Waits until `condition` returns a value other than undefined. */
function until(what, condition) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${what}: nothing in 20 s`)), 20000);
    const look = () => {
      const found = condition();
      if (found === undefined) return;
      clearTimeout(late);
      waiting.delete(look);
      resolve(found);
    };
    waiting.add(look);
    look();
  });
}
const happened = () => [...waiting].forEach((look) => look());

client.on("error", (error) => { throw error; });
client.on("status", ({ message }) => { throw new Error(`status: ${message}`); });
client.on("serverInfo", (info) => { state.info = info; happened(); });
client.on("advertise", (all) => { all.forEach((one) => channels.set(one.topic, one)); happened(); });
client.on("advertiseServices", (all) => { all.forEach((one) => services.set(one.name, one)); happened(); });
client.on("serviceCallResponse", (one) => { state.responses.set(one.callId, one); happened(); });
client.on("serviceCallFailure", (one) => { throw new Error(`call: ${one.message}`); });
client.on("parameterValues", ({ parameters }) => {
  parameters.forEach(({ name, value }) => state.parameters.set(name, value));
  happened();
});
let reader;
let subscription;
client.on("message", ({ subscriptionId, timestamp, data }) => {
  if (subscriptionId === subscription) {
    state.samples.push({ time: Number(timestamp) / 1e9, message: reader.readMessage(data) });
    happened();
  }
});
let closed = false;
client.on("close", () => { closed = true; happened(); });

let calls = 0;
async function call(name, request = {}) {
  const service = services.get(name);
  assert(service, `the service ${name}`);
  const callId = ++calls;
  const data = new TextEncoder().encode(JSON.stringify(request));
  client.sendServiceCallRequest({ serviceId: service.id, callId, encoding: "json", data });
  const { data: bytes } = await until(name, () => state.responses.get(callId));
  assert.deepEqual(JSON.parse(new TextDecoder().decode(bytes)), { success: true, message: "" });
}
const latest = () => state.samples.at(-1);

// odometry, decoded with the schema that the server gives
const channel = await until("channels", () => channels.get(`/${vehicle}/odometry`));
await until("services", () => services.get("/simhost/step"));
assert.equal(channel.schemaName, "nav_msgs/msg/Odometry");
assert.equal(channel.schemaEncoding, "ros2msg");
reader = new MessageReader(parse(channel.schema, { ros2: true }));
subscription = client.subscribe(channel.id);
await until("odometry", latest);
assert.equal(latest().message.child_frame_id, `${vehicle}/base_link`);

// a twist in CDR
assert.deepEqual(state.info.supportedEncodings, ["cdr", "json"]);
const twist = `Vector3 linear\nVector3 angular\n${"=".repeat(80)}\nMSG: geometry_msgs/Vector3\nfloat64 x\nfloat64 y\nfloat64 z\n`;
const writer = new MessageWriter(parse(twist, { ros2: true }));
const topic = client.advertise({
  topic: `/${vehicle}/cmd_vel`, encoding: "cdr", schemaName: "geometry_msgs/msg/Twist",
});
const drive = (x, z) =>
  client.sendMessage(topic, writer.writeMessage({ linear: { x, y: 0, z: 0 }, angular: { x: 0, y: 0, z } }));
drive(0.8, 0.2);
await until("motion", () => (latest().message.twist.twist.linear.x > 0.4 ? true : undefined));

// parameters
client.getParameters([], "all");
await until("parameters", () => state.parameters.get("simhost/pace"));
assert.equal(state.parameters.get("simhost/paused"), false);

// pause, steps, and no other motion
await call("/simhost/pause");
client.subscribeParameterUpdates(["simhost/paused"]);
await until("pause", () => (state.parameters.get("simhost/paused") === true ? true : undefined));
await new Promise((resolve) => setTimeout(resolve, 300));
const paused = latest().time;
await call("/simhost/step", { steps: 5 });
const steps = () => state.samples.filter(({ time }) => time > paused);
await until("steps", () => (steps().length >= 5 ? true : undefined));
await new Promise((resolve) => setTimeout(resolve, 300));
assert.equal(steps().length, 5, "exactly five steps");
const [first, second] = steps();
console.log(`steps of ${(second.time - first.time).toFixed(4)} s during the pause at ${paused} s`);

// another pace, and on
drive(0.3, -0.5);
await call("/simhost/pace", { factor: 2 });
await call("/simhost/resume");
const resumed = latest().time;
await until("motion after the pause", () => (latest().time > resumed + 0.5 ? true : undefined));
await call("/simhost/stop");
await until("the end", () => (closed ? true : undefined));
const times = state.samples.map(({ time }) => time);
assert(times.every((time, index) => index === 0 || time > times[index - 1]), "time increases");
console.log(`${times.length} samples of /${vehicle}/odometry up to ${times.at(-1)} s`);
process.exit(0);
