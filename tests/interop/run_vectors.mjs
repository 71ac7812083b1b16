// Answers every vector of a folder by the Node verifier of the examples; one JSON object, by name of the vector.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, verifier] = process.argv.slice(2);
const { admit } = await import(pathToFileURL(verifier));
const answers = {};
for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
  const vector = JSON.parse(readFileSync(join(folder, file), "utf-8"));
  answers[vector.name] = admit({
    ...vector,
    trust: Buffer.from(vector.trust, "utf-8"),
    envelopes: vector.envelopes.map(({ text }) => Buffer.from(text, "utf-8")),
  });
}
console.log(JSON.stringify(answers));
