// Runs the module of a tab in Chromium.
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { bundle, hashOf } from "./load.mjs";

const web = join(dirname(fileURLToPath(import.meta.url)), "../../../web");
const TYPES = { "/": "text/html", "/simulator.js": "text/javascript", "/simhost.wasm": "application/wasm" };

/** Serves bodies by their paths. */
function serve(bodies) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    const body = bodies.get(path);
    if (body === undefined) return response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": TYPES[path] ?? "application/octet-stream" }).end(body);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

/** Returns a function that runs a world with a module and files in Chromium, and returns its result hash. */
export async function inChromium(module, files) {
  const { chromium } = await import(pathToFileURL(join(web, "node_modules/playwright-core/index.mjs")).href);
  const bodies = new Map([["/", "<!DOCTYPE html>"], ["/simulator.js", await bundle()], ["/simhost.wasm", module]]);
  for (const [name, content] of files) bodies.set(`/files/${name}`, content);
  const server = await serve(bodies);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  const page = await browser.newPage();
  page.setDefaultTimeout(600_000);
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.evaluate(async (names) => {
    const bytes = async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer());
    const { Simulator } = await import("/simulator.js");
    const files = new Map(await Promise.all(names.map(async (name) => [name, await bytes(`/files/${encodeURIComponent(name)}`)])));
    globalThis.run = { Simulator, files, module: await bytes("/simhost.wasm") };
  }, [...files.keys()]);
  await page.addScriptTag({ content: `globalThis.hashOf = ${hashOf};` });
  const hash = (world, time) => page.evaluate((given) => globalThis.hashOf(globalThis.run, ...given), [world, time]);
  const close = async () => {
    await browser.close();
    server.close();
  };
  return { hash, close, version: browser.version() };
}
