// Bundles the page: index.html, app.js and app.css; and what runs a world in a tab: tab.html, tab.js, tab.css and
// worker.js. The script of the frame that starts scripts is part of tab.js. Each is compressed with gzip, into the folder of the first argument, `dist` by default.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "dist");
const frame = await build({
  entryPoints: [join(here, "src/tab/script/frame.ts")], bundle: true, minify: true, format: "iife", target: "es2022", write: false,
  legalComments: "none",
});
const script = frame.outputFiles[0].text;
// only this script runs in a frame of the page
const hash = `sha256-${createHash("sha256").update(script).digest("base64")}`;
const result = await build({
  define: { FRAME: JSON.stringify({ script, hash }) },
  entryPoints: { app: join(here, "src/main.ts"), tab: join(here, "src/tab/main.ts"), worker: join(here, "src/tab/worker.ts") },
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  outdir: out,
  write: false,
  legalComments: "none",
  // the page of a program says nothing about where it was built
  sourcemap: false,
});
const files = new Map([
  ["index.html", await readFile(join(here, "src/index.html"))],
  ["tab.html", (await readFile(join(here, "src/tab/index.html"), "utf8")).replace("FRAME_HASH", hash)],
]);
for (const file of result.outputFiles) files.set(basename(file.path), file.contents);
/** Largest size of the page and of what a tab has in addition, bytes compressed. */
const LIMITS = { page: 300_000, tab: 200_000 };
await mkdir(out, { recursive: true });
const totals = { page: 0, tab: 0 };
for (const [name, contents] of files) {
  const packed = gzipSync(contents, { level: 9 });
  totals[/^(index|app)\./.test(name) ? "page" : "tab"] += packed.length;
  await writeFile(join(out, name), contents);
  await writeFile(join(out, `${name}.gz`), packed);
}
for (const [part, total] of Object.entries(totals)) {
  console.log(`${part}: ${total} bytes compressed, at most ${LIMITS[part]}`);
  if (total > LIMITS[part]) process.exitCode = 1;
}
