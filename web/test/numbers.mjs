// Measures the page and what its server costs: `npm run numbers SIMHOST`. SIMHOST is a
// program with the feature `view`, of a release build. Prints a table for 1, 20 and 200 robots. Numbers that are worse
// than the book promises are marked; the program ends with 0 nevertheless, because machines differ.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [simhost] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "page-numbers-"));
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** Length of a measurement, s. */
const LENGTH = 5;

/** Writes a world of robots with laser scanners that drive in circles. */
function world(count) {
  const side = Math.ceil(Math.sqrt(count));
  const robots = Array.from({ length: count }, (_, i) => `<vehicle name="r${i}" class="robot">
    <init_pose>${4 * (i % side)} ${4 * Math.floor(i / side)} 0</init_pose></vehicle>`);
  const path = join(folder, `robots_${count}.world.xml`);
  writeFileSync(path, `<mvsim_world version="1.0"><simul_timestep>0.01</simul_timestep>
    <vehicle:class name="robot"><dynamics class="differential"><controller class="twist_pid"><V>0.5</V><W>30</W></controller></dynamics>
      <sensor class="laser" name="scan"><nrays>181</nrays><sensor_period>0.1</sensor_period></sensor></vehicle:class>
    ${robots.join("\n")}</mvsim_world>`);
  return path;
}

async function serve(path) {
  const child = spawn(simhost, ["view", "--no-open", path, "--live", "127.0.0.1:0"]);
  let text = "";
  const address = await new Promise((resolve, reject) => {
    child.stderr.on("data", (data) => {
      text += data;
      const found = /open (http:\S+)/.exec(text);
      if (found) resolve(found[1]);
    });
    child.on("exit", () => reject(new Error(text)));
  });
  return { address, pid: child.pid, stop: () => new Promise((resolve) => { child.on("exit", resolve); child.kill("SIGINT"); }) };
}

/** Returns the processor time of a thread by its name, or of all, in s. */
function time(pid, isWanted) {
  const tasks = readdirSync(`/proc/${pid}/task`).filter((task) => isWanted(Number(task)));
  return tasks.reduce((sum, task) => {
    const fields = readFileSync(`/proc/${pid}/task/${task}/stat`, "utf8").split(") ")[1].split(" ");
    return sum + (Number(fields[11]) + Number(fields[12])) / 100;
  }, 0);
}

/** Returns the share of a processor that the thread that steps and all others need. */
async function load(pid) {
  const now = () => [time(pid, (task) => task === pid), time(pid, (task) => task !== pid), performance.now() / 1000];
  const before = now();
  await sleep(1000 * LENGTH);
  const after = now();
  const wall = after[2] - before[2];
  return [0, 1].map((part) => (100 * (after[part] - before[part])) / wall);
}

/** A client that subscribes to what the page shows and reads it. */
async function client(address) {
  const socket = new WebSocket(address.replace("http", "ws"), ["foxglove.sdk.v1"]);
  socket.binaryType = "arraybuffer";
  const seen = { samples: 0, bytes: 0 };
  const shown = /TFMessage|MarkerArray|LaserScan|DiagnosticArray/;
  let next = 1;
  socket.onmessage = ({ data }) => {
    if (typeof data !== "string") {
      seen.bytes += data.byteLength;
      if (new Uint8Array(data)[0] === 1) seen.samples += 1;
      return;
    }
    const message = JSON.parse(data);
    if (message.op !== "advertise") return;
    const wanted = message.channels.filter(({ schemaName }) => shown.test(schemaName));
    socket.send(JSON.stringify({ op: "subscribe", subscriptions: wanted.map(({ id }) => ({ id: next++, channelId: id })) }));
  };
  await new Promise((resolve) => { socket.onopen = resolve; });
  return { seen, close: () => socket.close() };
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--enable-unsafe-swiftshader"],
});
console.log("| Robots | Samples/s | kB/s | Thread that steps, % of a CPU | with a client | other threads | Script up to the first picture, s | First picture, s | Pictures/s |");
console.log("|---|---|---|---|---|---|---|---|---|");
for (const count of [1, 20, 200]) {
  const server = await serve(world(count));
  await sleep(1000);
  const [alone] = await load(server.pid);
  const { seen, close } = await client(server.address);
  await sleep(1000);
  const before = { ...seen };
  const start = performance.now();
  const [stepping, others] = await load(server.pid);
  const wall = (performance.now() - start) / 1000;
  close();
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await page.addInitScript(() => {
    const look = () => {
      if (window.simhost?.facts.shapes > 0 && window.simhost.stage.renderer.info.render.frame > 0) window.firstPicture ??= performance.now() / 1000;
      else requestAnimationFrame(look);
    };
    look();
  });
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  await page.goto(server.address);
  await page.waitForFunction(() => window.firstPicture !== undefined);
  const { metrics } = await session.send("Performance.getMetrics");
  const script = metrics.find(({ name }) => name === "ScriptDuration").value;
  const pictures = () => page.evaluate(() => [window.simhost.stage.renderer.info.render.frame, performance.now() / 1000, window.firstPicture]);
  const [from, begin] = await pictures();
  await sleep(3000);
  const [to, end, first] = await pictures();
  await page.close();
  await server.stop();
  const cost = stepping - alone;
  const mark = (value, most, digits) => `${value.toFixed(digits)}${value > most ? " (too much)" : ""}`;
  console.log(`| ${count} | ${((seen.samples - before.samples) / wall).toFixed(0)} | ${((seen.bytes - before.bytes) / wall / 1000).toFixed(0)} `
    + `| ${alone.toFixed(1)} | ${stepping.toFixed(1)} (${mark(cost, 3, 1)}) | ${others.toFixed(1)} | ${mark(script, 1, 2)} | ${first.toFixed(2)} | ${((to - from) / (end - begin)).toFixed(0)} |`);
}
await browser.close();
rmSync(folder, { recursive: true });
