// Splats for the files in this folder, in the form that splat-transform needs: `Generator.create` gets the parameters of
// -p, and the columns are those of a PLY of a training program. Equal parameters give equal splats.

/// Random numbers from 0 to 1 (mulberry32, a generator with 32 bits of state).
const random = (seed) => () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};

export class Generator {
    constructor(count, degree) {
        const next = random(1 + degree);
        const between = (low, high) => low + (high - low) * next();
        const terms = (degree + 1) ** 2 - 1;
        this.count = count;
        this.columnNames = [
            'x', 'y', 'z', 'scale_0', 'scale_1', 'scale_2', 'f_dc_0', 'f_dc_1', 'f_dc_2', 'opacity',
            'rot_0', 'rot_1', 'rot_2', 'rot_3',
            ...Array.from({ length: 3 * terms }, (_, index) => `f_rest_${index}`)
        ];
        this.getRow = (_, row) => {
            for (const name of this.columnNames) {
                row[name] = between(-1, 1);
            }
            for (const axis of ['x', 'y', 'z']) {
                row[axis] *= 8;
            }
            for (const axis of [0, 1, 2]) {
                row[`scale_${axis}`] = between(-7, 0);
            }
            row.opacity = between(-4, 4);
        };
    }

    static create(params) {
        const number = (name) => parseInt(params.find((param) => param.name === name).value, 10);
        return new Generator(number('count'), number('degree'));
    }
}
