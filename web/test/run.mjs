// Bundles the unit tests, or with the word `speed` those that measure times, and runs them with the test runner of Node.
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [kind = "test"] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const out = mkdtempSync(join(tmpdir(), "page-tests-"));
const entryPoints = readdirSync(here).filter((name) => name.endsWith(`.${kind}.ts`)).map((name) => join(here, name));
await build({ entryPoints, bundle: true, platform: "node", format: "esm", outdir: out, outExtension: { ".js": ".mjs" }, loader: { ".css": "empty" } });
const files = readdirSync(out).filter((name) => name.endsWith(".mjs")).map((name) => join(out, name));
const { status } = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit" });
rmSync(out, { recursive: true });
process.exit(status ?? 1);
