// Compiles WGSL with Tint, the compiler of Chromium, on Dawn's null back end, which uses no driver.
//
// node compile.mjs FOLDER: FOLDER has the package `webgpu` in node_modules (cargo xtask setup --test puts it there).
// Standard input: a JSON list of texts. Standard output: a JSON list with the errors of each text, as strings.

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const main = join(resolve(process.argv[2]), 'node_modules', 'webgpu', 'index.js');
const { create } = await import(pathToFileURL(main).href);

const gpu = create(['backend=null']);
const adapter = await gpu.requestAdapter();
const device = await adapter.requestDevice({ requiredFeatures: [...adapter.features] });

async function errorsOf(code) {
  // Without an error scope, an error is printed as uncaught.
  device.pushErrorScope('validation');
  const shader = device.createShaderModule({ code });
  const { messages } = await shader.getCompilationInfo();
  await device.popErrorScope();
  const lines = code.split('\n');
  return messages
    .filter((message) => message.type === 'error')
    .map(({ message, lineNum }) => `line ${lineNum}: ${message}: ${(lines[lineNum - 1] ?? '').trim()}`);
}

const errors = [];
for (const code of JSON.parse(readFileSync(0, 'utf8'))) errors.push(await errorsOf(code));
process.stdout.write(JSON.stringify(errors));
device.destroy();
