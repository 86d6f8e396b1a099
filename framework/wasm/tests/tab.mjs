// Drives a world in a WebAssembly module as the page does.
//
//   node framework/wasm/tests/tab.mjs MODULE [PROGRAM]
//
// With a program, repeats the saved run with `PROGRAM rerun`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "./load.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const [path, program] = process.argv.slice(2);
const module = readFileSync(path);
const Simulator = await load();
const encode = (text) => new TextEncoder().encode(text);
const simulator = await Simulator.load(module);
assert.match(simulator.version(), /^\d+\.\d+\.\d+$/);

// everything that a tab cannot do is an error at its line
const wrong = `<mvsim_world>
  <include file="missing.xml"/>
  <variable name="a" value="$(date)"/>
  <vehicle:class name="c"><dynamics class="acme/magic"/></vehicle:class>
  <require plugin="acme/magic" version="1.2"/>
  <block name="b"><visual><model_uri>https://example.org/a.stl</model_uri></visual></block>
</mvsim_world>
`;
const report = JSON.parse(simulator.check(new Map([["a.world.xml", encode(wrong)]]), "a.world.xml"))[0];
console.log(report.diagnostics.map((one) => `${one.line}:${one.column}: ${one.message}`).join("\n"));
assert.match(report.diagnostics[0].message, /cannot read `missing.xml`/);
assert.doesNotMatch(JSON.stringify(report), /--[a-z]/, "advice to use options of the command line");
assert.deepEqual([...new Set(report.diagnostics.map((one) => one.line))].sort(), [2, 3, 4, 5, 6]);
assert.throws(() => simulator.open(new Map([["a.world.xml", encode(wrong)]]), "a.world.xml"), (error) => {
  assert.ok(JSON.parse(error.message)[0].errors > 0);
  return true;
});
assert.throws(() => simulator.advance(0.1), /no world is open/);

// a client that subscribes, commands and calls services
const files = new Map([["worlds/demo.world.xml", new Uint8Array(readFileSync(join(root, "worlds/demo.world.xml")))]]);
simulator.open(files, "worlds/demo.world.xml", { seed: 4 });
const texts = (frames) => frames.filter((one) => typeof one === "string").map((one) => JSON.parse(one));
const greeting = texts(simulator.frames());
assert.equal(greeting[0].op, "serverInfo");
const channels = greeting.filter((one) => one.op === "advertise").flatMap((one) => one.channels);
const odometry = channels.find((one) => one.topic === "/robot/odometry");
simulator.receive(JSON.stringify({ op: "subscribe", subscriptions: [{ id: 1, channelId: odometry.id }] }));
const command = { op: "advertise", channels: [{ id: 7, topic: "/robot/cmd_vel", encoding: "json", schemaName: "geometry_msgs/msg/Twist" }] };
simulator.receive(JSON.stringify(command));
const twist = encode(JSON.stringify({ linear: { x: 1, y: 0, z: 0 }, angular: { x: 0, y: 0, z: 0.3 } }));
simulator.receive(Uint8Array.from([1, 7, 0, 0, 0, ...twist]));
let samples = 0;
for (let frame = 0; frame < 60; frame++) {
  simulator.advance(1 / 60);
  samples += simulator.frames().filter((one) => typeof one !== "string" && one[0] === 1).length;
}
assert.ok(samples > 20, `${samples} samples`);

/** Calls a service with a request in JSON. */
function ask(name, request) {
  const services = greeting.find((one) => one.op === "advertiseServices").services;
  const { id } = services.find((one) => one.name === name);
  const head = new DataView(new ArrayBuffer(13));
  head.setUint8(0, 2);
  [id, 3, 4].forEach((number, index) => head.setUint32(1 + 4 * index, number, true));
  simulator.receive(Uint8Array.from([...new Uint8Array(head.buffer), ...encode("json"), ...encode(JSON.stringify(request))]));
  const answer = simulator.frames().find((one) => typeof one !== "string" && one[0] === 3);
  return JSON.parse(new TextDecoder().decode(answer.subarray(17)));
}
assert.equal(ask("/simhost/pause", {}).success, true);
assert.equal(ask("/simhost/step", { steps: 5 }).success, true);
simulator.advance(0.1);
const snapshot = ask("/simhost/snapshot", {});
assert.equal(snapshot.success, true, snapshot.message);
assert.equal(ask("/simhost/resume", {}).success, true);
simulator.advance(0.1);
assert.equal(ask("/simhost/remove", { entity: "robot" }).success, true);
simulator.advance(0.1);
assert.doesNotMatch(simulator.saveWorld(), /<vehicle name="robot"/);

// the record is that of any other run
simulator.runTo(4);
const hash = simulator.hash();
const run = simulator.saveRun();
assert.ok(run.has("manifest.json"), [...run.keys()].join(", "));
assert.equal(JSON.parse(new TextDecoder().decode(run.get("manifest.json"))).end.result_hash, hash);
if (program) {
  mkdirSync(join(root, "target"), { recursive: true });
  const folder = mkdtempSync(join(root, "target/tab-run-"));
  for (const [name, bytes] of run) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
  console.log(execFileSync(program, ["rerun", folder], { encoding: "utf8" }));
  rmSync(folder, { recursive: true });
}
simulator.close();
console.log("the tab works");
