// The browser's code by crate: sizes of the functions of the wasm as the compiler left it, before it was split and
// made smaller, by the names it still has there. `node crates.mjs [folder of cargo's target]`
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const target = process.argv[2] ?? process.env.CARGO_TARGET_DIR ?? resolve(import.meta.dirname, "../../target");
const file = ["front/", ""].map((folder) => join(target, folder, "wasm32-unknown-unknown/wasm-release/colloquy.wasm")).find(existsSync);
if (!file) {
  console.log("crates: not listed, the compiler's wasm is not there: run `make build` first");
  process.exit(0);
}
const bytes = readFileSync(file);

/** An unsigned LEB128 number, and what stands behind it. */
function number(at) {
  let [value, shift, byte] = [0, 0];
  do {
    byte = bytes[at++];
    value += (byte & 127) * 2 ** shift;
    shift += 7;
  } while (byte & 128);
  return [value, at];
}

/** Functions that are imported come first in the count, and have no code. */
function imported(at) {
  let [count, functions, length] = [0, 0];
  [count, at] = number(at);
  for (let i = 0; i < count; i++) {
    for (let name = 0; name < 2; name++) {
      [length, at] = number(at);
      at += length;
    }
    const kind = bytes[at++];
    if (kind === 0) {
      functions++;
      [, at] = number(at);
    } else if (kind === 3) at += 2;
    else {
      if (kind === 1) at++;
      const limits = bytes[at++];
      [, at] = number(at);
      if (limits & 1) [, at] = number(at);
    }
  }
  return functions;
}

/** Both manglings name the crate in front: `_ZN<length><crate>…`, `_R…C<hash>_<length><crate>…`. */
function crate(symbol) {
  const path = /^_ZN(\d+)(.*)/s.exec(symbol);
  if (path) {
    const first = path[2].slice(0, Number(path[1]));
    return /([a-z_][a-z0-9_]*)(?=\.\.|$)/.exec(first.replace(/\$[A-Za-z0-9]+\$/g, " ").replace(/^[\s_&*]*(?:mut |dyn |const )*/, ""))?.[1] ?? "other";
  }
  const root = /C(?:s[0-9A-Za-z]*_)?(\d+)_?([a-z_][A-Za-z0-9_]*)/.exec(symbol);
  if (symbol.startsWith("_R") && root) return root[2].slice(0, Number(root[1]));
  return symbol.startsWith("__wbindgen") || symbol.includes("wbg") ? "wasm_bindgen" : "other";
}

const sizes = [], names = new Map();
let first = 0;
for (let at = 8; at < bytes.length;) {
  const id = bytes[at];
  let [length, body] = number(at + 1);
  at = body + length;
  if (id === 2) first = imported(body);
  if (id === 10) {
    let count;
    [count, body] = number(body);
    for (let i = 0; i < count; i++) {
      const [size, start] = number(body);
      sizes.push(size);
      body = start + size;
    }
  }
  if (id === 0) {
    const [size, start] = number(body);
    if (bytes.toString("utf8", start, start + size) !== "name") continue;
    for (let part = start + size; part < at;) {
      const kind = bytes[part];
      let [length, entry] = number(part + 1);
      part = entry + length;
      if (kind !== 1) continue;
      let count;
      [count, entry] = number(entry);
      for (let i = 0; i < count; i++) {
        const [index, behind] = number(entry);
        const [size, start] = number(behind);
        names.set(index, bytes.toString("utf8", start, start + size));
        entry = start + size;
      }
    }
  }
}

const byCrate = new Map();
sizes.forEach((size, i) => {
  const name = crate(names.get(first + i) ?? "");
  byCrate.set(name, (byCrate.get(name) ?? 0) + size);
});
const total = sizes.reduce((sum, size) => sum + size, 0);
console.log(`crates: ${(total / 1000).toFixed(0)} KB of code in ${sizes.length} functions, before splitting and wasm-opt`);
const ranked = [...byCrate].sort(([, a], [, b]) => b - a);
for (const [name, size] of ranked.slice(0, 24)) console.log(`crates: ${name.padEnd(28)} ${(size / 1000).toFixed(1).padStart(8)} KB ${((size / total) * 100).toFixed(1).padStart(5)} %`);
const rest = ranked.slice(24).reduce((sum, [, size]) => sum + size, 0);
if (rest) console.log(`crates: ${`${ranked.length - 24} more`.padEnd(28)} ${(rest / 1000).toFixed(1).padStart(8)} KB ${((rest / total) * 100).toFixed(1).padStart(5)} %`);
