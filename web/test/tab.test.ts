import assert from "node:assert/strict";
import { test } from "node:test";
import { worldOf } from "../src/tab/address";
import { Host, type Machine } from "../src/tab/host";
import { packed, unpacked } from "../src/tab/link";
import type { Reply } from "../src/tab/messages";
import { findingsOf, offsetOf } from "../src/tab/report";

const LIST = [{ path: "demo.world.xml", files: ["parts/a.xml"] }];

/** Answers requests of the folder with files, and counts them. */
function serve(files: Record<string, string>): string[] {
  const asked: string[] = [];
  globalThis.fetch = (async (path: string | URL) => {
    asked.push(String(path));
    const text = files[String(path)];
    return text === undefined ? new Response("", { status: 404, statusText: "Not Found" }) : new Response(text);
  }) as typeof fetch;
  return asked;
}

test("a link returns the world, also with letters of other languages", async () => {
  const shared = { world: "demo.world.xml", texts: { "demo.world.xml": `<mvsim_world/> <!-- größe → 車 -->${"x".repeat(10_000)}` } };
  const link = await packed(shared);
  assert.match(link, /^[\w-]+$/);
  assert.ok(link.length < 300, `${link.length}`);
  assert.deepEqual(await unpacked(link), shared);
});

test("links that are not worlds, too long, or expand too much are refused", async () => {
  const raw = async (text: string): Promise<string> => {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    return Buffer.from(await new Response(stream).arrayBuffer()).toString("base64url");
  };
  const good = await packed({ world: "a.world.xml", texts: { a: "b" } });
  for (const link of ["", "%%%", "AAAA", good.slice(0, -3), await raw("[]"), await raw('{"world":1,"texts":{}}'), await raw('{"world":"a","texts":{"a":1}}'), await raw("null")]) {
    await assert.rejects(unpacked(link), /does not contain a world/, link);
  }
  await assert.rejects(unpacked(await raw(" ".repeat(5_000_000))), /expands to more than/);
  const random = Array.from({ length: 200_000 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) ^ (i >> 3)) % 20_000)).join("");
  await assert.rejects(packed({ world: "a", texts: { a: random } }), /too large for a link/);
});

test("the address names a world of the folder, of the same origin, or in the link", async () => {
  const asked = serve({ "worlds/demo.world.xml": "<a/>", "worlds/parts/a.xml": "<b/>", "https://here.example/my/x.world.xml": "<c/>" });
  const open = async (rest: string): Promise<string[]> => {
    const files = await worldOf(new URL(`https://here.example/sim/${rest}`), LIST);
    return files.paths.map((path) => `${path}=${files.text(path)}`);
  };
  const demo = ["demo.world.xml=<a/>", "parts/a.xml=<b/>"];
  assert.deepEqual(await open(""), demo);
  assert.deepEqual(await open("?world=worlds/demo.world.xml"), demo);
  assert.deepEqual(await open("?world=/my/x.world.xml"), ["x.world.xml=<c/>"]);
  const link = await packed({ world: "demo.world.xml", texts: { "demo.world.xml": "<d/>" } });
  assert.deepEqual(await open(`#world=${link}`), ["demo.world.xml=<d/>", "parts/a.xml=<b/>"]);
  asked.length = 0;
  for (const other of ["https://there.example/x.world.xml", "//there.example/x", "http://here.example/x", "data:text/xml,<a/>", "file:///etc/passwd"]) {
    await assert.rejects(open(`?world=${encodeURIComponent(other)}`), /expected an address of https:\/\/here\.example/, other);
  }
  assert.deepEqual(asked, [], "nothing is asked of other origins");
});

test("positions count characters, not the units of JavaScript", () => {
  const text = "a\n<b 🚗='x'/>\nlast";
  assert.equal(text.slice(offsetOf(text, 2, 6), offsetOf(text, 2, 9)), "'x'");
  assert.equal(offsetOf(text, 3, 99), text.length);
  assert.equal(offsetOf(text, 9, 1), text.length);
});

test("reports have one world or several", () => {
  const finding = { severity: "error", message: "m", label: "", notes: [], file: "a", line: 1, column: 2, end_line: 1, end_column: 3 };
  for (const report of [{ diagnostics: [finding] }, [{ diagnostics: [finding] }], [finding]]) {
    assert.deepEqual(findingsOf(JSON.stringify(report)), [finding]);
  }
});

/** A simulator that remembers its calls. One of them fails, and after that all if it is a trap. */
function machine(calls: string[], failing: string, isTrap: boolean): Machine {
  let isDead = false;
  const note = (name: string): void => {
    calls.push(name);
    if (name !== failing && !isDead) return;
    isDead = isTrap;
    throw new Error("a reason");
  };
  return {
    version: () => { if (isDead) throw new Error("dead"); return "1"; },
    check: () => { note("check"); return "[]"; }, saveWorld: () => "<w/>", saveRun: () => new Map(),
    open: () => note("open"), receive: () => note("receive"), advance: (seconds) => note(`advance ${seconds.toFixed(3)}`),
    frames: () => { note("frames"); return ["frame"]; }, faults: () => [],
  };
}

/** Returns a host that has opened a world, its replies and the calls of its simulator. */
async function opened(failing = "", isTrap = false): Promise<{ host: Host; replies: Reply[]; calls: string[] }> {
  const [replies, calls]: [Reply[], string[]] = [[], []];
  const host = new Host(async () => machine(calls, failing, isTrap), (reply) => replies.push(reply));
  await host.receive({ kind: "question", id: 1, question: { ask: "load", module: "m" } });
  await host.receive({ kind: "question", id: 2, question: { ask: "open", files: new Map(), world: "w", paused: false } });
  return { host, replies, calls };
}

test("frames wait until the page has read the last ones, and time goes on", async () => {
  const { host, replies, calls } = await opened();
  host.advance(1000);
  host.advance(1010);
  host.advance(1030);
  await host.receive({ kind: "taken" });
  host.advance(1040);
  assert.deepEqual(calls, ["open", "advance 0.050", "frames", "advance 0.010", "advance 0.020", "advance 0.010", "frames"]);
  assert.equal(replies.filter(({ kind }) => kind === "frames").length, 2);
});

test("a world that is refused does not run, and the module answers further questions", async () => {
  const { host, replies, calls } = await opened("open");
  assert.deepEqual(replies[1], { kind: "refusal", id: 2, reason: "a reason" });
  await host.receive({ kind: "question", id: 3, question: { ask: "check", files: new Map(), world: "a" } });
  assert.deepEqual(replies[2], { kind: "answer", id: 3, value: "[]" });
  host.advance(1000);
  assert.deepEqual(calls, ["open", "check"]);
});

test("a run that fails ends, and its files can be saved", async () => {
  const { host, replies, calls } = await opened("advance 0.050");
  host.advance(1000);
  host.advance(1050);
  assert.deepEqual(calls, ["open", "advance 0.050"]);
  assert.deepEqual(replies[2], { kind: "ended", reason: "a reason" });
  await host.receive({ kind: "question", id: 3, question: { ask: "saveRun" } });
  assert.equal(replies[3]?.kind, "answer");
});

test("a trap is reported once, and the dead module is not called again", async () => {
  for (const failing of ["receive", "frames", "open"]) {
    const { host, replies, calls } = await opened(failing, true);
    host.advance(1000);
    await host.receive({ kind: "frame", frame: "x" });
    const count = calls.length;
    host.advance(1010);
    await host.receive({ kind: "frame", frame: "x" });
    assert.equal(calls.length, count, failing);
    assert.deepEqual(replies.filter(({ kind }) => kind === "trap"), [{ kind: "trap", reason: "a reason" }], failing);
  }
});
