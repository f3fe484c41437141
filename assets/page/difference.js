// The differences of two composites, in the modes and colours of the window. `difference` follows
// shaders/inspect/present.wesl line by line. A pixel is [r, g, b, T], linear; a colour is [r, g, b], 0 to 1.

const MODES = {
  absolute: '|A − B| per channel, amplified',
  signed: 'red where A is above B, blue where it is below, amplified',
  'red-on-grey': 'red where A and B differ, amplified, on the picture in grey',
  log10: 'largest difference of r, g, b and T on a log scale; black means equal',
  ulp: 'largest difference in units in the last place of B (of 2^-14 where |B| is less), log2 from 0 to 10; black means equal',
};

function heat(share) {
  const colour = [0, 0, 0];
  heatInto(colour, share);
  return colour;
}

function heatInto(colour, share) {
  const last = data.ramp.length - 1;
  const place = clamp(share, 0, 1) * last;
  const below = Math.min(Math.floor(place), last - 1);
  const [from, to] = [data.ramp[below], data.ramp[below + 1]];
  for (let channel = 0; channel < 3; channel++) colour[channel] = (from[channel] + (to[channel] - from[channel]) * (place - below)) / 255;
}

/// 1 / ulp(max(|value|, 2^-14)), as in shaders/common/bits.wesl.
const [BITS, UNITS] = [new Uint32Array(1), Array.from({ length: 256 }, (_, exponent) => 2 ** (150 - Math.max(exponent, 113)))];
const SINGLE = new Float32Array(BITS.buffer);
function ulpsPerUnit(value) {
  SINGLE[0] = value;
  return UNITS[(BITS[0] >>> 23) & 255];
}

function difference(a, b, picture, view) {
  const colour = [0, 0, 0];
  differenceInto(colour, a, b, picture, view);
  return colour;
}

/// Writes into `colour`, so that the millions of pixels of a frame allocate nothing.
function differenceInto(colour, a, b, picture, { mode, amplify, low, high }) {
  let most = 0;
  for (let channel = 0; channel < 4; channel++) {
    if (!Number.isFinite(a[channel]) || !Number.isFinite(b[channel])) return set(colour, 1, 0, 1);
    most = Math.max(most, Math.abs(a[channel] - b[channel]));
  }
  switch (mode) {
    case 'absolute':
      for (let channel = 0; channel < 3; channel++) colour[channel] = clamp(Math.abs(a[channel] - b[channel]) * amplify, 0, 1);
      return;
    case 'signed': {
      const sum = (a[0] - b[0] + (a[1] - b[1]) + (a[2] - b[2])) * amplify;
      return set(colour, clamp(Math.max(sum, 0) + 0.02, 0, 1), 0.02, clamp(Math.max(-sum, 0) + 0.02, 0, 1));
    }
    case 'red-on-grey': {
      const grey = (picture[0] * 0.2126 + picture[1] * 0.7152 + picture[2] * 0.0722) * 0.6;
      const share = clamp(most * amplify, 0, 1);
      return set(colour, grey + (1 - grey) * share, grey + (0.05 - grey) * share, grey + (0.05 - grey) * share);
    }
    case 'log10':
      return most === 0 ? setEqual(colour) : heatInto(colour, (Math.log10(most) - low) / (high - low));
    default: {
      if (most === 0) return setEqual(colour);
      let ulps = 0;
      for (let channel = 0; channel < 4; channel++) ulps = Math.max(ulps, Math.abs((a[channel] - b[channel]) * ulpsPerUnit(b[channel])));
      return heatInto(colour, Math.log2(Math.max(ulps, 1e-6) + 1) / 10);
    }
  }
}

function set(colour, r, g, b) {
  colour[0] = r;
  colour[1] = g;
  colour[2] = b;
}

const setEqual = (colour) => set(colour, data.equal[0] / 255, data.equal[1] / 255, data.equal[2] / 255);
