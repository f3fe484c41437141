// The differences of two composites, in the modes and colours of the window: `difference` is that of
// shaders/inspect/present.wesl, line by line. A pixel is [r, g, b, T], linear; a colour is [r, g, b], 0 to 1.

const MODES = {
  absolute: '|A − B| per channel, amplified',
  signed: 'red where A is above B, blue where it is below, amplified',
  'red-on-grey': 'red where A and B differ, amplified, on the picture in grey',
  log10: 'largest difference of r, g, b and T on a log scale; black means equal',
  ulp: 'largest difference in units in the last place of B (of 2^-14 where |B| is less), log2 from 0 to 10; black means equal',
};

function heat(share) {
  const last = data.ramp.length - 1;
  const place = clamp(share, 0, 1) * last;
  const below = Math.min(Math.floor(place), last - 1);
  return data.ramp[below].map((from, channel) => (from + (data.ramp[below + 1][channel] - from) * (place - below)) / 255);
}

const EQUAL = () => data.equal.map((byte) => byte / 255);

/// 1 / ulp(max(|value|, 2^-14)), as in shaders/common/bits.wesl.
const ulpsPerUnit = (value) => 2 ** (23 - Math.floor(Math.log2(Math.max(Math.abs(value), 2 ** -14))));

function difference(a, b, picture, { mode, amplify, low, high }) {
  if (![...a, ...b].every(Number.isFinite)) return [1, 0, 1];
  const signed = a.map((value, channel) => value - b[channel]);
  const most = Math.max(...signed.map(Math.abs));
  switch (mode) {
    case 'absolute':
      return signed.slice(0, 3).map((value) => clamp(Math.abs(value) * amplify, 0, 1));
    case 'signed': {
      const sum = (signed[0] + signed[1] + signed[2]) * amplify;
      return [Math.max(sum, 0), 0, Math.max(-sum, 0)].map((value) => clamp(value + 0.02, 0, 1));
    }
    case 'red-on-grey': {
      const grey = (picture[0] * 0.2126 + picture[1] * 0.7152 + picture[2] * 0.0722) * 0.6;
      const share = clamp(most * amplify, 0, 1);
      return [1, 0.05, 0.05].map((red) => grey + (red - grey) * share);
    }
    case 'log10':
      return most === 0 ? EQUAL() : heat((Math.log10(most) - low) / (high - low));
    default: {
      if (most === 0) return EQUAL();
      const ulps = Math.max(...signed.map((value, channel) => Math.abs(value * ulpsPerUnit(b[channel]))));
      return heat(Math.log2(Math.max(ulps, 1e-6) + 1) / 10);
    }
  }
}
