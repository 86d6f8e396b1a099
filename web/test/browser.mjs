// Drives the page in a browser: `node test/browser.mjs SIMHOST [PART...]`. SIMHOST is a program with the feature
// `view`. Screenshots that differ too much from those in `test/scenes` are written to `test/scenes/found`;
// UPDATE_EXPECT=1 replaces the expected ones, and DIST=1 takes the page from `dist` instead of the program.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { writeLarge } from "./large.mjs";
import { runParts } from "./parts.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const [simhost, ...wanted] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "page-browser-"));
/** Returns a new folder, also for a part that is repeated. */
const fresh = (name) => mkdtempSync(join(folder, name));
const SCENES = join(here, "scenes");

// programs end with the tests, also after a part that fails
const started = [];
process.on("exit", () => started.forEach((child) => child.kill()));

/** Starts the program and returns its address. */
async function serve(words, port = 0) {
  const child = spawn(simhost, ["view", "--no-open", ...words, "--live", `127.0.0.1:${port}`], { cwd: root });
  started.push(child);
  let text = "";
  const address = new Promise((resolve, reject) => {
    child.stderr.on("data", (data) => {
      text += data;
      const found = /open (http:\S+)/.exec(text);
      if (found) resolve(found[1]);
    });
    child.on("exit", (code) => reject(new Error(`the program ended with ${code}: ${text}`)));
  });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  return { address: await address, stop: async (signal = "SIGINT") => { child.kill(signal); await ended; }, log: () => text };
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--enable-unsafe-swiftshader", "--force-color-profile=srgb"],
});

/** Opens a page that must not report errors and must not ask other hosts for anything. */
async function open(address, viewport = { width: 960, height: 600 }, script = () => {}) {
  const page = await browser.newPage({ viewport, colorScheme: "light" });
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (!["127.0.0.1", ""].includes(url.hostname)) faults.push(`a request to ${url.hostname}`);
  });
  if (process.env.DIST) for (const name of ["app.js", "app.css"]) await page.route(`**/${name}`, (route) => route.fulfill({ path: join(here, "../dist", name) }));
  await page.addInitScript(script);
  await page.goto(address);
  await page.waitForFunction(() => window.simhost?.facts.state === "open" && window.simhost.facts.shapes > 0, null, { timeout: 20_000 });
  return { page, faults };
}

const pose = (page, name) => page.evaluate((one) => window.simhost.pose(one), name);
const facts = (page) => page.evaluate(() => window.simhost.facts);
const wait = (page, ms) => page.waitForTimeout(ms);
const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

// pictures are read in a page of its own, because the policy of the other one forbids it
const reader = await browser.newPage();

/** Returns the pixels of a picture: width and numbers. */
const pixels = (shot) => reader.evaluate(async (data) => {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
  const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  return { width: image.width, data: Array.from(context.getImageData(0, 0, image.width, image.height).data) };
}, shot.toString("base64"));

/** Returns the colour of the picture where a vehicle is. */
async function colourAt(page, name) {
  const at = await page.evaluate((one) => {
    document.querySelector(".names").style.display = "none";
    const { stage } = window.simhost;
    const { x, y, z } = window.simhost.pose(one);
    const box = stage.canvas.getBoundingClientRect();
    const place = stage.project(x, y, z + 0.4);
    return [Math.round(box.left + place.x), Math.round(box.top + place.y)];
  }, name);
  const { width, data } = await pixels(await page.screenshot());
  return data.slice(4 * (at[1] * width + at[0]), 4 * (at[1] * width + at[0]) + 3);
}

const PARTS = {
  async moves() {
    const server = await serve(["worlds/demo.world.xml", "--commands", "worlds/demo.commands.csv"]);
    const { page, faults } = await open(server.address);
    const before = await pose(page, "robot");
    await wait(page, 2500);
    const after = await pose(page, "robot");
    assert.ok(distance(before, after) > 0.3, `the robot moved by ${distance(before, after)} m`);
    await page.click("text=Pause");
    await wait(page, 500);
    const [red, green, blue] = await colourAt(page, "rover");
    assert.ok(red > green + 20 && green > blue, `the colour at the rover is ${[red, green, blue]}`);
    await server.stop();
    assert.deepEqual(faults, []);
    await page.close();
  },

  async bodies_move_and_the_camera_turns_in_a_world_with_gui() {
    const world = join(folder, "gui.world.xml");
    writeFileSync(world, `<mvsim_world version="1.0">
      <gui><cam_distance>12</cam_distance><cam_point_to>0 0 0</cam_point_to></gui>
      <vehicle name="r"><init_pose>-3 0 0</init_pose><dynamics class="differential"><chassis color="#d04020"/>
        <controller class="twist_ideal"/></dynamics></vehicle>
    </mvsim_world>`);
    const server = await serve([world]);
    const { page, faults } = await open(server.address);
    await page.waitForFunction(() => window.simhost.stage.distance === 12);
    await page.focus("canvas.stage");
    await page.keyboard.down("ArrowUp");
    await wait(page, 2500);
    await page.keyboard.up("ArrowUp");
    await page.click("text=Pause");
    await wait(page, 500);
    const { x } = await pose(page, "r");
    assert.ok(x > -2, `the robot is at ${x} m`);
    const [red, green, blue] = await colourAt(page, "r");
    assert.ok(red > green + 20 && red > blue + 20, `the colour at the robot is ${[red, green, blue]}`);
    const before = await page.evaluate(() => window.simhost.stage.azimuth);
    await page.mouse.move(480, 300);
    await page.mouse.down();
    await page.mouse.move(600, 300, { steps: 6 });
    await page.mouse.up();
    await wait(page, 500);
    const after = await page.evaluate(() => window.simhost.stage.azimuth);
    assert.ok(Math.abs(after - before) > 0.1, `the camera turned by ${after - before} rad`);
    await server.stop();
    assert.deepEqual(faults, []);
    await page.close();
  },

  async shows_vehicles_that_are_away_from_the_origin() {
    const world = join(folder, "away.world.xml");
    writeFileSync(world, `<mvsim_world version="1.0"><vehicle name="r"><init_pose>300 -120 0</init_pose>
      <dynamics class="differential"><controller class="twist_ideal"/></dynamics></vehicle></mvsim_world>`);
    const server = await serve([world]);
    const { page, faults } = await open(server.address);
    await page.waitForFunction(() => {
      const { x, y } = window.simhost.stage.target;
      return Math.hypot(x - 300, y + 120) < 2;
    }, null, { timeout: 10_000 });
    await server.stop();
    assert.deepEqual(faults, []);
    await page.close();
  },

  async drives_by_keys_and_repeats() {
    const out = fresh("driven");
    const server = await serve(["worlds/demo.world.xml", "--out", out]);
    const { page, faults } = await open(server.address);
    const start = await pose(page, "robot");
    await page.focus("canvas.stage");
    await page.keyboard.down("ArrowUp");
    await wait(page, 2000);
    const ahead = await pose(page, "robot");
    assert.ok(ahead.x - start.x > 0.8, `${ahead.x - start.x} m ahead`);
    await page.keyboard.down("KeyA");
    await wait(page, 1200);
    await page.keyboard.up("ArrowUp");
    await page.keyboard.up("KeyA");
    await wait(page, 1500);
    const turned = await pose(page, "robot");
    assert.ok(Math.abs(turned.yaw) > 0.5, `turned by ${turned.yaw}`);
    await wait(page, 500);
    assert.ok(distance(turned, await pose(page, "robot")) < 0.02, "the robot stands after the keys are released");
    // a hidden tab lets go as well
    await page.keyboard.down("ArrowUp");
    await wait(page, 600);
    await page.evaluate(() => window.dispatchEvent(new Event("blur")));
    await wait(page, 1200);
    const stopped = await pose(page, "robot");
    await wait(page, 500);
    assert.ok(distance(stopped, await pose(page, "robot")) < 0.02, "the robot stands after the page has lost the focus");
    // a second page watches
    const other = await open(server.address);
    await wait(other.page, 600);
    assert.match(await other.page.textContent(".side.right"), /Driven by/);
    await page.close();
    await server.stop();
    const rerun = spawn(simhost, ["rerun", out], { cwd: root });
    let text = "";
    rerun.stdout.on("data", (data) => { text += data; });
    rerun.stderr.on("data", (data) => { text += data; });
    const code = await new Promise((resolve) => rerun.on("exit", resolve));
    assert.equal(code, 0, text);
    assert.match(text, /agrees/);
    assert.ok(readFileSync(join(out, "inputs.jsonl"), "utf8").split("\n").length > 20, "the inputs are recorded");
    assert.deepEqual([...faults, ...other.faults], []);
    await other.page.close();
  },

  async drives_by_a_gamepad() {
    const out = fresh("pad");
    const server = await serve(["worlds/demo.world.xml", "--out", out]);
    const { page, faults } = await open(server.address, undefined, () => {
      const pad = { connected: true, axes: [0, 0, 0, 0], buttons: Array.from({ length: 16 }, () => ({ value: 0, pressed: false })) };
      window.pad = pad;
      navigator.getGamepads = () => [pad];
      // counts the messages that the page publishes, and keeps the last one
      window.sent = { count: 0, last: "" };
      const send = WebSocket.prototype.send;
      WebSocket.prototype.send = function (data) {
        if (typeof data !== "string" && new Uint8Array(data)[0] === 1) {
          window.sent.count += 1;
          window.sent.last = new TextDecoder().decode(new Uint8Array(data).subarray(5));
        }
        return send.call(this, data);
      };
    });
    // drawing in software takes the time of the timers that send
    await page.evaluate(() => { window.simhost.stage.heldUntil = Infinity; });
    const hold = (value) => page.evaluate((one) => { window.pad.buttons[7].value = one; window.sent.count = 0; }, value);
    const stands = async (why) => {
      await page.waitForFunction(() => /"x":0[,}]/.test(window.sent.last) && /"z":-?0[,}]/.test(window.sent.last));
      const { count } = await page.evaluate(() => window.sent);
      await wait(page, 500);
      assert.equal((await page.evaluate(() => window.sent)).count, count, `nothing is sent ${why}`);
    };
    const start = await pose(page, "robot");
    await hold(1);
    await wait(page, 2000);
    const { count } = await page.evaluate(() => window.sent);
    assert.ok(count >= 25 && count <= 45, `${count} messages in 2 s`);
    assert.ok((await pose(page, "robot")).x - start.x > 0.8, "the robot drives");
    await hold(0);
    await stands("after the release");
    for (const [why, leave, back] of [
      ["after the focus is lost", () => window.dispatchEvent(new Event("blur")), () => window.dispatchEvent(new Event("focus"))],
      ["while the tab is hidden", () => {
        Object.defineProperty(document, "hidden", { value: true, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, () => { delete document.hidden; document.dispatchEvent(new Event("visibilitychange")); }],
    ]) {
      await hold(1);
      await page.waitForFunction(() => window.sent.count > 5);
      // the pad is still held
      await page.evaluate(leave);
      await stands(why);
      await hold(0);
      await page.evaluate(back);
      // the page looks at the pad with each picture
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    }
    await server.stop();
    assert.deepEqual(faults, []);
    await page.close();
  },

  async records_a_part_of_a_run() {
    const out = fresh("part");
    const server = await serve(["worlds/demo.world.xml", "--commands", "worlds/demo.commands.csv", "--out", out]);
    const { page, faults } = await open(server.address);
    const record = page.locator("[title^='Start or stop a recording']");
    for (const name of ["recording.mcap", "recording-2.mcap"]) {
      await record.click();
      await page.waitForSelector(".on[title^='Start or stop a recording']");
      await wait(page, 1000);
      await record.click();
      await page.waitForSelector(":not(.on)[title^='Start or stop a recording']");
      assert.ok(existsSync(join(out, name)), name);
    }
    const { time } = await facts(page);
    await server.stop();
    assert.match(readFileSync(join(out, "manifest.json"), "utf8"), /recording-2\.mcap/);
    const second = await serve([join(out, "recording.mcap")]);
    const shown = await open(second.address);
    const { start, end } = await shown.page.evaluate(() => { const { start, end } = window.simhost.source.tape; return { start, end }; });
    assert.ok(end - start > 0.5 && end < time, `from ${start} to ${end} of ${time} s`);
    await second.stop();
    assert.deepEqual([...faults, ...shown.faults], []);
    await shown.page.close();
    await page.close();
  },

  async reads_a_large_recording_in_parts() {
    const path = join(folder, "large.mcap");
    await writeLarge(path, 200e6);
    const server = await serve([path]);
    let bytes = 0;
    const page = await browser.newPage();
    page.on("response", async (response) => { if (response.request().method() === "GET") bytes += Number(response.headers()["content-length"] ?? 0); });
    await page.goto(server.address);
    await page.waitForFunction(() => window.simhost?.facts.state === "open", null, { timeout: 20_000 });
    const before = Date.now();
    const value = await page.evaluate(() => new Promise((resolve) => {
      const { source, bus } = window.simhost;
      let isNear = false;
      bus.take("/often", { message: ({ value }) => { if (isNear && value > 600) resolve(value); } });
      isNear = true;
      source.tape.seek(700.2);
    }));
    assert.ok(Math.abs(value - 700) < 0.5, `${value}`);
    assert.ok(bytes < 6e6, `${bytes} bytes`);
    console.log(`     ${bytes} of 200,000,000 bytes, a seek in ${Date.now() - before} ms`);
    await server.stop();
    await page.close();
  },

  async pauses_steps_and_changes_parameters() {
    const server = await serve(["worlds/demo.world.xml"]);
    const { page, faults } = await open(server.address);
    await page.click("text=Pause");
    await wait(page, 400);
    const { time } = await facts(page);
    await wait(page, 400);
    assert.equal((await facts(page)).time, time);
    // each step of a pause is sent, but not the last one before it
    await page.click("button:has-text('Step')");
    await wait(page, 400);
    const first = (await facts(page)).time;
    assert.ok(first > time);
    await page.click("button:has-text('Step')");
    await wait(page, 400);
    assert.ok(Math.abs((await facts(page)).time - first - 0.005) < 1e-6);
    await page.click("text=Values");
    const field = page.locator("[data-name='robot/controller/KP'] input");
    await field.fill("31");
    await field.press("Enter");
    await page.click("button:has-text('Step')");
    await wait(page, 800);
    assert.equal(await field.inputValue(), "31");
    const bounded = page.locator("[data-name='robot/controller/KD'] input");
    await bounded.fill("-5");
    await bounded.press("Enter");
    await page.waitForSelector(".notice.error:not([hidden])");
    assert.match(await page.textContent(".notice"), /KD/);
    await server.stop();
    assert.deepEqual(faults, []);
    await page.close();
  },

  async edits_and_saves() {
    const out = fresh("edited");
    const server = await serve(["worlds/demo.world.xml", "--out", out]);
    const { page, faults } = await open(server.address);
    await page.click("text=Edit");
    await page.click("text=Top");
    await wait(page, 800);
    const box = await page.locator("canvas.stage").boundingBox();
    const shapes = (await facts(page)).shapes;
    await page.click("button:has-text('Box')");
    await page.mouse.click(box.x + 0.5 * box.width, box.y + 0.25 * box.height);
    await page.waitForFunction((count) => window.simhost.facts.shapes > count, shapes);
    const before = await pose(page, "robot");
    const at = await page.evaluate(() => {
      const { x, y, z } = window.simhost.pose("robot");
      return window.simhost.stage.project(x, y, z + 0.3);
    });
    await page.mouse.move(box.x + at.x, box.y + at.y);
    await page.mouse.down();
    await page.mouse.move(box.x + at.x + 50, box.y + at.y, { steps: 6 });
    await page.mouse.up();
    await page.waitForFunction((x) => window.simhost.pose("robot").x - x > 0.5, before.x);
    await wait(page, 1500);
    const moved = await pose(page, "robot");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Save world")]);
    const saved = join(folder, "edited.world.xml");
    await download.saveAs(saved);
    const text = readFileSync(saved, "utf8");
    assert.match(text, /added_1/);
    const start = /<vehicle name="robot"[^>]*>\s*<init_pose>(\S+) /.exec(text);
    assert.ok(Math.abs(Number(start?.[1]) - moved.x) < 0.01, `${start?.[0]} is not where the robot was put, ${moved.x}`);
    const check = spawn(simhost, ["check", saved], { cwd: root });
    assert.equal(await new Promise((resolve) => check.on("exit", resolve)), 0);
    await page.keyboard.press("Control+z");
    await page.waitForFunction((x) => Math.abs(window.simhost.pose("robot").x - x) < 0.05, before.x);
    await page.keyboard.press("Control+z");
    await page.waitForFunction((count) => window.simhost.facts.shapes === count, shapes);
    await page.keyboard.press("Control+y");
    await page.waitForFunction((count) => window.simhost.facts.shapes > count, shapes);
    await page.keyboard.press("Control+z");
    await page.waitForFunction((count) => window.simhost.facts.shapes === count, shapes);
    // a vehicle that is removed comes back where it was
    const rover = await pose(page, "rover");
    await page.selectOption("[aria-label=Vehicle]", "rover");
    await wait(page, 500);
    const place = await page.evaluate(() => {
      const { x, y, z } = window.simhost.pose("rover");
      return window.simhost.stage.project(x, y, z + 0.3);
    });
    await page.mouse.click(box.x + place.x, box.y + place.y);
    await page.keyboard.press("Delete");
    await page.waitForFunction((count) => window.simhost.facts.shapes < count, shapes);
    await page.keyboard.press("Control+z");
    await page.waitForFunction((count) => window.simhost.facts.shapes === count, shapes);
    await wait(page, 500);
    assert.ok(distance(rover, await pose(page, "rover")) < 0.02, "the rover is where it was");
    // vehicles of the classes of the world, and of a file
    await page.selectOption("[aria-label='Kind of vehicle']", { index: 1 });
    await page.mouse.click(box.x + 0.4 * box.width, box.y + 0.25 * box.height);
    await page.waitForFunction(() => window.simhost.facts.vehicles.length === 4);
    await page.setInputFiles("input[type=file]", join(root, "worlds/definitions/robot.xml"));
    await page.waitForFunction(() => document.querySelector("[aria-label='Kind of vehicle']").value !== "");
    await page.mouse.click(box.x + 0.6 * box.width, box.y + 0.25 * box.height);
    await page.waitForFunction(() => window.simhost.facts.vehicles.length === 5);
    await page.keyboard.press("Control+z");
    await page.waitForFunction(() => window.simhost.facts.vehicles.length === 4);
    await page.keyboard.press("Control+y");
    await page.waitForFunction(() => window.simhost.facts.vehicles.length === 5);
    await wait(page, 500);
    await server.stop();
    const rerun = spawn(simhost, ["rerun", out], { cwd: root });
    assert.equal(await new Promise((resolve) => rerun.on("exit", resolve)), 0, "the session repeats");
    assert.deepEqual(faults, []);
    await page.close();
  },

  async survives_the_loss_of_the_server() {
    const server = await serve(["worlds/demo.world.xml"]);
    const { page, faults } = await open(server.address);
    const { port } = new URL(server.address);
    await server.stop("SIGKILL");
    await page.waitForFunction(() => window.simhost.facts.state !== "open");
    assert.match(await page.textContent(".notice"), /trying again/);
    const again = await serve(["worlds/demo.world.xml"], port);
    await page.waitForFunction(() => window.simhost.facts.state === "open", null, { timeout: 10_000 });
    const { time } = await facts(page);
    await wait(page, 1500);
    assert.notEqual((await facts(page)).time, time);
    await again.stop();
    assert.deepEqual(faults, []);
    await page.close();
  },

  async shows_recordings() {
    const out = fresh("recorded");
    const run = spawn(simhost, ["run", "worlds/demo.world.xml", "--commands", "worlds/demo.commands.csv", "--out", out, "--mcap", "--quiet"], { cwd: root });
    assert.equal(await new Promise((resolve) => run.on("exit", resolve)), 0);
    const server = await serve([out]);
    const { page, faults } = await open(server.address);
    await page.evaluate(() => window.simhost.source.tape.seek(8));
    await wait(page, 400);
    const live = await pose(page, "robot");
    await page.click("text=Play");
    await wait(page, 1200);
    assert.ok((await facts(page)).time > 8.3);
    await page.close();
    await server.stop();
    const file = join(folder, "page.html");
    const exported = spawn(simhost, ["export-page", out, "--out", file], { cwd: root });
    assert.equal(await new Promise((resolve) => exported.on("exit", resolve)), 0);
    const single = await open(`file://${file}`);
    await single.page.evaluate(() => window.simhost.source.tape.seek(8));
    await wait(single.page, 400);
    assert.ok(distance(await pose(single.page, "robot"), live) < 1e-9);
    assert.deepEqual([...faults, ...single.faults], []);
    await single.page.close();
    // a recording that is dropped on a live page ends the connection
    const running = await serve(["worlds/demo.world.xml"]);
    const dropped = await open(running.address);
    const data = readFileSync(join(out, "run.mcap")).toString("base64");
    const isOpen = await dropped.page.evaluate(async (text) => {
      const old = window.simhost.source;
      const files = new DataTransfer();
      files.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], "run.mcap"));
      window.dispatchEvent(new DragEvent("drop", { dataTransfer: files }));
      await new Promise((resolve) => setTimeout(resolve, 2000));
      return old.transport.isOpen;
    }, data);
    await dropped.page.waitForFunction(() => window.simhost.source.tape !== undefined && window.simhost.facts.shapes > 0);
    assert.equal(isOpen, false);
    assert.match(await dropped.page.textContent(".notice"), /shapes are shown without meshes/);
    await running.stop();
    assert.deepEqual(dropped.faults, []);
    await dropped.page.close();
  },

  async shows_a_picture_from_above_without_webgl() {
    const server = await serve(["worlds/demo.world.xml", "--commands", "worlds/demo.commands.csv"]);
    const { page, faults } = await open(server.address, { width: 960, height: 600 }, () => {
      const get = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind.startsWith("webgl") ? null : get.call(this, kind, ...rest);
      };
    });
    assert.match(await page.textContent(".notice"), /no WebGL 2/);
    await wait(page, 1000);
    await page.click("text=Pause");
    await wait(page, 600);
    const [red, green, blue] = await colourAt(page, "rover");
    // orange, also below a line
    assert.ok(red > 1.3 * green && green > 1.3 * blue, `the colour at the rover is ${[red, green, blue]}`);
    await server.stop();
    assert.deepEqual(faults, []);
    await page.close();
  },

  async shows_contacts_neighbours_and_paths() {
    const server = await serve(["worlds/nearby.world.xml", "--commands", "worlds/nearby.commands.csv"]);
    const { page, faults } = await open(server.address);
    const before = await facts(page);
    await page.click("text=Layers");
    for (const layer of ["contacts", "nearby"]) await page.check(`[data-layer=${layer}] input`);
    assert.ok((await facts(page)).subscribed > before.subscribed, "what is shown is subscribed to");
    // from the start again, because the cart pushes a crate for a while only
    await page.evaluate(() => window.simhost.source.call("/simhost/reset", { seed: -1 }));
    await page.waitForFunction(() => {
      const { geometry } = window.simhost.layers.contacts.object;
      const [x, y] = geometry.attributes.position?.array ?? [];
      const cart = window.simhost.pose("cart");
      return geometry.drawRange.count > 3 && Math.hypot(x - cart.x, y - cart.y) < 2;
    });
    await page.waitForFunction(() => ["objects", "radar"].every((one) =>
      window.simhost.layers.drawn.get(`/cart/${one}/readings`).object.children[0].geometry.drawRange.count >= 2));
    await page.uncheck("[data-layer=nearby] input");
    assert.equal((await facts(page)).subscribed, before.subscribed);
    await server.stop();
    await page.close();
    const other = await serve(["worlds/lane_change.world.xml"]);
    const shown = await open(other.address);
    await shown.page.waitForFunction(() => window.simhost.layers.paths.object.geometry.drawRange.count >= 8);
    const path = await shown.page.evaluate(() => Array.from(window.simhost.layers.paths.object.geometry.attributes.position.array.slice(0, 12)));
    assert.deepEqual(path.map((number) => Math.round(10 * number) / 10), [0, 0, 0, 45, 0, 0, 45, 0, 0, 75, 3.5, 0]);
    await other.stop();
    assert.deepEqual([...faults, ...shown.faults], []);
    await shown.page.close();
  },

  async obeys_the_settings_of_a_world() {
    const world = join(folder, "settings.world.xml");
    writeFileSync(world, `<mvsim_world version="1.0">
      <gui><ortho>true</ortho><show_forces>true</show_forces><force_scale>0.02</force_scale><show_sensor_points>false</show_sensor_points>
        <cam_distance>17</cam_distance><cam_azimuth>30</cam_azimuth><cam_elevation>60</cam_elevation><cam_point_to>3 4 0</cam_point_to>
        <fov_deg>35</fov_deg><clip_plane_min>0.2</clip_plane_min><clip_plane_max>500</clip_plane_max></gui>
      <lights><enable_shadows>false</enable_shadows><light_azimuth_deg>90</light_azimuth_deg><light_elevation_deg>30</light_elevation_deg>
        <light_color>#ff0000</light_color><light_ambient>0.25</light_ambient></lights>
      <element class="ground_grid"><interval>2</interval><x_min>-4</x_min><x_max>4</x_max><y_min>-4</y_min><y_max>4</y_max></element>
      <element class="ground_grid"><floating_focus>r</floating_focus><interval>1</interval></element>
      <element class="ground_grid"><floating>false</floating></element>
      <block name="ball"><init_pose>6 0 0</init_pose><geometry type="sphere" radius="0.5"/></block>
      <vehicle name="r"><init_pose>10.2 -3.1 0</init_pose><dynamics class="differential"><controller class="twist_ideal"/></dynamics></vehicle>
    </mvsim_world>`);
    const server = await serve([world]);
    const { page, faults } = await open(server.address);
    await page.waitForFunction(() => window.simhost.stage.distance === 17);
    const found = await page.evaluate(() => {
      const { stage, layers, shapes, frames } = window.simhost;
      const { x, y, z } = stage.sun.position.clone().sub(stage.sun.target.position).normalize();
      const kinds = Object.fromEntries([...shapes.all()].flatMap((batch) => batch.instances.map((one) => [one.label, batch.geometry.type])));
      const grid = (number) => frames.translation(frames.find(`ground_grid/${number}`));
      return {
        ortho: stage.isOrthographic, forces: layers.isOn("forces"), scale: layers.forceScale, points: [layers.isOn("scans"), layers.isOn("points")],
        view: [stage.azimuth, stage.elevation].map((angle) => Math.round((angle * 180) / Math.PI)), target: stage.target.toArray(),
        camera: [stage.camera.fov, stage.camera.near, stage.camera.far].map((number) => Math.round(100 * number) / 100), shadows: stage.sun.castShadow,
        sun: [x, y, z].map((part) => Math.round(100 * part) / 100), color: stage.sun.color.getHexString(), ambient: stage.ambient.intensity,
        ball: kinds["block/ball"], grids: [grid(1), grid(2)], still: frames.find("ground_grid/3") ?? "in the world", lines: stage.grid.visible,
      };
    });
    assert.deepEqual(found, {
      ortho: true, forces: true, scale: 0.02, points: [false, false], view: [30, 60], target: [3, 4, 0], camera: [35, 0.2, 500], shadows: false,
      sun: [0, 0.87, 0.5], color: "ff0000", ambient: 0.1, ball: "SphereGeometry",
      // the first grid is about what the camera looks at, the second one about the vehicle
      grids: [[4, 4, 0], [10, -3, 0]], still: "in the world", lines: false,
    });
    await page.evaluate(() => { window.simhost.stage.target.x = 8.9; window.simhost.stage.touch(); });
    await page.waitForFunction(() => { const { frames } = window.simhost; return frames.translation(frames.find("ground_grid/1"))[0] === 8; });
    await server.stop();
    assert.deepEqual(faults, []);
    await page.close();
  },

  async shows_another_server() {
    const [own, other] = [await serve(["worlds/demo.world.xml"]), await serve(["worlds/office.world.xml"])];
    const address = other.address.replace("http", "ws").replace(/\/$/, "");
    const { page, faults } = await open(`${own.address}?ws=${encodeURIComponent(address)}`);
    await page.waitForFunction(() => window.simhost.facts.vehicles.includes("r1"));
    await own.stop();
    await other.stop();
    assert.deepEqual(faults, []);
    await page.close();
  },

  async scenes() {
    mkdirSync(SCENES, { recursive: true });
    const scenes = [
      ["demo", "worlds/demo.world.xml", ["robot", "car", "rover"]], ["office", "worlds/office.world.xml", ["r1", "r2"]],
      ["lidar", "worlds/lidar.world.xml", ["cart"]], ["hill", "worlds/hill.world.xml", ["climber"]],
      ["cameras", "worlds/cameras.world.xml", ["rover"]], ["parking", "worlds/parking.world.xml", []],
    ];
    const problems = [];
    for (const [name, world, named] of scenes) {
      const out = join(folder, `scene-${name}`);
      const run = spawn(simhost, ["run", world, "--duration", "0.5", "--out", out, "--mcap", "--quiet"], { cwd: root });
      assert.equal(await new Promise((resolve) => run.on("exit", resolve)), 0, name);
      const server = await serve([out]);
      const { page, faults } = await open(server.address, { width: 320, height: 200 });
      await page.evaluate(() => {
        for (const bar of document.querySelectorAll(".bar, .side, .names")) bar.style.display = "none";
        window.simhost.source.tape.seek(0.5);
        window.simhost.frameAll();
      });
      await wait(page, 2500);
      const shot = await page.screenshot();
      const at = await page.evaluate((names) => Object.fromEntries(names.map((one) => {
        const { x, y, z } = window.simhost.pose(one);
        const { x: left, y: top } = window.simhost.stage.project(x, y, z);
        return [one, [left, top]];
      })), named);
      problems.push(...(await compare(name, shot, at)), ...faults.map((fault) => `${name}: ${fault}`));
      await page.close();
      await server.stop();
    }
    assert.deepEqual(problems, []);
  },
};

/** Compares a screenshot with the expected one. */
async function compare(name, shot, at) {
  const [picture, places] = [join(SCENES, `${name}.png`), join(SCENES, `${name}.json`)];
  if (process.env.UPDATE_EXPECT === "1" || !existsSync(picture)) {
    writeFileSync(picture, shot);
    writeFileSync(places, `${JSON.stringify(at)}\n`);
    return process.env.UPDATE_EXPECT === "1" ? [] : [`${name}: there was no expected picture`];
  }
  const known = JSON.parse(readFileSync(places, "utf8"));
  const problems = Object.entries(known).filter(([one, [x, y]]) => Math.hypot(at[one][0] - x, at[one][1] - y) > 3)
    .map(([one, place]) => `${name}: ${one} is at ${at[one]}; expected ${place}`);
  const [one, other] = [(await pixels(shot)).data, (await pixels(readFileSync(picture))).data];
  let differing = one.length === other.length ? 0 : one.length;
  for (let i = 0; i < one.length; i += 4) {
    if ([0, 1, 2].some((part) => Math.abs(one[i + part] - other[i + part]) > 24)) differing += 1;
  }
  const share = (4 * differing) / one.length;
  if (share > 0.02) {
    mkdirSync(join(SCENES, "found"), { recursive: true });
    writeFileSync(join(SCENES, "found", `${name}.png`), shot);
    problems.push(`${name}: ${(100 * share).toFixed(1)} % of the pixels differ`);
  }
  return problems;
}

const failures = await runParts(browser, PARTS, wanted);
await browser.close();
rmSync(folder, { recursive: true, force: true });
process.exit(failures === 0 ? 0 : 1);
