// Runs worlds in a WebAssembly module, and compares their result hashes with tests/data/hashes.csv.
//
//   node framework/wasm/tests/hashes.mjs MODULE [--all] [--models DIR] [--speed PROGRAM]
//   node framework/wasm/tests/hashes.mjs MODULE --chromium [--all] [--speed]
//
// Ten worlds, or all of them with --all, in Node or with --chromium in Chromium. Worlds with plugins in shared libraries are left out. With --models, the models are
// the WebAssembly modules in a folder, where it has them, in place of the built-in ones. With --speed, prints the
// speed in relation to a native program, and with --chromium --speed the speed of 100 robots with lasers.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { inChromium } from "./chromium.mjs";
import { hashOf, load } from "./load.mjs";

/** Worlds of the ten that are always run: each kind of model, and the sensors. */
const TEN = ["demo", "cameras", "chassis", "crowd", "depot", "distribution", "driving_lab", "lidar", "town", "weather"];
/** Worlds that need a shared library. */
const WITH_LIBRARIES = ["c_plugin", "third_party"];

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");

/** Returns the files of a folder and those below it, by their paths from the root. */
function filesBelow(folder) {
  const found = new Map();
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    found.set(relative(root, path), new Uint8Array(readFileSync(path)));
  }
  return found;
}

const [path, ...options] = process.argv.slice(2);
const module = readFileSync(path);
const Simulator = await load();
const files = filesBelow(join(root, "worlds"));
const models = options.includes("--models") ? options[options.indexOf("--models") + 1] : undefined;
for (const name of models === undefined ? [] : readdirSync(models).filter((name) => name.endsWith(".wasm"))) {
  files.set(`models/${name}`, new Uint8Array(readFileSync(join(models, name))));
}

/** What moves a robot. */
const DYNAMICS = `<dynamics class="differential">
      <l_wheel pos="0 0.25" mass="2" width="0.05" diameter="0.2"/>
      <r_wheel pos="0 -0.25" mass="2" width="0.05" diameter="0.2"/>
      <chassis mass="15" zmin="0.05" zmax="0.6"/>
      <controller class="twist_pid"><KP>10</KP><KI>5</KI><KD>0</KD><V>0.5</V><W>20</W></controller>
    </dynamics>`;

/** A world with 100 robots, each with a laser, among 100 blocks. */
function lasers() {
  const each = Array.from({ length: 100 }, (_, index) => {
    const [x, y] = [4 * (index % 10), 4 * Math.floor(index / 10)];
    return `<vehicle name="r${index}" class="robot"><init_pose>${x} ${y} ${(17 * index) % 360}</init_pose></vehicle>
  <block name="b${index}"><init_pose>${x + 2} ${y + 2} 0</init_pose><static>true</static><zmax>1</zmax>
    <shape><pt>-0.4 -0.4</pt><pt>-0.4 0.4</pt><pt>0.4 0.4</pt><pt>0.4 -0.4</pt></shape></block>`;
  });
  return `<mvsim_world version="1.0">
  <simul_timestep>0.01</simul_timestep>
  <vehicle:class name="robot">
    ${DYNAMICS}
    <sensor class="laser" name="scan">
      <range>10</range><fov_degrees>270</fov_degrees><nrays>361</nrays><sensor_period>0.1</sensor_period>
    </sensor>
  </vehicle:class>
  ${each.join("\n  ")}
</mvsim_world>
`;
}

files.set("worlds/lasers.world.xml", new TextEncoder().encode(lasers()));
const browser = options.includes("--chromium") ? await inChromium(module, files) : undefined;
const hash = browser?.hash ?? ((world, time) => hashOf({ Simulator, module, files }, world, time));

let [done, wrong] = [0, 0];
for (const line of readFileSync(join(root, "tests/data/hashes.csv"), "utf8").trim().split("\n").slice(1)) {
  const [world, time, expected] = line.split(",");
  if (WITH_LIBRARIES.includes(world) || !(options.includes("--all") || TEN.includes(world))) continue;
  done += 1;
  try {
    const found = await hash(world, Number(time));
    if (found === expected) continue;
    console.error(`${world} after ${time} s has result hash ${found}, expected ${expected}`);
  } catch (error) {
    console.error(`${world}: ${error.message}`);
  }
  wrong += 1;
}
if (browser !== undefined && options.includes("--speed")) {
  const timed = async (time) => {
    const began = performance.now();
    await hash("lasers", time);
    return (performance.now() - began) / 1000;
  };
  // the difference is the time of the steps, without the start of the world
  const own = (await timed(12)) - (await timed(2));
  console.log(`100 robots with lasers: ${(10 / own).toFixed(1)} times real time`);
  if (own > 10) process.exitCode = 1;
}
await browser?.close();
console.log(`${done} worlds, ${wrong} differ${browser === undefined ? "" : `, in Chromium ${browser.version}`}`);

/** A world with a number of robots far from each other. */
function robots(count) {
  const side = Math.ceil(Math.sqrt(count));
  const each = Array.from({ length: count }, (_, index) => {
    const [x, y] = [10 * (index % side), 10 * Math.floor(index / side)];
    return `<vehicle name="r${index}" class="robot"><init_pose>${x} ${y} 0</init_pose></vehicle>`;
  });
  return `<mvsim_world version="1.0">
  <simul_timestep>0.005</simul_timestep>
  <vehicle:class name="robot">
    ${DYNAMICS}
  </vehicle:class>
  ${each.join("\n  ")}
</mvsim_world>
`;
}

/** Prints the speed of both programs for a number of robots, and the quotient. */
async function compare(program, count, time) {
  const file = join(root, `target/robots_${count}.world.xml`);
  writeFileSync(file, robots(count));
  const simulator = await Simulator.load(module);
  simulator.open(new Map([["robots.world.xml", new Uint8Array(readFileSync(file))]]), "robots.world.xml");
  simulator.runTo(time / 10);
  const began = performance.now();
  simulator.runTo(time / 10 + time);
  const wall = (performance.now() - began) / 1000;
  const native = (duration) => {
    const start = performance.now();
    execFileSync(program, [file, "--duration", String(duration)], { stdio: "ignore" });
    return (performance.now() - start) / 1000;
  };
  // the difference is the time of the steps, without the start of the program
  const own = native(2 * time) - native(time);
  const percent = ((100 * own) / wall).toFixed(0);
  console.log(`${count} robots: ${(time / wall).toFixed(0)} times real time, ${percent} % of native`);
  return own / wall;
}

const speed = options.indexOf("--speed");
if (speed >= 0 && browser === undefined) {
  const program = options[speed + 1];
  const [one, hundred] = [await compare(program, 1, 2000), await compare(program, 100, 100)];
  if (one < 0.3 || hundred < 0.2) {
    console.error("expected at least 30 % for one robot and 20 % for 100");
    process.exitCode = 1;
  }
}
if (wrong > 0) process.exitCode = 1;
