// Drives the folder of `simhost page --worlds worlds` in a browser: `node test/tab.mjs FOLDER [PART...]`. FOLDER can be the address of a
// server that serves it. With SIMHOST, a program repeats the run that the tab saves, and with MODEL, the page takes the example
// in C as a module. SINGLE is the absolute path of the page as one file. Pictures go to the folder PICTURES, `target/tab-pictures` by default.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateRawSync, gzipSync } from "node:zlib";
import { unzipSync } from "fflate";
import { chromium } from "playwright-core";
import { runParts } from "./parts.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const [folder, ...wanted] = process.argv.slice(2);
const pictures = process.env.PICTURES ?? join(root, "target/tab-pictures");
const temporary = mkdtempSync(join(tmpdir(), "tab-"));
mkdirSync(pictures, { recursive: true });
/** Largest size of the folder, bytes compressed. */
const LIMIT = 4_290_000;
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".wasm": "application/wasm" };

/** Serves a folder as any web server does, without headers of its own. */
function serve(path) {
  const server = createServer((request, response) => {
    const name = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    try {
      const body = readFileSync(join(path, name.endsWith("/") ? `${name}index.html` : name));
      response.writeHead(200, { "Content-Type": TYPES[extname(name)] ?? (name.endsWith("/") ? "text/html" : "application/octet-stream") });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve({ address: `http://127.0.0.1:${server.address().port}/`, server })));
}

const { address, server } = /^https?:/.test(folder) ? { address: folder } : await serve(folder);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--enable-unsafe-swiftshader", "--force-color-profile=srgb"],
});

/** Opens the page, which must not report errors, violate its policy or ask other hosts for anything. */
async function open(rest = "", isWorld = true) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 760 }, colorScheme: "light" });
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => { if (message.type() === "error") faults.push(message.text()); });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin !== new URL(address).origin && !["blob:", "data:"].includes(url.protocol)) faults.push(`a request to ${url.origin}`);
  });
  await page.goto(address + rest);
  if (isWorld) await running(page);
  return { page, faults };
}

const running = (page) => page.waitForFunction(() => window.simhost?.facts.state === "open" && window.simhost.facts.shapes > 0, null, { timeout: 30_000 });
const facts = (page) => page.evaluate(() => window.simhost.facts);
const pose = (page, name) => page.evaluate((one) => window.simhost.pose(one), name);
const wait = (page, ms) => page.waitForTimeout(ms);
const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
const text = (page) => page.locator(".cm-content");
const summary = (page, pattern) => page.waitForFunction((one) => new RegExp(one).test(document.querySelector(".summary").textContent), pattern, { timeout: 20_000 });
const picture = (page, name) => page.screenshot({ path: join(pictures, `${name}.png`) });

/** Puts the cursor at the end of a line of the text that contains some letters. */
async function atLine(page, letters) {
  await page.locator(".cm-line", { hasText: letters }).first().click();
  await page.keyboard.press("End");
}

/** Saves the file that a click downloads. */
async function downloaded(page, selector) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(selector)]);
  const path = join(temporary, download.suggestedFilename());
  await download.saveAs(path);
  return path;
}

/** Drops a file on the page. */
const drop = (page, name, content) => page.evaluate(([one, data]) => {
  const files = new DataTransfer();
  files.items.add(new File([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))], one));
  window.dispatchEvent(new DragEvent("drop", { dataTransfer: files }));
}, [name, Buffer.from(content).toString("base64")]);

/** A world whose friction model is a script. */
const SCRIPTED = `<mvsim_world>
  <vehicle name="mine">
    <init_pose>0 0 0</init_pose><init_vel>0.4 0 10</init_vel>
    <dynamics class="differential"><controller class="twist_pid"><KP>10</KP><KI>5</KI><KD>0</KD><V>0.5</V><W>20</W></controller></dynamics>
    <friction class="my/friction"/>
  </vehicle>
</mvsim_world>`;

/** Returns the end of an address with texts of files. */
const linkTo = (texts) => `#world=${deflateRawSync(JSON.stringify({ world: Object.keys(texts)[0], texts })).toString("base64url")}`;

/** Returns a script that attempts what it must not do, and reports the outcomes. */
const hostile = (stranger, own) => `
const outcomes = {};
function attempt(name, act) {
  outcomes[name] = "pending";
  try {
    const made = act((outcome) => { outcomes[name] = outcome; });
    if (made instanceof Promise) made.then((value) => { outcomes[name] = "done: " + value; }, (error) => { outcomes[name] = "refused: " + error; });
    else if (outcomes[name] === "pending" && made !== "wait") outcomes[name] = "done: " + made;
  } catch (error) {
    outcomes[name] = "refused: " + error;
  }
}
for (const [name, url] of [["stranger", "${stranger}"], ["own", "${own}worlds/index.json"]]) {
  attempt("fetch " + name, () => fetch(url, { mode: "no-cors" }));
  attempt("XHR " + name, () => { const request = new XMLHttpRequest(); request.open("GET", url, false); request.send(); return request.status; });
  attempt("importScripts " + name, () => importScripts(url));
  attempt("import " + name, () => import(url));
}
attempt("WebSocket", (say) => { const socket = new WebSocket("${stranger.replace("http", "ws")}"); socket.onopen = () => say("done"); socket.onerror = () => say("refused: error"); return "wait"; });
attempt("EventSource", (say) => { const source = new EventSource("${stranger}"); source.onopen = () => say("done"); source.onerror = () => say("refused: error"); return "wait"; });
attempt("eval", () => eval("1 + 1"));
attempt("Function", () => new Function("return 2")());
attempt("setTimeout of a text", () => { globalThis.wasRun = false; setTimeout("globalThis.wasRun = true"); return new Promise((resolve, reject) => setTimeout(() => globalThis.wasRun ? resolve("run") : reject("not run"), 100)); });
attempt("indexedDB", (say) => { const request = indexedDB.open("a"); request.onsuccess = () => say("done"); request.onerror = () => say("refused: error"); return "wait"; });
attempt("caches", () => caches.open("a"));
attempt("storage", () => navigator.storage.getDirectory());
attempt("worker of an address", (say) => { const worker = new Worker("${own}worker.js"); worker.onerror = () => say("refused: error"); return "wait"; });
model({ kind: "friction", name: "my/friction", force(wheel, state, { time }) {
  if (time > 0.8) throw new Error("outcomes " + JSON.stringify(outcomes));
  return { fx: 0, fy: 0, spin_torque: 0 };
} });
`;

/** Returns the compressed size of each file of a folder. */
function sizes(path) {
  return readdirSync(path, { recursive: true }).filter((name) => statSync(join(path, name)).isFile())
    .map((name) => [name, gzipSync(readFileSync(join(path, name)), { level: 9 }).length]);
}

const PARTS = {
  async is_small() {
    if (server === undefined) return;
    const all = sizes(folder);
    const total = all.reduce((sum, [, size]) => sum + size, 0);
    console.log(`     ${total} bytes compressed, ${all.find(([name]) => name === "simhost.wasm")?.[1]} of them the simulator`);
    assert.ok(total <= LIMIT, `${total} bytes compressed; expected at most ${LIMIT}`);
  },

  async opens_and_runs() {
    const start = Date.now();
    const { page, faults } = await open();
    await page.waitForFunction(() => window.simhost.facts.pictures > 0);
    console.log(`     first picture after ${Date.now() - start} ms`);
    const { time } = await facts(page);
    await wait(page, 2000);
    const passed = (await facts(page)).time - time;
    assert.ok(passed > 1 && passed < 3, `${passed} s of simulated time in 2 s`);
    await picture(page, "open");
    assert.deepEqual(faults, []);
    await page.close();
  },

  async drives_by_keys() {
    const { page, faults } = await open();
    const start = await pose(page, "robot");
    await page.focus("canvas.stage");
    await page.keyboard.down("ArrowUp");
    await page.waitForFunction((x) => window.simhost.pose("robot").x - x > 0.8, start.x);
    await page.keyboard.down("ArrowLeft");
    await wait(page, 1200);
    await page.keyboard.up("ArrowUp");
    await page.keyboard.up("ArrowLeft");
    await wait(page, 1500);
    const turned = await pose(page, "robot");
    assert.ok(Math.abs(turned.yaw - start.yaw) > 0.3, `turned by ${turned.yaw - start.yaw}`);
    await wait(page, 500);
    assert.ok(distance(turned, await pose(page, "robot")) < 0.05, "the robot stands after the keys are released");
    // keys that are typed into the text do not drive
    await atLine(page, "<random_seed>");
    await page.keyboard.type(" wwww ");
    await page.keyboard.press("ArrowUp");
    await wait(page, 600);
    assert.ok(distance(turned, await pose(page, "robot")) < 0.05, "the robot stands while text is typed");
    assert.deepEqual(faults, []);
    await page.close();
  },

  async reports_errors_at_line_and_column() {
    const { page, faults } = await open();
    const { time } = await facts(page);
    await atLine(page, "<duration>");
    await page.keyboard.insertText("<durration>1</durration>");
    await summary(page, "1 error");
    const finding = await page.textContent(".finding");
    assert.match(finding, /^5:\d+/);
    assert.match(finding, /durration/);
    await page.locator(".cm-lintRange-error").first().waitFor();
    assert.ok((await facts(page)).time > time, "the running world is not disturbed");
    await page.keyboard.press("Home");
    await picture(page, "error");
    // a world with errors does not replace the running one
    const before = (await facts(page)).time;
    await page.click("text=Run");
    await summary(page, "1 error");
    assert.ok((await facts(page)).time >= before);
    await page.click(".finding");
    assert.equal(await page.evaluate(() => document.querySelector(".text").shadowRoot.activeElement?.className.includes("cm-content")), true);
    await text(page).press("Control+z");
    await summary(page, "No errors");
    assert.equal(await page.locator(".finding").count(), 0);
    assert.deepEqual(faults, []);
    await page.close();
  },

  async runs_a_change_and_keeps_the_view() {
    const { page, faults } = await open();
    await page.mouse.move(700, 400);
    await page.mouse.down();
    await page.mouse.move(790, 420, { steps: 6 });
    await page.mouse.up();
    await page.click("text=Pause");
    await wait(page, 500);
    const view = () => page.evaluate(() => { const { azimuth, elevation, distance } = window.simhost.stage; return [azimuth, elevation, distance]; });
    const [before, shapes] = [await view(), (await facts(page)).shapes];
    const { time } = await facts(page);
    assert.ok(time > 0);
    await atLine(page, "<random_seed>");
    await page.keyboard.insertText('<block name="new"><init_pose>2 2 0</init_pose><shape><pt>-1 -1</pt><pt>1 -1</pt><pt>1 1</pt></shape></block>');
    await summary(page, "No errors");
    await text(page).press("Control+Enter");
    await page.waitForFunction((count) => window.simhost.facts.shapes > count, shapes);
    await wait(page, 1000);
    const after = await facts(page);
    assert.deepEqual(await view(), before, "the camera stays");
    assert.equal(after.isPaused, true, "the run stays paused");
    assert.ok(after.time < time, `the new run is at ${after.time} s`);
    await page.click("text=Play");
    await page.waitForFunction((past) => window.simhost.facts.time > past, after.time);
    assert.deepEqual(faults, []);
    await page.close();
  },

  async completes_names_and_classes() {
    const { page, faults } = await open();
    await atLine(page, "<random_seed>");
    await page.keyboard.press("Enter");
    await page.keyboard.type("<veh");
    await page.locator(".cm-tooltip-autocomplete", { hasText: "vehicle:class" }).waitFor();
    await page.keyboard.type('icle name="v" class="');
    await page.locator(".cm-tooltip-autocomplete", { hasText: "robot" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.type('"><dynamics class="');
    const list = page.locator(".cm-tooltip-autocomplete", { hasText: "ackermann" });
    await list.waitFor();
    await picture(page, "completion");
    assert.deepEqual(faults, []);
    await page.close();
  },

  async shares_a_link() {
    const { page, faults } = await open();
    await atLine(page, "<random_seed>");
    await page.keyboard.insertText("<!-- größer → -->");
    await summary(page, "No errors");
    await page.click("text=Share");
    await page.waitForFunction(() => window.location.hash.startsWith("#world="));
    const link = page.url();
    assert.ok(link.length < 8000, `${link.length} characters`);
    await page.close();
    const other = await open(link.slice(address.length));
    assert.match(await text(other.page).textContent(), /größer →/);
    await other.page.close();
    const broken = await open("#world=abc", false);
    await broken.page.waitForSelector(".notice.error");
    assert.match(await broken.page.textContent(".notice"), /does not contain a world/);
    await broken.page.close();
    assert.deepEqual([...faults, ...other.faults, ...broken.faults], []);
  },

  async refuses_worlds_of_other_origins() {
    const { page, faults } = await open("?world=https://example.org/a.world.xml", false);
    await page.waitForSelector(".notice.error");
    assert.match(await page.textContent(".notice"), /is not opened: expected an address of http:\/\/127\.0\.0\.1/);
    assert.deepEqual(faults, []);
    await page.close();
  },

  async takes_dropped_files() {
    const { page, faults } = await open();
    await atLine(page, "<random_seed>");
    await page.keyboard.insertText('<include file="mine.xml"/>');
    await summary(page, "[1-9] error");
    await drop(page, "mine.xml", '<block name="mine"><init_pose>3 3 0</init_pose></block>');
    await summary(page, "No errors");
    assert.deepEqual(await page.locator("[aria-label=File] option").allTextContents(), ["demo.world.xml", "demo.commands.csv", "mine.xml"]);
    const { shapes } = await facts(page);
    await page.click("text=Run");
    await page.waitForFunction((count) => window.simhost.facts.shapes > count, shapes);
    // a whole world replaces the present one
    await drop(page, "own.world.xml", '<mvsim_world><vehicle name="mine"><init_pose>0 0 0</init_pose><dynamics class="differential"><controller class="twist_ideal"/></dynamics></vehicle></mvsim_world>');
    await page.waitForFunction(() => window.simhost.facts.vehicles.join() === "mine");
    assert.deepEqual(faults, []);
    await page.close();
  },

  async opens_from_a_disk() {
    if (process.env.SINGLE === undefined) return;
    const page = await browser.newPage({ viewport: { width: 1280, height: 760 } });
    const faults = [];
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => { if (message.type() === "error") faults.push(message.text()); });
    page.on("request", (request) => { if (!/^(file|blob|data):/.test(request.url())) faults.push(`a request to ${request.url()}`); });
    await page.goto(`file://${process.env.SINGLE}?world=worlds/lidar.world.xml`);
    await running(page);
    const { time } = await facts(page);
    await page.waitForFunction((before) => window.simhost.facts.time > before + 0.5, time);
    await picture(page, "from_a_disk");
    // with a script
    await drop(page, "own.world.xml", SCRIPTED);
    await page.selectOption("[aria-label='New model']", "friction");
    await summary(page, "No errors");
    await page.click("text=Run");
    await page.waitForFunction(() => window.simhost.facts.vehicles.join() === "mine" && window.simhost.facts.time > 0.5);
    assert.deepEqual(faults, []);
    await page.close();
  },

  async takes_a_model_as_a_module() {
    if (process.env.MODEL === undefined) return;
    const { page, faults } = await open();
    await drop(page, "own.world.xml", '<mvsim_world><vehicle name="mine"><init_pose>0 0 0</init_pose><dynamics class="differential"/><friction class="c_coulomb"/></vehicle></mvsim_world>');
    await summary(page, "[1-9] error");
    await drop(page, "coulomb.wasm", readFileSync(process.env.MODEL));
    await summary(page, "No errors");
    await page.click("text=Run");
    await page.waitForFunction(() => window.simhost.facts.vehicles.join() === "mine");
    assert.deepEqual(faults, []);
    await page.close();
  },

  async runs_a_model_in_a_script() {
    const { page, faults } = await open();
    await drop(page, "own.world.xml", SCRIPTED);
    await summary(page, "[1-9] error");
    await page.selectOption("[aria-label='New model']", "friction");
    await summary(page, "No errors");
    assert.equal(await page.inputValue("[aria-label=File]"), "friction.js");
    await page.locator(".cm-line", { hasText: "Coulomb friction" }).waitFor();
    await page.click("text=Run");
    await page.waitForFunction(() => window.simhost.facts.vehicles.join() === "mine" && window.simhost.facts.time > 0.5);
    await picture(page, "script");
    // a frame with an opaque origin starts it
    assert.deepEqual(await page.locator("iframe").evaluateAll((all) => all.map(({ sandbox }) => sandbox.value)), ["allow-scripts", "allow-scripts"]);
    // errors of grammar, of the declaration and of a step are at their lines
    const { time } = await facts(page);
    await atLine(page, "const limit");
    await page.keyboard.insertText(" const = 3;");
    await summary(page, "1 error");
    assert.match(await page.textContent(".finding"), /^friction\.js:11:\d+SyntaxError/);
    assert.ok((await facts(page)).time > time, "the running world is not disturbed");
    await picture(page, "script_grammar");
    await text(page).press("Control+z");
    await summary(page, "No errors");
    await atLine(page, "parameters: {");
    await page.keyboard.insertText(" mi: NaN,");
    await summary(page, "2 errors");
    assert.match(await page.locator(".finding").first().textContent(), /^friction\.js:6:\d+the default of the parameter `mi` is `NaN`/);
    await text(page).press("Control+z");
    await summary(page, "No errors");
    await atLine(page, "const limit");
    await page.keyboard.insertText(" if (vx > 0.3) throw new Error(`too fast: ${vx.toFixed(1)} m/s`);");
    await summary(page, "No errors");
    await page.click("text=Run");
    await summary(page, "1 error");
    assert.match(await page.textContent(".finding"), /^friction\.js:11:\d+too fast: 0\.3 m\/s$/);
    await picture(page, "script_fault");
    assert.deepEqual(faults, []);
    await page.close();
  },

  async shares_scripts() {
    const { page, faults } = await open();
    await drop(page, "own.world.xml", SCRIPTED);
    await page.selectOption("[aria-label='New model']", "friction");
    await summary(page, "No errors");
    await page.click("text=Share");
    await page.waitForFunction(() => window.location.hash.startsWith("#world="));
    const link = page.url().slice(address.length);
    await page.close();
    const other = await open(link);
    assert.deepEqual(await other.page.locator("[aria-label=File] option").allTextContents(), ["own.world.xml", "friction.js"]);
    const { time } = await facts(other.page);
    await other.page.waitForFunction((past) => window.simhost.facts.time > past, time);
    await other.page.close();
    assert.deepEqual([...faults, ...other.faults], []);
  },

  async a_hostile_script_reaches_nothing() {
    const asked = [];
    const stranger = createServer((request, response) => { asked.push(request.url); response.end(); });
    await new Promise((resolve) => stranger.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${stranger.address().port}/`;
    const { page } = await open(linkTo({ "own.world.xml": SCRIPTED, "friction.js": hostile(url, address) }), false);
    await page.locator(".finding", { hasText: "outcomes" }).waitFor({ timeout: 30_000 });
    const outcomes = JSON.parse(/outcomes (\{.*\})/.exec(await page.textContent(".finding"))[1]);
    assert.ok(Object.keys(outcomes).length >= 12, JSON.stringify(outcomes));
    for (const [what, outcome] of Object.entries(outcomes)) assert.match(outcome, /^refused/, `${what}: ${outcome}`);
    assert.deepEqual(asked, []);
    console.log(`     ${Object.keys(outcomes).join(", ")}`);
    await page.close();
    stranger.close();
  },

  async a_script_that_never_ends_is_replaced() {
    const loop = "model({ kind: 'friction', name: 'my/friction', force({ vx }, state, { time }) { while (time > 0.5); return { fx: 0, fy: 0, spin_torque: 0 }; } });";
    const { page, faults } = await open(linkTo({ "own.world.xml": SCRIPTED, "friction.js": loop }));
    await page.waitForFunction(() => window.simhost.facts.time > 0.3);
    await wait(page, 1500);
    await page.selectOption("[aria-label=File]", "friction.js");
    await atLine(page, "while");
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(loop.replace("0.5", "1e9"));
    await summary(page, "No errors");
    await page.click("text=Run");
    await page.waitForFunction(() => window.simhost.facts.time > 1, null, { timeout: 30_000 });
    assert.deepEqual(faults, []);
    await page.close();
  },

  async plots_edits_and_resets() {
    const { page, faults } = await open();
    await page.locator(".side.left .tabs button", { hasText: "World" }).click();
    await page.locator("summary", { hasText: "odometry" }).first().click();
    await page.locator(".leaf").first().click();
    await page.waitForSelector(".plots:not([hidden]) canvas");
    await page.locator(".side.right .tabs button", { hasText: "Edit" }).click();
    await page.click("text=Top");
    await wait(page, 800);
    const box = await page.locator("canvas.stage").boundingBox();
    const { shapes } = await facts(page);
    await page.click("button:has-text('Box')");
    await page.mouse.click(box.x + 0.5 * box.width, box.y + 0.3 * box.height);
    await page.waitForFunction((count) => window.simhost.facts.shapes > count, shapes);
    await page.keyboard.press("Control+z");
    await page.waitForFunction((count) => window.simhost.facts.shapes === count, shapes);
    await page.keyboard.press("Control+y");
    await page.waitForFunction((count) => window.simhost.facts.shapes > count, shapes);
    await page.locator(".side.left .tabs button", { hasText: "Text" }).click();
    await page.click("text=Take changes");
    await summary(page, "No errors");
    await text(page).press("Control+End");
    await page.locator(".cm-line", { hasText: "added_1" }).waitFor();
    await page.click("[title='Keep the present state']");
    await page.waitForSelector("[aria-label=Snapshot]:not([disabled])");
    const { time } = await facts(page);
    await wait(page, 1500);
    await page.selectOption("[aria-label=Snapshot]", { index: 1 });
    await page.waitForFunction((past) => window.simhost.facts.time < past + 1, time);
    await page.fill("[aria-label=Seed]", "7");
    await page.click("[title='Return to the start']");
    await page.waitForFunction((past) => window.simhost.facts.time < past, time);
    assert.deepEqual(faults, []);
    await page.close();
  },

  async saves_the_world_and_the_run() {
    const { page, faults } = await open();
    const world = unzipSync(readFileSync(await downloaded(page, "text=Save world")));
    assert.match(Buffer.from(world["demo/demo.world.xml"]).toString(), /<mvsim_world/);
    const { x } = await pose(page, "robot");
    await page.focus("canvas.stage");
    await page.keyboard.down("ArrowUp");
    await page.waitForFunction((past) => window.simhost.pose("robot").x - past > 0.5, x);
    await page.keyboard.up("ArrowUp");
    await wait(page, 500);
    const archive = unzipSync(readFileSync(await downloaded(page, "text=Save run")));
    const names = Object.keys(archive);
    for (const name of ["manifest.json", "world.flat.xml", "inputs.jsonl"]) assert.ok(names.includes(`demo-run/${name}`), names.join());
    assert.match(Buffer.from(archive["demo-run/inputs.jsonl"]).toString(), /"vehicle":"robot"/);
    if (process.env.SIMHOST !== undefined) {
      for (const [name, content] of Object.entries(archive)) {
        mkdirSync(dirname(join(temporary, name)), { recursive: true });
        writeFileSync(join(temporary, name), content);
      }
      const { status, stdout, stderr } = spawnSync(process.env.SIMHOST, ["rerun", join(temporary, "demo-run")], { encoding: "utf8" });
      assert.equal(status, 0, stdout + stderr);
      assert.match(stdout, /agrees/);
      console.log(`     ${stdout.trim().replace("\n", "; ")}`);
    }
    assert.deepEqual(faults, []);
    await page.close();
  },

  async opens_again_after_a_failure_of_the_simulator() {
    const { page, faults } = await open();
    await page.workers()[0].evaluate(() => self.postMessage({ kind: "trap", reason: "panicked at 'a test'" }));
    await page.waitForFunction(() => window.simhost.facts.state === "lost");
    assert.match(await page.textContent(".notice"), /the simulator has stopped: panicked at 'a test'/);
    await picture(page, "trap");
    await page.click("text=Try again");
    await running(page);
    const { time } = await facts(page);
    await page.waitForFunction((past) => window.simhost.facts.time > past, time);
    assert.deepEqual(faults, []);
    await page.close();
  },

  async replaces_a_simulator_that_hangs() {
    const { page, faults } = await open();
    // the worker never returns from this call
    void page.workers()[0].evaluate(() => { for (;;); }).catch(() => {});
    await wait(page, 500);
    const { time } = await facts(page);
    await wait(page, 1000);
    assert.equal((await facts(page)).time, time, "the run stands");
    await page.click("text=Run");
    await page.waitForFunction((past) => window.simhost.facts.time !== past, time);
    await running(page);
    assert.deepEqual(faults, []);
    await page.close();
  },

  async opens_every_world() {
    const list = await (await fetch(`${address}worlds/index.json`)).json();
    const failed = [];
    for (const { path } of list) {
      const { page, faults } = await open(`?world=worlds/${path}`, false);
      try {
        await page.waitForFunction(() => window.simhost?.facts.state === "open" && window.simhost.facts.time > 0, null, { timeout: 30_000 });
      } catch {
        failed.push(`${path}: ${await page.evaluate(() => `${document.querySelector(".notice")?.textContent} ${document.querySelector(".findings")?.textContent}`)}`);
      }
      failed.push(...faults.map((fault) => `${path}: ${fault}`));
      await page.close();
    }
    assert.deepEqual(failed, []);
    console.log(`     ${list.length} worlds`);
  },
};

const failures = await runParts(browser, PARTS, wanted);
await browser.close();
server?.close();
rmSync(temporary, { recursive: true, force: true });
process.exit(failures === 0 ? 0 : 1);
