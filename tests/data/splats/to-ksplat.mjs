// Converts a PLY of a training program to .ksplat with gaussian-splats-3d: node to-ksplat.mjs IN.ply OUT.ksplat LEVEL DEGREE.
import { readFileSync, writeFileSync } from 'node:fs';
globalThis.window = globalThis; globalThis.navigator ??= { userAgent: '' }; globalThis.document ??= { createElement: () => ({ style: {} }) };
const G = await import('@mkkellogg/gaussian-splats-3d');
const [input, output, level, degree] = process.argv.slice(2);
const bytes = readFileSync(input);
const array = G.PlyParser.parseToUncompressedSplatArray(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), Number(degree));
const generator = G.SplatBufferGenerator.getStandardGenerator(0, Number(level));
const buffer = generator.generateFromUncompressedSplatArray(array);
writeFileSync(output, Buffer.from(buffer.bufferData));
