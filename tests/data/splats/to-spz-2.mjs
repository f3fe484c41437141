// Converts a PLY of a training program to SPZ version 2 with spz-js: node to-spz-2.mjs IN.ply OUT.spz.
import { createReadStream, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { loadPly, serializeSpz } from 'spz-js';

const [input, output] = process.argv.slice(2);
const splats = await loadPly(Readable.toWeb(createReadStream(input)));
writeFileSync(output, Buffer.from(await serializeSpz(splats)));
