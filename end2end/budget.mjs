// The first load of each page (wasm + JS + CSS, brotli 11) against its budget, and the fonts beside it.
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const PAGE = 300_000, FONTS = 70_000;
const site = resolve(import.meta.dirname, "../target/site");
const pkg = join(site, "pkg");
const size = (file) => statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size;
const kb = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;

const common = ["colloquy.wasm", "colloquy.js", "colloquy.css", ...readdirSync(pkg).filter((name) => /^__wasm_split\..*js$/.test(name))];
const chunks = JSON.parse(readFileSync(join(pkg, "__wasm_split_manifest.json"), "utf8"));
// Chunks of pages are named after their view; all others are loaded after the first paint, on demand.
const pages = Object.entries(chunks).filter(([name]) => name.includes("page_view"));
const sum = (names) => names.reduce((total, name) => total + size(join(pkg, name)), 0);
const fonts = readdirSync(join(site, "fonts")).filter((name) => name.endsWith(".woff2")).reduce((total, name) => total + statSync(join(site, "fonts", name)).size, 0);

// `--chunks` lists every file with the pages that load it first.
if (process.argv.includes("--chunks")) {
  const loaded = (file) => pages.filter(([, parts]) => parts.some((part) => `${part}.wasm` === file)).map(([name]) => name);
  for (const file of readdirSync(pkg).filter((name) => /\.(wasm|js|css)$/.test(name)).sort((a, b) => sum([b]) - sum([a]))) {
    console.log(`chunk: ${kb(sum([file])).padStart(9)} ${file}, ${common.includes(file) ? "every page" : loaded(file).join(" ") || "on demand"}`);
  }
}
const loads = [["/", sum(common)], ...pages.map(([name, parts]) => [name.replace(/^_+|_\d+$/g, ""), sum([...common, ...parts.map((part) => `${part}.wasm`)])])];
for (const [page, bytes] of loads) console.log(`budget: ${page} loads ${kb(bytes)} of ${kb(PAGE)}`);
console.log(`budget: fonts are ${kb(fonts)} of ${kb(FONTS)}`);
if (fonts > FONTS || loads.some(([, bytes]) => bytes > PAGE)) process.exit(1);
