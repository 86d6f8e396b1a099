// Runs models in scripts in the simulator of a tab.
//
//   node framework/wasm/tests/scripts.mjs MODULE [MODELS]
//
// MODELS is a folder with coulomb.wasm, the example in C, whose arithmetic the friction model to begin with has, too.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";
import { load, loadFile } from "./load.mjs";

const [path, models] = process.argv.slice(2);
const module = readFileSync(path);
const Simulator = await load();
const { Scripts } = await loadFile("script/scripts.ts");
const { bundled, placed } = await loadFile("script/bundle.ts");
const { TEMPLATES, templateOf } = await loadFile("script/templates.ts");
const random = Math.random;

/** Runs the text that a worker with scripts has, and returns its scripts. */
function read(texts) {
  const bundle = bundled("'use strict';\nlet before;", Object.entries(texts).map(([path, text]) => ({ path, text })));
  let scripts;
  globalThis.simhostScripts = (entries) => { scripts = new Scripts(entries); };
  try {
    vm.runInThisContext(`{${bundle.text}}`, { filename: "worker.js" });
  } catch (error) {
    // a browser reports the line of an error of grammar, and Node writes it in front of the stack
    const place = placed(bundle.places, Number(/^worker\.js:(\d+)/.exec(error.stack)?.[1]), 1);
    throw Object.assign(error, { place });
  } finally {
    Math.random = random;
  }
  return scripts;
}

const encode = (text) => new TextEncoder().encode(text);

/** Returns a world with a vehicle that has these elements. */
function worldOf(elements, dynamics = `<dynamics class="differential">
    <l_wheel pos="0 0.25" mass="2" width="0.05" diameter="0.2"/><r_wheel pos="0 -0.25" mass="2" width="0.05" diameter="0.2"/>
    <chassis mass="15" zmin="0.05" zmax="0.6"/>
    CONTROLLER
  </dynamics>`, controller = '<controller class="twist_pid"><KP>10</KP><KI>5</KI><KD>0</KD><V>0.5</V><W>20</W></controller>') {
  return `<mvsim_world version="1.0">
  <simul_timestep>0.005</simul_timestep>
  <vehicle name="robot"><init_pose>0 0 0</init_pose>
  ${dynamics.replace("CONTROLLER", controller)}
  ${elements}</vehicle>
</mvsim_world>
`;
}

const worlds = join(import.meta.dirname, "../../../worlds");

/** Opens a world with scripts. */
async function opened(world, texts, more = []) {
  const simulator = await Simulator.load(module, read(texts));
  const files = new Map([["a.world.xml", encode(world)], ...more]);
  const report = JSON.parse(simulator.check(files, "a.world.xml"))[0];
  assert.deepEqual(report.diagnostics.filter(({ severity }) => severity === "error"), [], JSON.stringify(report.diagnostics));
  simulator.open(files, "a.world.xml");
  return simulator;
}

/** Returns the findings about a script. */
async function findings(text, world = worldOf("")) {
  const simulator = await Simulator.load(module, read({ "first.js": templateOf("actuator", "first"), "m.js": text }));
  const report = JSON.parse(simulator.check(new Map([["a.world.xml", encode(world)]]), "a.world.xml"))[0];
  assert.equal(report.errors, report.diagnostics.filter(({ severity }) => severity === "error").length);
  return report.diagnostics.map(({ file, line, column, message, label }) => `${file}:${line}:${column}: ${message}${label && `: ${label}`}`);
}

const parts = {
  async errors_of_grammar_are_at_their_lines() {
    for (const [text, line] of [["model({ kind: ) });", 1], ["\n\nlet = 3 4;\n", 3], ["model({\n", 1]]) {
      assert.throws(() => read({ "ok.js": templateOf("friction", "ok"), "m.js": text }), (error) => {
        assert.equal(error.name, "SyntaxError");
        assert.equal(error.place.path, "m.js");
        assert.ok(line === 1 || error.place.line === line, `${text}: ${error.place.line}`);
        return true;
      });
    }
  },

  async declarations_are_checked() {
    const friction = (rest) => `model({\n  kind: "friction", name: "my/m",\n  ${rest}\n});`;
    const force = "force() { return { fx: 0, fy: 0, spin_torque: 0 }; }";
    const cases = [
      ["const a = 1;", /^m\.js:1:1: the script declares no model/],
      ["undefinedName();", /^m\.js:1:1: ReferenceError: undefinedName is not defined/],
      ["\n  undefinedName();", /^m\.js:2:3: ReferenceError/],
      ["throw 3;", /^m\.js:1:1: the script has thrown `3`/],
      ["model(4);", /^m\.js:1:1: `model` needs an object/],
      ["model({ kind: 'frictoin' });", /^m\.js:1:9: the kind is `frictoin`; expected friction, .*did you mean `friction`/],
      ["model({ kind: 'sensor' });", /^m\.js:1:16: a script cannot be a model of the kind `sensor`/],
      [friction("forse: 1,"), /^m\.js:3:3: unknown property `forse`; did you mean `force`/],
      [friction(""), /^m\.js:2:3: the model has no method `force`/],
      [friction(`parameters: { mu: { defualt: 1 } }, ${force}`), /^m\.js:3:23: unknown property `defualt` of `mu`; did you mean `default`/],
      [friction(`parameters: { mu: NaN }, ${force}`), /^m\.js:3:17: the default of the parameter `mu` is `NaN`/],
      [friction(`states: { s: { kind: "jumping" } }, ${force}`), /^m\.js:3:13: the kind of the state `s` is `jumping`/],
      [friction(`inputs: ["chamber"], ${force}`), /^m\.js:3:13: `chamber` in `inputs` is not a quantity of the host; did you mean `camber`/],
      ["model({ kind: 'dynamics', name: 'm', drive() {}, motion() {} });", /^m\.js:1:50: the model has the methods `drive` and `motion`/],
      [templateOf("actuator", "first"), /^m\.js:5:3: the actuator class `my\/first` is declared in first\.js, too/],
      [`${friction(force)}\nmodel({});`, /^m\.js:5:1: the script declares a second model/],
    ];
    for (const [text, expected] of cases) {
      const [first = "no error"] = await findings(text);
      assert.match(first, expected, text);
    }
    // rules of the host, which its registry checks
    assert.match((await findings(friction(`name: "my/a b", ${force}`)))[0], /^m\.js:3:10: /);
  },

  async templates_run() {
    const expected = { friction: worldOf('<friction class="m"><mu>0.5</mu></friction>'),
      controller: worldOf("", undefined, '<controller class="m"><goal_x>1</goal_x></controller>'),
      dynamics: worldOf("", '<dynamics class="m"><controller class="raw"/></dynamics>'),
      actuator: worldOf("", undefined, '<controller class="twist_ideal"/><actuator class="m" port="twist_vx"><lag>0.5</lag></actuator>'),
      suspension: readFileSync(join(worlds, "chassis.world.xml"), "utf8").replace('class="double_wishbone" axle="front"', 'class="m" axle="front"') };
    assert.deepEqual(Object.keys(expected).sort(), [...TEMPLATES].sort());
    const parts = readdirSync(join(worlds, "parts")).map((name) => [`parts/${name}`, new Uint8Array(readFileSync(join(worlds, "parts", name)))]);
    for (const kind of TEMPLATES) {
      const simulator = await opened(expected[kind], { "m.js": templateOf(kind, "m") }, parts);
      simulator.runTo(2);
      assert.deepEqual(simulator.faults(), [], kind);
      simulator.close();
    }
  },

  async the_script_of_the_book_runs() {
    const book = readFileSync(join(import.meta.dirname, "../../../docs/src/tab.md"), "utf8");
    const [script, element] = [/```js\n([^]*?)```/, /```xml\n([^]*?)```/].map((block) => block.exec(book)[1]);
    const hash = async (elements) => {
      const simulator = await opened(worldOf(`<init_vel>1 0 20</init_vel>${elements}`), { "friction.js": script });
      simulator.runTo(2);
      assert.deepEqual(simulator.faults(), []);
      return simulator.hash();
    };
    assert.notEqual(await hash(element), await hash(element.replace("2", "20")), "the parameter has an influence");
  },

  async the_same_arithmetic_has_the_same_bits() {
    const run = async (simulator) => { simulator.runTo(5); return simulator.hash(); };
    const world = worldOf('<init_vel>1 0 20</init_vel><friction class="c_coulomb"><mu>0.02</mu></friction>');
    const script = templateOf("friction", "c_coulomb").replace("my/c_coulomb", "example/c_coulomb");
    const hash = await run(await opened(world, { "c_coulomb.js": script }));
    const other = await run(await opened(world, { "c_coulomb.js": script.replace("this.mu)", "1.01 * this.mu)") }));
    assert.notEqual(hash, other, "the script has an influence");
    if (models === undefined) return;
    const compiled = await run(await opened(world, {}, [["coulomb.wasm", new Uint8Array(readFileSync(join(models, "coulomb.wasm")))]]));
    assert.equal(hash, compiled);
  },

  async faults_name_the_line() {
    const text = (body) => `model({\n  kind: "friction",\n  name: "my/m",\n  states: { s: 1 },\n  force(wheel, state, step) {\n    if (step.time < 0.1) return { fx: 0, fy: 0, spin_torque: 0 };\n    ${body}\n  },\n});`;
    const good = "fx: 0, fy: 0, spin_torque: 0";
    const cases = [
      ["return wheel.missing.x;", 7, /^TypeError: Cannot read properties of undefined/],
      ["throw new Error(\"no grip\");", 7, /^no grip$/],
      ["return { fx: NaN, fy: 0, spin_torque: 0 };", 5, /^`fx` of `force` is `NaN`; expected a finite number/],
      ["return { fx: 0, fy: 0 };", 5, /^`spin_torque` of `force` is missing/],
      [`return { ${good}, fz: 1 };`, 7, /^`force` returns `fz`; expected `fx`, `fy`, `spin_torque`/],
      ["return 3;", 5, /^`force` returns `3`; expected an object/],
      [`state.t = 1; return { ${good} };`, 7, /^`force` sets the unknown state `t`; expected `s`/],
      [`state.s = "a"; return { ${good} };`, 5, /^`s` of `force` is `a`/],
      [`return { fx: Math.random(), fy: 0, spin_torque: 0 };`, 7, /^Math\.random is not repeatable/],
    ];
    for (const [body, line, expected] of cases) {
      const simulator = await opened(worldOf('<friction class="m"/>'), { "m.js": text(body) });
      if (body.includes("random")) Math.random = () => { throw new Error("Math.random is not repeatable; compute random numbers from a state"); };
      assert.throws(() => simulator.runTo(0.2), (error) => {
        console.log(`     ${error.message.split("\n")[0]}`);
        assert.match(error.message, new RegExp(`my/m \\(m\\.js\\) failed in \`force\`: .*, at line ${line} of m\\.js`));
        return true;
      });
      Math.random = random;
      const [fault] = simulator.faults();
      assert.ok(fault !== undefined, body);
      assert.match(fault.message, expected);
      assert.equal(`${fault.file}:${fault.line}`, `m.js:${line}`, body);
    }
  },

  async prepare_can_refuse_a_parameter() {
    const text = "model({ kind: \"friction\", name: \"m\", parameters: { mu: 1 },\n  prepare() { if (this.mu > 5) throw new Error(\"too much grip\"); this.double = 2 * this.mu; },\n"
      + "  force() { return { fx: 0 * this.double, fy: 0, spin_torque: 0 }; } });";
    const refused = await findings(text, worldOf('<friction class="m"><mu>6</mu></friction>'));
    assert.match(refused.join("\n"), /^a\.world\.xml:\d+:\d+: my\/m rejects its parameters: too much grip, at line 2 of m\.js/);
    const simulator = await opened(worldOf('<friction class="m"><mu>4</mu></friction>'), { "m.js": text });
    simulator.runTo(0.1);
    assert.deepEqual(simulator.faults(), []);
  },

  async rates_are_integrated() {
    const text = `model({ kind: "controller", name: "m", states: { angle: { unit: "rad", initial: 0.5 } }, outputs: ["twist_vx", "twist_vy", "twist_omega"],
      control(input, state) { if (state.angle > 0.75) throw new Error("reached"); return { twist_vx: 0.1, twist_vy: 0, twist_omega: 0 }; },
      rates(input, state) { state.angle = 7; return { angle: 0.5 }; } });`;
    const simulator = await opened(worldOf("", undefined, '<controller class="m"/>'), { "m.js": text });
    simulator.runTo(0.49);
    assert.deepEqual(simulator.faults(), []);
    assert.throws(() => simulator.runTo(0.52), /reached, at line 2 of m\.js/);
    assert.match(simulator.faults()[0]?.message ?? "", /reached/);
  },

  async a_controller_reads_a_lidar_and_commands() {
    const text = `model({ kind: "controller", name: "m", commands: { twist: ["v", "w"] },
      inputs: [{ name: "v", unit: "m/s" }, { name: "w", unit: "rad/s" }, { name: "range", unit: "m", reading: true }], outputs: ["twist_vx", "twist_vy", "twist_omega"],
      control({ v, w, range }) {
        if (range.values.length === 9 && range.age <= 0.1 && Math.min(...range.values) < 4) throw new Error("near, commanded " + v + " and " + w);
        return { twist_vx: v, twist_vy: 0, twist_omega: w };
      } });`;
    const wall = '<block name="wall"><init_pose>5 0 0</init_pose><static>true</static><zmax>2</zmax><shape><pt>0 -5</pt><pt>0 5</pt><pt>0.2 5</pt><pt>0.2 -5</pt></shape></block>';
    const laser = '<sensor class="laser" name="scan"><range>20</range><fov_degrees>40</fov_degrees><nrays>9</nrays><sensor_period>0.1</sensor_period></sensor>';
    const world = worldOf(laser, undefined, '<controller class="m"/>').replace("</mvsim_world>", `${wall}</mvsim_world>`);
    const simulator = await Simulator.load(module, read({ "m.js": text }));
    const files = new Map([["a.world.xml", encode(world)], ["c.csv", encode("time_s,vehicle,kind,v1,v2\n1,robot,twist,0.5,0\n")]]);
    simulator.open(files, "a.world.xml", { commands: "c.csv" });
    // 1 m at 0.5 m/s after a second
    assert.throws(() => simulator.runTo(10), (error) => {
      const time = Number(/^at ([\d.]+) s, vehicle 'robot': my\/m \(m\.js\) failed in `control`: near, commanded 0\.5 and 0/.exec(error.message)?.[1]);
      assert.ok(time > 2.9 && time < 3.3, error.message);
      return true;
    });
  },
};

for (const [name, part] of Object.entries(parts)) {
  await part();
  console.log(`ok   ${name.replaceAll("_", " ")}`);
}
