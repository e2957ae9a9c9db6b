// Fails where a page says words that stand in no dictionary: Chinese in code outside src/words.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const files = (folder) =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });

let failed = false;
for (const path of files("src")) {
  if (!/\.tsx?$/.test(path) || path.startsWith("src/words/") || /\.test\.tsx?$/.test(path)) continue;
  readFileSync(path, "utf8")
    .split("\n")
    .forEach((line, index) => {
      const code = line.replace(/\/\/.*$|^\s*\/?\*.*$/g, "");
      if (/\p{Script=Han}/u.test(code)) {
        failed = true;
        console.error(`${path}:${index + 1}: words belong into src/words: ${line.trim()}`);
      }
    });
}
if (failed) process.exit(1);
