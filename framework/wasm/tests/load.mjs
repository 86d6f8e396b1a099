// Loads the wrapper of the module that the page uses, web/src/tab/module.ts, in Node.
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const web = join(dirname(fileURLToPath(import.meta.url)), "../../../web");

/** Returns the class Simulator. */
export async function load() {
  const { build } = await import(pathToFileURL(join(web, "node_modules/esbuild/lib/main.js")).href);
  const bundled = await build({
    entryPoints: [join(web, "src/tab/module.ts")],
    bundle: true,
    format: "esm",
    target: "es2022",
    write: false,
  });
  const code = Buffer.from(bundled.outputFiles[0].contents).toString("base64");
  return (await import(`data:text/javascript;base64,${code}`)).Simulator;
}
