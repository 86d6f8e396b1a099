// Draws the animation of the README: `node test/animation.mjs SIMHOST OUT.gif`. SIMHOST is a program with the feature
// `view`; DIST=1 takes the page from `dist`. The page shows the demo world, which is paused and advances by 0.1 s for each picture.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeFileSync } from "node:fs";
import gifenc from "gifenc";
import { chromium } from "playwright-core";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const [simhost, out] = process.argv.slice(2);
const [WIDTH, HEIGHT] = [720, 450];
/** Differences of colours that are not worth a change, of 255. */
const SAME = 10;

const child = spawn(simhost, ["view", "--no-open", "worlds/demo.world.xml", "--commands", "worlds/demo.commands.csv", "--live", "127.0.0.1:0"], { cwd: root });
process.on("exit", () => child.kill());
const address = await new Promise((resolve) => {
  let text = "";
  child.stderr.on("data", (data) => {
    text += data;
    const found = /open (http:\S+)/.exec(text);
    if (found) resolve(found[1]);
  });
});
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--enable-unsafe-swiftshader", "--force-color-profile=srgb"],
});
const SCALE = 0.75;
const page = await browser.newPage({ viewport: { width: WIDTH / SCALE, height: HEIGHT / SCALE }, deviceScaleFactor: SCALE, colorScheme: "light" });
const reader = await browser.newPage();
if (process.env.DIST) for (const name of ["app.js", "app.css"]) await page.route(`**/${name}`, (route) => route.fulfill({ path: join(root, "web/dist", name) }));
await page.goto(address);
await page.waitForFunction(() => window.simhost?.facts.shapes > 0);

/** Pictures: pixels, and how long each is shown, ms. */
const pictures = [];
async function picture(delay = 100) {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  const shot = (await page.screenshot()).toString("base64");
  const pixels = await reader.evaluate(async ([data, width, height]) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(image, 0, 0, width, height);
    const text = new FileReader();
    text.readAsDataURL(new Blob([context.getImageData(0, 0, width, height).data]));
    await new Promise((resolve) => { text.onload = resolve; });
    return text.result.split(",")[1];
  }, [shot, WIDTH, HEIGHT]);
  pictures.push({ pixels: new Uint8Array(Buffer.from(pixels, "base64")), delay });
}

/** Advances the run by 0.1 s. */
async function step() {
  const before = await page.evaluate(() => window.simhost.facts.time);
  await page.evaluate(() => window.simhost.source.call("/simhost/step", { steps: 20 }));
  await page.waitForFunction((time) => window.simhost.facts.time > time + 0.09, before);
}

await page.click("text=Pause");
await page.evaluate(() => window.simhost.source.call("/simhost/reset", { seed: -1 }));
await page.waitForTimeout(500);
await page.click("summary:has-text('odometry')");
await page.click("[data-signal='/robot/odometry twist.twist.linear.x']");
await page.click("text=Orbit");
await page.evaluate(() => { Object.assign(window.simhost.stage, { azimuth: -2.3, elevation: 0.62, distance: 25 }); window.simhost.stage.target.set(-1, 0, 0); });
// watch
for (let i = 0; i < 12; i++) {
  await step();
  await picture();
}
// drive
await page.focus("canvas.stage");
for (const [keys, count] of [[["ArrowUp"], 8], [["ArrowUp", "ArrowLeft"], 10], [["ArrowUp"], 6]]) {
  for (const key of keys) await page.keyboard.down(key);
  for (let i = 0; i < count; i++) {
    await page.waitForTimeout(60);
    await step();
    await picture();
  }
  for (const key of keys) await page.keyboard.up(key);
}
// edit
await page.click("text=Edit");
await picture(500);
const place = (x, y, z = 0) => page.evaluate((at) => {
  const box = window.simhost.stage.canvas.getBoundingClientRect();
  const { x, y } = window.simhost.stage.project(...at);
  return [box.left + x, box.top + y];
}, [x, y, z]);
const shapes = await page.evaluate(() => window.simhost.facts.shapes);
await page.click("button:has-text('Box')");
await picture(300);
await page.mouse.click(...(await place(0, -4)));
await step();
await page.waitForFunction((count) => window.simhost.facts.shapes > count, shapes);
await page.waitForFunction(() => window.simhost.world.bodies.some(({ label }) => label === "block/added_1"));
await picture(400);
await page.mouse.move(...(await place(0, -4, 0.8)));
await page.mouse.down();
for (let i = 1; i <= 8; i++) {
  await page.mouse.move(...(await place(0 + 0.6 * i, -4 + 0.3 * i, 0.8)));
  await page.waitForTimeout(80);
  await step();
  await picture();
}
await page.mouse.up();
await picture(1500);
await browser.close();

// one palette for all pictures; what has not changed is transparent
const sample = new Uint8Array(3 * 4 * WIDTH * HEIGHT);
[0, 0.5, 1].forEach((share, index) => sample.set(pictures[Math.round(share * (pictures.length - 1))].pixels, 4 * WIDTH * HEIGHT * index));
const palette = gifenc.quantize(sample, 127, { format: "rgb565" });
const clear = palette.length;
const gif = gifenc.GIFEncoder();
const shown = new Uint8Array(4 * WIDTH * HEIGHT);
pictures.forEach(({ pixels, delay }, number) => {
  const indices = gifenc.applyPalette(pixels, palette, "rgb565");
  for (let at = 0; at < indices.length; at++) {
    const isSame = [0, 1, 2].every((part) => Math.abs(pixels[4 * at + part] - shown[4 * at + part]) <= SAME);
    if (number > 0 && isSame) indices[at] = clear;
    else shown.set(pixels.subarray(4 * at, 4 * at + 4), 4 * at);
  }
  gif.writeFrame(indices, WIDTH, HEIGHT, {
    ...(number === 0 ? { palette: [...palette, [0, 0, 0]] } : {}), delay, transparent: number > 0, transparentIndex: clear, dispose: 1,
  });
});
gif.finish();
writeFileSync(out, gif.bytes());
console.log(`${out}: ${pictures.length} pictures, ${gif.bytes().length} bytes`);
process.exit(0);
