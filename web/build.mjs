// Bundles the page: index.html, app.js and app.css, each compressed with gzip, into the folder of the first
// argument, `dist` by default.
import { build } from "esbuild";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "dist");
const result = await build({
  entryPoints: { app: join(here, "src/main.ts") },
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
const files = new Map([["index.html", await readFile(join(here, "src/index.html"))]]);
for (const file of result.outputFiles) {
  files.set(file.path.endsWith(".css") ? "app.css" : "app.js", file.contents);
}
await mkdir(out, { recursive: true });
let total = 0;
for (const [name, contents] of files) {
  const packed = gzipSync(contents, { level: 9 });
  total += packed.length;
  await writeFile(join(out, name), contents);
  await writeFile(join(out, `${name}.gz`), packed);
}
const LIMIT = 300_000;
console.log(`page: ${total} bytes compressed, at most ${LIMIT}`);
if (total > LIMIT) process.exit(1);
