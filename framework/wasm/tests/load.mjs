// Loads the wrapper of the module that the page uses, web/src/tab/module.ts, in Node.
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const web = join(dirname(fileURLToPath(import.meta.url)), "../../../web");

/** Returns the code of a module with the class Simulator, or of another file of the tab. */
export async function bundle(file = "module.ts") {
  const { build } = await import(pathToFileURL(join(web, "node_modules/esbuild/lib/main.js")).href);
  const bundled = await build({
    entryPoints: [join(web, "src/tab", file)],
    bundle: true,
    format: "esm",
    target: "es2022",
    write: false,
  });
  return Buffer.from(bundled.outputFiles[0].contents);
}

/** Returns the result hash of a world after a time, s. It uses nothing but its arguments, so that a browser can run its text. */
export async function hashOf({ Simulator, module, files }, world, time) {
  const simulator = await Simulator.load(module);
  const commands = `worlds/${world}.commands.csv`;
  simulator.open(files, `worlds/${world}.world.xml`, files.has(commands) ? { commands } : {});
  simulator.runTo(time);
  const found = simulator.hash();
  simulator.close();
  return found;
}

/** Returns the class Simulator. */
export async function load() {
  return (await loadFile("module.ts")).Simulator;
}

/** Returns what a file of the tab exports. */
export async function loadFile(file) {
  const code = (await bundle(file)).toString("base64");
  return import(`data:text/javascript;base64,${code}`);
}
