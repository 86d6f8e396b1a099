// Runs the parts of a test in a browser.

/**
 * Runs the parts that are wanted, or all of them, and returns the number of failures. A machine that does other work can
 * delay a browser, so a part may fail once.
 */
export async function runParts(browser, parts, wanted) {
  let failures = 0;
  for (const [name, part] of Object.entries(parts)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    for (const isLast of [false, true]) {
      const [start, before] = [Date.now(), browser.contexts()];
      try {
        await part();
        console.log(`ok   ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
        break;
      } catch (error) {
        failures += isLast ? 1 : 0;
        // pages that are left open take time from the others
        for (const context of browser.contexts().filter((one) => !before.includes(one))) await context.close();
        console.log(`${isLast ? "FAIL" : "once"} ${name}: ${error.stack ?? error}`);
      }
    }
  }
  return failures;
}
