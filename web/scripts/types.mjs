// Makes src/api/schema.d.ts from openapi.json; with --check says whether it is so already.
import { readFileSync, writeFileSync } from "node:fs";
import openapi, { astToString } from "openapi-typescript";

const target = "src/api/schema.d.ts";

/** What stands beside a reference counts as well in OpenAPI 3.1, which the generator does not know. */
function besideReferences(schema) {
  if (Array.isArray(schema)) return schema.map(besideReferences);
  if (typeof schema !== "object" || schema === null) return schema;
  const whole = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, besideReferences(value)]),
  );
  const { $ref, properties, required, type, ...rest } = whole;
  if ($ref === undefined || properties === undefined) return whole;
  return { ...rest, allOf: [{ $ref }, { type: type ?? "object", properties, required: required ?? [] }] };
}

const document = besideReferences(JSON.parse(readFileSync("openapi.json", "utf8")));
const ast = await openapi(document, {
  alphabetize: true,
  defaultNonNullable: false,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
});
const made = `// Made by \`npm run types\` from openapi.json. Not to be edited.\n${astToString(ast)}`;
if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== made) {
    console.error(`${target} is not what openapi.json says: run \`npm run types\``);
    process.exit(1);
  }
} else {
  writeFileSync(target, made);
}
