// Converts a PLY of a training program to .splat: node to-splat.mjs IN.ply OUT.splat. splat-transform can read such files
// but not write them.
import { readFileSync, writeFileSync } from 'node:fs';

const [input, output] = process.argv.slice(2);
const bytes = readFileSync(input);
const end = bytes.indexOf('end_header\n') + 'end_header\n'.length;
const header = bytes.subarray(0, end).toString('latin1');
const names = [...header.matchAll(/property float (\w+)/g)].map((match) => match[1]);
const count = (bytes.length - end) / (4 * names.length);
const byte = (value) => Math.max(0, Math.min(255, Math.round(value)));
const out = Buffer.alloc(32 * count);
for (let index = 0; index < count; ++index) {
    const get = (name) => bytes.readFloatLE(end + 4 * (index * names.length + names.indexOf(name)));
    const at = 32 * index;
    ['x', 'y', 'z'].forEach((name, axis) => out.writeFloatLE(get(name), at + 4 * axis));
    [0, 1, 2].forEach((axis) => out.writeFloatLE(Math.exp(get(`scale_${axis}`)), at + 12 + 4 * axis));
    [0, 1, 2].forEach((channel) => {
        out[at + 24 + channel] = byte(255 * (0.5 + 0.28209479177387814 * get(`f_dc_${channel}`)));
    });
    out[at + 27] = byte(255 / (1 + Math.exp(-get('opacity'))));
    const rotation = [0, 1, 2, 3].map((part) => get(`rot_${part}`));
    const length = Math.hypot(...rotation);
    rotation.forEach((value, part) => { out[at + 28 + part] = byte(128 + 128 * value / length); });
}
writeFileSync(output, out);
