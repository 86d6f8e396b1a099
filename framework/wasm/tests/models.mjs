// Runs a world with a model in a WebAssembly module in the simulator of a tab, and in a program.
//
//   node framework/wasm/tests/models.mjs MODULE MODELS PROGRAM
//
// MODELS is a folder with coulomb.wasm, the example in C.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "./load.mjs";

const [path, models, program] = process.argv.slice(2);
const Simulator = await load();
const simulator = await Simulator.load(readFileSync(path));
const world = `<mvsim_world version="1.0">
  <simul_timestep>0.005</simul_timestep>
  <vehicle name="robot">
    <init_pose>0 0 0</init_pose><init_vel>1 0 20</init_vel>
    <dynamics class="differential">
      <l_wheel pos="0 0.25" mass="2" width="0.05" diameter="0.2"/>
      <r_wheel pos="0 -0.25" mass="2" width="0.05" diameter="0.2"/>
      <chassis mass="15" zmin="0.05" zmax="0.6"/>
      <controller class="twist_pid"><KP>10</KP><KI>5</KI><KD>0</KD><V>0.5</V><W>20</W></controller>
    </dynamics>
    <friction class="c_coulomb"><mu>0.7</mu></friction>
  </vehicle>
</mvsim_world>
`;
const module = new Uint8Array(readFileSync(join(models, "coulomb.wasm")));
const files = (...more) => new Map([["a.world.xml", new TextEncoder().encode(world)], ...more]);
const errors = (given) => JSON.parse(simulator.check(given, "a.world.xml"))[0].diagnostics;

// without the module, and with a part of it
assert.match(errors(files())[0].message, /unknown friction class `c_coulomb`/);
const short = errors(files(["coulomb.wasm", module.slice(0, 200)]))[0];
assert.match(short.notes.join("\n"), /coulomb.wasm was skipped: it is not a WebAssembly module with models/);

// the bits of the program
assert.deepEqual(errors(files(["coulomb.wasm", module])), []);
simulator.open(files(["coulomb.wasm", module]), "a.world.xml");
simulator.runTo(5);
const hash = simulator.hash();
const folder = mkdtempSync(join(tmpdir(), "simhost-models-"));
writeFileSync(join(folder, "a.world.xml"), world);
const run = ["run", join(folder, "a.world.xml"), "--duration", "5", "--hash-every", "5", "--out", join(folder, "out")];
const printed = execFileSync(program, [...run, "--plugin-dir", models], { encoding: "utf8" });
rmSync(folder, { recursive: true });
assert.match(printed, new RegExp(`result hash ${hash} `));
console.log(`a model as a module has result hash ${hash} in a tab and in the program`);
