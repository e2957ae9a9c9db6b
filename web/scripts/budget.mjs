// Prints what the pages weigh, and fails if the first load or a piece that is loaded later is too heavy.
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const FIRST_KIB = 300;
const LATER_KIB = 160;

const html = readFileSync("dist/index.html", "utf8");
const first = new Set([...html.matchAll(/(?:src|href)="\/assets\/([^"]+)"/g)].map((match) => match[1]));
const assets = readdirSync("dist/assets")
  .filter((name) => /\.(js|css)$/.test(name))
  .map((name) => {
    const kib = gzipSync(readFileSync(`dist/assets/${name}`), { level: 9 }).length / 1024;
    return { name, kib, isFirst: first.has(name) };
  });
for (const { name, kib, isFirst } of assets) {
  console.log(isFirst ? "first" : "later", name.padEnd(36), `${kib.toFixed(1)} KiB`);
}
const sum = assets.filter((asset) => asset.isFirst).reduce((total, asset) => total + asset.kib, 0);
console.log(`first load ${sum.toFixed(1)} KiB gzip, at most ${FIRST_KIB}`);
const heavy = assets.filter((asset) => !asset.isFirst && asset.kib > LATER_KIB);
for (const asset of heavy) console.error(`too heavy: ${asset.name}`);
if (sum > FIRST_KIB || heavy.length > 0) process.exit(1);
