// The page of a capture: pictures of methods A and B, their difference, the values under the mouse, and a table of all
// methods. Pictures are unpacked when they are first shown. Float values are bit-identical to those of the composites.

/// Unpacked colours and values of each picture. Values are four planes of floats.
const shown = data.pictures.map(() => ({}));
/// Maximum number of pictures that stay unpacked.
const MOST = 4;
let recent = [];

const [WIDTH, HEIGHT] = data.size;
const COUNT = WIDTH * HEIGHT;
const nameOf = (index) => data.pictures[index].name;

/// Colours of a picture. Nothing is read back from a canvas, because some browsers add noise against fingerprinting.
async function colours(index) {
  const picture = data.pictures[index];
  shown[index].colours ??= (async () => {
    const from = picture.seen_from === null ? null : (await colours(picture.seen_from)).data;
    const changes = await unpacked(picture.seen);
    const image = new ImageData(WIDTH, HEIGHT);
    const bytes = image.data;
    bytes.fill(255);
    for (let at = 0; at < COUNT; at++) {
      const green = changes[at];
      for (let channel = 0; channel < 3; channel++) {
        const place = 4 * at + channel;
        const predicted = from ? from[place] : around(bytes, at, place, 4);
        bytes[place] = (predicted + changes[[1, 0, 2][channel] * COUNT + at] + (channel === 1 ? 0 : green)) & 255;
      }
    }
    return image;
  })();
  return shown[index].colours;
}

/// Converts the bits of a float to a number in the order of the floats, and back.
const ordered = (bits) => (bits >> 31 ? ~bits : bits ^ 0x80000000);
const bitsOf = (order) => (order >> 31 ? order ^ 0x80000000 : ~order);

/// Predicts a value from those at the left, above, and above left.
function around(list, at, place = at, step = 1) {
  const isFirst = at % WIDTH === 0;
  const above = place - step * WIDTH;
  if (at < WIDTH) return isFirst ? 0 : list[place - step];
  return isFirst ? list[above] : (list[place - step] + list[above] - list[above - step]) | 0;
}

async function values(index) {
  const picture = data.pictures[index];
  if (picture.values === null) return null;
  shown[index].values ??= (async () => {
    const from = picture.from === null ? null : new Int32Array((await values(picture.from)).buffer);
    const bytes = await unpacked(picture.values);
    const [zeros, listed] = [bytes[0], (bytes.length - 1 - 2 * COUNT) / 4];
    const bits = new Int32Array(4 * COUNT);
    for (let channel = 0, next = 1 + 2 * COUNT; channel < 4; channel++) {
      const orders = bits.subarray(channel * COUNT, (channel + 1) * COUNT);
      const [pairs, half] = [1 + (channel >> 1) * COUNT, channel & 1 ? 0 : 4];
      for (let at = 0; at < COUNT; at++) {
        let zigzag = (bytes[pairs + at] >> half) & 15;
        if (zigzag === 15) {
          zigzag = bytes[next] | (bytes[next + listed] << 8) | (bytes[next + 2 * listed] << 16) | (bytes[next + 3 * listed] << 24);
          next++;
        }
        const predicted = from ? ordered(from[channel * COUNT + at]) >>> zeros : around(orders, at);
        orders[at] = predicted + ((zigzag >>> 1) ^ -(zigzag & 1));
      }
    }
    for (let at = 0; at < bits.length; at++) bits[at] = bitsOf(bits[at] << zeros) & (-1 << zeros);
    return new Float32Array(bits.buffer);
  })();
  return shown[index].values;
}

/// Drops unpacked pictures that were not shown lately, unless other pictures are stored as differences from them.
function forgetOld() {
  recent = [...new Set([view.a, view.b, ...recent])];
  for (const old of recent.splice(MOST)) if (data.pictures[old].from !== null) shown[old] = {};
}

function canvasOf(image) {
  const canvas = el('canvas', { width: WIDTH, height: HEIGHT });
  canvas.getContext('2d').putImageData(image, 0, 0);
  return canvas;
}

const pixelOf = (floats, at) => [0, 1, 2, 3].map((channel) => floats[channel * COUNT + at]);

/// The reader's choices. x and y are the middle of the view; zoom is in screen points per pixel, or null to fit.
const view = { a: 0, b: Math.min(1, data.pictures.length - 1), layout: 'split', split: 0.5, mode: 'log10', amplify: 1, low: -9, high: 0, zoom: null, x: WIDTH / 2, y: HEIGHT / 2, pixel: null, locked: false };
/// The drawn canvases and float values of A and B, and their difference.
const drawn = { a: null, b: null, difference: null, floats: [null, null] };
let blinkShowsB = false;
const LAYOUTS = { split: 'split', side: 'side by side', blink: 'blink', difference: 'difference' };

function rangeOf(text) {
  const ends = String(text).split('..').map((end) => Math.round(Math.log10(Number(end))));
  return ends.length === 2 && ends.every(Number.isFinite) && ends[0] < ends[1] ? ends : [-9, 0];
}

function showCapture(main) {
  [view.low, view.high] = rangeOf(data.runs[0].report.difference_range);
  const about = data.runs.flatMap((run) => [...(run.name ? [el('h3', {}, bdi(run.name))] : []), el('p', { class: 'dim' }, bdi(run.summary))]);
  main.append(...about, ...data.notes.map((note) => el('p', { class: 'warn' }, bdi(note))));
  if (data.pictures.length > 0) showPictures(main);
  main.append(el('h2', {}, 'Methods'), ...aboutPictures().map((text) => el('p', { class: 'dim' }, text)), methodsTable().element);
  const passes = drawing('passes');
  if (passes) main.append(el('figure', {}, passes));
  for (const run of data.runs) {
    main.append(
      el('h2', {}, bdi(run.name ? `Conditions of ${run.name}` : 'Conditions')),
      facts([...run.report.settings_rows, ...run.report.adapter_rows, ['command', run.report.command]]),
      el('ul', {}, run.report.notes.map((note) => el('li', {}, bdi(note)))),
    );
  }
}

/// Notes on missing pictures and values, and how to include them.
function aboutPictures() {
  if (data.pictures.length === 0) return ['Pictures were left out by --page none. To include them, capture again with --page all.'];
  const isLeftOut = (run, method) => !method.unavailable && !data.pictures.some((one) => one.run === run && one.method === method.method);
  return [
    data.is_rounded && '≈ Values are rounded to 11 bits to keep the page small. --format exr writes exact values.',
    data.pictures.some((one) => one.values === null) && 'The values of some methods did not fit (“no values”): name those methods with --page, as in --page wave-tree,auto.',
    data.runs.some((run, index) => run.report.methods.some((method) => isLeftOut(index, method))) && 'Pictures of methods marked “left out” are not on this page: capture again with --page and their names.',
  ].filter(Boolean);
}

// --- The table ---

let methods = null;

function methodsTable() {
  const rows = data.runs.flatMap((run, index) => run.report.methods.map((method) => ({ run: index, ...method, time: method.gpu_ms ?? method.wall_ms })));
  const picture = (row) => data.pictures.findIndex((one) => one.run === row.run && one.method === row.method);
  const side = (index, name) => {
    const pick = () => choose({ [name]: index });
    return el('button', { click: pick, class: name, 'aria-pressed': String(view[name] === index), title: `Show as ${name.toUpperCase()}` }, name.toUpperCase());
  };
  const show = (row) => {
    const index = picture(row);
    if (index < 0) return row.unavailable ? null : el('span', { class: 'dim' }, 'left out');
    return el('span', { class: 'pick' }, side(index, 'a'), ' ', side(index, 'b'), data.pictures[index].values === null ? el('span', { class: 'dim' }, ' no values') : null);
  };
  const number = (title, hint, value, text = threeDigits) => ({ title, hint, value, text, cell: (row) => text(value(row)) });
  const ran = (row) => (row.runs && row.runs !== row.method ? (row.runs.startsWith(row.method) ? row.runs : `${row.method}: ${row.runs}`) : row.method);
  const wall = rows.some((row) => row.wall_ms);
  // Reports of older versions have no errors of the picture. All rows must show the same kind of error.
  const isPicture = rows.every((row) => row.picture || row.unavailable);
  const of = isPicture ? 'the picture, rgb + T · background' : 'r, g, b and T before the background';
  const columns = [
    { title: 'method', hint: 'The method with its options', text: ran, cell: (row) => el('span', {}, bdi(ran(row)), notCompared(row), row.unavailable ? el('span', { class: 'dim' }, ` did not run: ${row.unavailable}`) : null, row.untimed ? el('span', { class: 'dim' }, ` no time: ${row.untimed}`) : null) },
    data.runs.length > 1 && { title: 'capture', hint: 'The capture that ran the method', text: (row) => data.runs[row.run].name, cell: (row) => bdi(data.runs[row.run].name) },
    data.pictures.length > 0 && { title: 'show', hint: 'Show the picture as A or as B', text: ran, cell: show },
    number('max abs', 'Greatest difference of r, g, b or T from the reference', (row) => row.max_abs),
    number('RMSE', `Root mean square difference of ${of}`, (row) => (isPicture ? row.picture?.rmse : row.rmse)),
    number('p99', `99th percentile of the pixels’ differences of ${of}`, (row) => (isPicture ? row.picture?.p99 : row.p99)),
    number('max ULP', 'Greatest difference in units in the last place', (row) => row.max_ulp),
    number('pixels', 'Pixels that differ', (row) => row.differing_pixels, grouped),
    number('NaN', 'Pixels that are not finite', (row) => row.nan_count, grouped),
    number('FLIP', 'How different the displayed picture looks: mean of LDR-FLIP', (row) => row.flip_mean),
    number(wall ? 'wall ms' : 'GPU ms', 'Median time of the composite pass', (row) => row.time?.median, milliseconds),
    number('n', 'Number of times', (row) => row.time?.n, grouped),
    number('with inputs', 'Median time including the passes that make the inputs, milliseconds', (row) => row.total_ms, milliseconds),
    number('bytes', 'GPU memory that only this method needs', (row) => row.bytes, grouped),
  ].filter(Boolean);
  const reference = data.runs.map((run) => run.report.reference).filter((name, index, all) => all.indexOf(name) === index);
  methods = table(`Differences are from ${reference.join(' and ')}. Click a title to sort.`, columns, rows, (line, row) => {
    const index = picture(row);
    if (index >= 0 && (index === view.a || index === view.b)) line.classList.add('chosen');
  });
  return methods;
}

// --- The pictures ---

const parts = {};

function showPictures(main) {
  if (typeof DecompressionStream === 'undefined') {
    main.append(el('p', { class: 'warn' }, 'This browser cannot unpack the pictures, because it lacks DecompressionStream: open the page in a newer browser. The table below is complete.'));
    return;
  }
  const options = () => data.pictures.map((_, index) => el('option', { value: index }, `${index + 1}  ${nameOf(index)}`));
  const select = (name) => el('select', { id: `pick-${name}`, 'aria-label': `method ${name.toUpperCase()}`, change: (event) => choose({ [name]: Number(event.target.value) }) }, options());
  const button = (text, hint, click, pressed) => el('button', { click, title: hint, 'aria-pressed': pressed }, text);
  Object.assign(parts, {
    a: select('a'),
    b: select('b'),
    layouts: Object.entries(LAYOUTS).map(([layout, text]) => Object.assign(button(text, `Layout: ${text}`, () => choose({ layout })), { layout })),
    mode: el('select', { id: 'mode', 'aria-label': 'kind of difference', change: (event) => choose({ mode: event.target.value }) }, Object.keys(MODES).map((mode) => el('option', { value: mode, title: MODES[mode] }, mode))),
    amplify: el('select', { 'aria-label': 'amplification', change: (event) => choose({ amplify: Number(event.target.value) }) }, [0, 1, 2, 3, 4, 5, 6, 7].map((power) => el('option', { value: 10 ** power }, `× 1e${power}`))),
    low: decade('low'),
    high: decade('high'),
    scale: el('canvas', { width: 180, height: 1, role: 'img', 'aria-label': 'colours of the difference' }),
    scaleText: el('span', { class: 'dim' }),
    screen: el('canvas', { id: 'screen', tabindex: 0, role: 'img' }),
    handle: el('div', { class: 'handle', role: 'slider', tabindex: 0, 'aria-label': 'split between A and B', 'aria-valuemin': 0, 'aria-valuemax': 100 }),
    names: [el('div', { class: 'name' }), el('div', { class: 'name' })],
    readout: el('tbody'),
    place: el('p', { id: 'place', 'aria-live': 'polite' }),
  });
  parts.stage = el('div', { class: 'stage' }, parts.screen, parts.handle, parts.names);
  const heads = ['', 'r', 'g', 'b', 'T'].map((name) => el('th', { scope: 'col' }, name));
  parts.values = el('div', { class: 'values scroll', hidden: true }, parts.place, el('table', { id: 'values' }, el('thead', {}, el('tr', {}, heads)), parts.readout));
  parts.scaleBox = el('span', { class: 'scale' }, parts.low, parts.scale, parts.high, parts.scaleText);
  main.append(
    el('div', { class: 'bar' }, el('label', {}, el('b', { class: 'a' }, 'A'), parts.a), el('label', {}, el('b', { class: 'b' }, 'B'), parts.b), el('span', {}, parts.layouts)),
    el('div', { class: 'bar' }, el('label', {}, 'difference', parts.mode), parts.amplify, parts.scaleBox,
      button('worst pixel', 'Go to the pixel where A and B differ most (W)', goToWorst), button('whole picture', 'Reset the zoom (O)', () => choose({ zoom: null }))),
    el('div', { class: 'view' }, parts.stage, parts.values),
    el('p', { class: 'dim hint' }, 'Move the mouse over the picture to show the values of a pixel. Click to lock the pixel.'),
    el('details', {}, el('summary', {}, 'Keys and mouse'), facts([
      ['1 to 9, 0', 'picture 1 to 10 as A; with Shift, 11 and more'], ['B, Shift+B', 'next or previous picture as B'], ['↑ ↓', 'previous or next picture as A'], ['← →', 'previous or next picture as B; on the split line, move it'],
      ['X, G, Z, D', 'split, side by side, blink, difference'], ['F', 'next kind of difference'], ['W', 'worst pixel'], ['L', 'lock or unlock the pixel; a click does the same'], ['+, −, O', 'zoom in, out, whole picture'],
      ['wheel, two fingers', 'zoom'], ['drag', 'move both pictures; on the line, move the split'], ['T', 'light/dark theme'],
    ])),
  );
  listen();
  takeAddress();
  choose({});
}

function decade(end) {
  const powers = Array.from({ length: 19 }, (_, index) => index - 12);
  const change = (event) => {
    const value = Number(event.target.value);
    choose(end === 'low' ? { low: value, high: Math.max(view.high, value + 1) } : { high: value, low: Math.min(view.low, value - 1) });
  };
  return el('select', { 'aria-label': `${end} end of the scale`, change }, powers.map((power) => el('option', { value: power }, `1e${power}`)));
}

async function choose(changes) {
  Object.assign(view, changes);
  if (['a', 'b', 'mode', 'amplify', 'low', 'high'].some((key) => key in changes)) drawn.difference = null;
  show();
  const wanted = [view.a, view.b];
  forgetOld();
  const [a, b, floatsA, floatsB] = await Promise.all([...wanted.map(colours), ...wanted.map(values)]);
  if (wanted[0] !== view.a || wanted[1] !== view.b) return;
  const isOther = !drawn.of || drawn.of.some((index, side) => index !== wanted[side]);
  if (isOther) Object.assign(drawn, { a: canvasOf(a), b: canvasOf(b), colours: a.data, floats: [floatsA, floatsB], of: wanted });
  if (view.layout === 'difference') drawn.difference ??= differences();
  show();
}

function differences() {
  const [a, b] = drawn.floats;
  if (!a || !b) return null;
  const image = new ImageData(WIDTH, HEIGHT);
  const picture = drawn.colours;
  const [colour, of_a, of_b, seen] = [[0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0]];
  for (let at = 0; at < COUNT; at++) {
    for (let channel = 0; channel < 4; channel++) {
      of_a[channel] = a[channel * COUNT + at];
      of_b[channel] = b[channel * COUNT + at];
    }
    for (let channel = 0; channel < 3; channel++) seen[channel] = picture[4 * at + channel] / 255;
    differenceInto(colour, of_a, of_b, seen, view);
    for (let channel = 0; channel < 3; channel++) image.data[4 * at + channel] = Math.round(colour[channel] * 255);
    image.data[4 * at + 3] = 255;
  }
  return canvasOf(image);
}

/// The rooms of the stage: their places in points, and the picture that each shows.
function rooms() {
  const [width, height] = [parts.stage.clientWidth, parts.stage.clientHeight];
  if (view.layout !== 'side') return [{ left: 0, top: 0, width, height, side: view.layout === 'blink' && blinkShowsB ? 'b' : 'a' }];
  const tall = isNarrow();
  const [w, h] = tall ? [width, height / 2] : [width / 2, height];
  return ['a', 'b'].map((side, index) => ({ left: tall ? 0 : index * w, top: tall ? index * h : 0, width: w, height: h, side }));
}

const isNarrow = () => parts.stage.clientWidth < 600;

/// Screen points per pixel of the picture.
const zoomIn = (room) => view.zoom ?? Math.min(room.width / WIDTH, room.height / HEIGHT);

const middle = () => (view.zoom === null ? [WIDTH / 2, HEIGHT / 2] : [view.x, view.y]);

function placeAt(x, y) {
  const all = rooms();
  const room = all.find((one) => x >= one.left && x < one.left + one.width && y >= one.top && y < one.top + one.height) ?? all[0];
  const zoom = zoomIn(room);
  const [cx, cy] = middle();
  return { room, zoom, x: cx + (x - room.left - room.width / 2) / zoom, y: cy + (y - room.top - room.height / 2) / zoom };
}

let asked = false;
function show() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    paint();
    describe();
  });
}

function paint() {
  const ratio = (view.layout === 'side' ? (isNarrow() ? 2 : 0.5) : 1) * HEIGHT / WIDTH;
  const height = Math.round(clamp(parts.stage.clientWidth * ratio, 160, innerHeight * 0.78));
  parts.stage.style.height = `${height}px`;
  const density = devicePixelRatio;
  const canvas = parts.screen;
  const size = [Math.round(parts.stage.clientWidth * density), Math.round(parts.stage.clientHeight * density)];
  if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
  const context = canvas.getContext('2d');
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = '#0e0f12';
  context.fillRect(0, 0, canvas.width, canvas.height);
  parts.handle.hidden = view.layout !== 'split';
  parts.handle.hidden ||= drawn.a === null;
  if (drawn.a === null) return;
  for (const room of rooms()) {
    const zoom = zoomIn(room);
    const [cx, cy] = middle();
    const [left, top] = [room.left + room.width / 2 - cx * zoom, room.top + room.height / 2 - cy * zoom];
    const draw = (source, from, to) => {
      context.save();
      context.beginPath();
      context.rect(Math.max(from, room.left) * density, room.top * density, (Math.min(to, room.left + room.width) - Math.max(from, room.left)) * density, room.height * density);
      context.clip();
      context.imageSmoothingEnabled = zoom * density < 1;
      context.drawImage(source, left * density, top * density, WIDTH * zoom * density, HEIGHT * zoom * density);
      context.restore();
    };
    const line = left + view.split * WIDTH * zoom;
    if (view.layout === 'difference') {
      if (drawn.difference) draw(drawn.difference, -Infinity, Infinity);
    } else if (view.layout === 'split') {
      draw(drawn.a, -Infinity, line);
      draw(drawn.b, line, Infinity);
      // A percentage also works on paper, which has another width.
      parts.handle.style.left = `${100 * clamp(line / room.width, 0, 1)}%`;
    } else draw(drawn[room.side], -Infinity, Infinity);
    if (view.pixel) mark(context, density, left + (view.pixel[0] + 0.5) * zoom, top + (view.pixel[1] + 0.5) * zoom, zoom);
  }
}

function mark(context, density, x, y, zoom) {
  const radius = Math.max(7, zoom * 0.75);
  for (const [width, colour] of [[4, '#000'], [2, view.locked ? '#ffd94d' : '#fff']]) {
    context.lineWidth = width * density;
    context.strokeStyle = colour;
    context.beginPath();
    context.arc(x * density, y * density, radius * density, 0, 7);
    context.stroke();
  }
}

/// Shows the view in every control, and the values of the pixel.
function describe() {
  parts.a.value = view.a;
  parts.b.value = view.b;
  parts.mode.value = view.mode;
  parts.amplify.value = view.amplify;
  parts.low.value = view.low;
  parts.high.value = view.high;
  for (const button of parts.layouts) button.setAttribute('aria-pressed', String(button.layout === view.layout));
  const isDifference = view.layout === 'difference';
  const isLog = view.mode === 'log10';
  parts.mode.disabled = !isDifference;
  parts.amplify.hidden = !isDifference || isLog || view.mode === 'ulp';
  parts.scaleBox.hidden = !isDifference || !(isLog || view.mode === 'ulp');
  parts.low.hidden = parts.high.hidden = !isLog;
  parts.scaleText.textContent = isLog ? '' : '1 to 1023 ULP';
  const scale = parts.scale.getContext('2d');
  for (let x = 0; x < 180; x++) {
    scale.fillStyle = `rgb(${heat(x / 179).map((share) => Math.round(share * 255)).join(' ')})`;
    scale.fillRect(x, 0, 1, 1);
  }
  const label = (element, side, place) => {
    element.hidden = side === null;
    element.className = `name ${side}`;
    element.textContent = side === 'both' ? `A − B: ${nameOf(view.a)} − ${nameOf(view.b)}, ${lacking() ?? view.mode}` : side && `${side.toUpperCase()} ${nameOf(view[side])}`;
    Object.assign(element.style, { left: '', right: '', top: '', ...place });
  };
  const [first, second] = parts.names;
  if (isDifference) label(first, 'both', { left: '6px' });
  else label(first, view.layout === 'blink' && blinkShowsB ? 'b' : 'a', { left: '6px' });
  if (view.layout === 'split') label(second, 'b', { right: '6px' });
  else if (view.layout === 'side') label(second, 'b', isNarrow() ? { left: '6px', top: 'calc(50% + 6px)' } : { left: 'calc(50% + 6px)' });
  else label(second, null, {});
  parts.handle.setAttribute('aria-valuenow', Math.round(view.split * 100));
  parts.screen.setAttribute('aria-label', isDifference ? `Difference of ${nameOf(view.a)} and ${nameOf(view.b)}` : `A: ${nameOf(view.a)}, B: ${nameOf(view.b)}`);
  readOut();
  methods?.fill();
  writeAddress(address());
}

const NO_VALUES = 'values not on this page';
/// The reason why a difference cannot be shown, or null.
const lacking = () => (drawn.of && drawn.floats.includes(null) ? NO_VALUES : null);

function readOut() {
  const [a, b] = drawn.floats;
  const isReady = drawn.of && drawn.of[0] === view.a && drawn.of[1] === view.b;
  parts.values.hidden = !view.pixel;
  parts.values.classList.toggle('locked', view.locked);
  if (!view.pixel) return;
  parts.place.textContent = `pixel ${view.pixel[0]}, ${view.pixel[1]}${view.locked ? ' (locked)' : ''}`;
  keepClear();
  if (!isReady) return parts.readout.replaceChildren();
  const at = view.pixel[1] * WIDTH + view.pixel[0];
  const about = data.is_rounded ? ' ≈' : '';
  const row = (name, type, cells) => el('tr', {}, el('th', { scope: 'row', class: type }, name, about), cells);
  const cells = (numbers) => numbers.map((number) => el('td', {}, number));
  const text = data.is_rounded ? (value) => String(Number(value.toPrecision(4))) : float;
  const of = (floats) => (floats ? cells(pixelOf(floats, at).map(text)) : el('td', { colspan: 4 }, NO_VALUES));
  const rows = [row('A', 'a', of(a)), row('B', 'b', of(b))];
  if (a && b) rows.push(row('A − B', null, cells(pixelOf(a, at).map((value, channel) => threeDigits(value - b[channel * COUNT + at])))));
  parts.readout.replaceChildren(...rows);
}

/// Places the values in the half of the visible picture that does not contain their pixel.
function keepClear() {
  const box = parts.stage.getBoundingClientRect();
  const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
  const [room] = rooms();
  const y = box.top + room.height / 2 + (view.pixel[1] + 0.5 - middle()[1]) * zoomIn(room);
  const isLow = y > (top + bottom) / 2;
  parts.values.style.top = isLow ? `${top - box.top + 38}px` : 'auto';
  parts.values.style.bottom = isLow ? 'auto' : `${box.bottom - bottom + 8}px`;
}

/// The first pixel with a difference that is not finite, or else the pixel with the greatest difference.
function worst() {
  const [a, b] = drawn.floats;
  let [most, found] = [-1, 0];
  for (let at = 0; at < COUNT; at++) {
    for (let channel = 0; channel < 4; channel++) {
      const by = Math.abs(a[channel * COUNT + at] - b[channel * COUNT + at]);
      if (!Number.isFinite(by)) return at;
      if (by > most) [most, found] = [by, at];
    }
  }
  return found;
}

function goToWorst() {
  if (!drawn.floats[0] || !drawn.floats[1]) return;
  const at = worst();
  const pixel = [at % WIDTH, Math.floor(at / WIDTH)];
  choose({ pixel, locked: true, x: pixel[0] + 0.5, y: pixel[1] + 0.5, zoom: Math.max(view.zoom ?? 0, 12) });
}

// --- Mouse, fingers and keys ---

function zoomAt(x, y, factor) {
  const { room, zoom, x: px, y: py } = placeAt(x, y);
  const least = Math.min(room.width / WIDTH, room.height / HEIGHT);
  const next = clamp(zoom * factor, least, 96);
  if (next <= least * 1.0001) return choose({ zoom: null });
  const [dx, dy] = [(x - room.left - room.width / 2) / next, (y - room.top - room.height / 2) / next];
  choose({ zoom: next, x: clamp(px - dx, 0, WIDTH), y: clamp(py - dy, 0, HEIGHT) });
}

function listen() {
  const { stage, handle } = parts;
  const fingers = new Map();
  let moved = 0;
  const point = (event) => {
    const box = stage.getBoundingClientRect();
    return [event.clientX - box.left - stage.clientLeft, event.clientY - box.top - stage.clientTop];
  };
  const probe = (event) => {
    if (view.locked) return;
    const place = placeAt(...point(event));
    const pixel = [Math.floor(place.x), Math.floor(place.y)];
    const inside = pixel[0] >= 0 && pixel[1] >= 0 && pixel[0] < WIDTH && pixel[1] < HEIGHT;
    if (inside) choose({ pixel });
  };
  stage.addEventListener('wheel', (event) => {
    event.preventDefault();
    zoomAt(...point(event), 2 ** clamp(-event.deltaY / 240, -1, 1));
  }, { passive: false });
  parts.screen.addEventListener('pointerdown', (event) => {
    parts.screen.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, point(event));
    moved = fingers.size > 1 ? 99 : 0;
  });
  parts.screen.addEventListener('pointermove', (event) => {
    const before = fingers.get(event.pointerId);
    const now = point(event);
    if (!before) return probe(event);
    if (fingers.size === 2) {
      const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
      const spread = (one) => Math.hypot(one[0] - other[0], one[1] - other[1]);
      zoomAt((now[0] + other[0]) / 2, (now[1] + other[1]) / 2, spread(now) / Math.max(spread(before), 1));
    } else {
      moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
      if (moved > 4) {
        const { zoom } = placeAt(...now);
        const [cx, cy] = middle();
        choose({ zoom: view.zoom ?? zoom, x: clamp(cx - (now[0] - before[0]) / zoom, 0, WIDTH), y: clamp(cy - (now[1] - before[1]) / zoom, 0, HEIGHT) });
      }
    }
    fingers.set(event.pointerId, now);
  });
  const lift = (event) => {
    if (fingers.delete(event.pointerId) && event.type === 'pointerup' && moved <= 4) {
      const locked = view.locked;
      view.locked = false;
      probe(event);
      choose({ locked: !locked });
    }
  };
  parts.screen.addEventListener('pointerup', lift);
  parts.screen.addEventListener('pointercancel', lift);
  handle.addEventListener('pointerdown', (event) => handle.setPointerCapture(event.pointerId));
  handle.addEventListener('pointermove', (event) => {
    if (handle.hasPointerCapture(event.pointerId)) choose({ split: clamp(placeAt(...point(event)).x / WIDTH, 0, 1) });
  });
  handle.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -0.01, ArrowRight: 0.01, Home: -1, End: 1 }[event.key];
    if (step) {
      event.preventDefault();
      choose({ split: clamp(view.split + step, 0, 1) });
    }
  });
  document.addEventListener('keydown', pressed);
  addEventListener('resize', show);
  addEventListener('scroll', () => view.pixel && keepClear());
  addEventListener('hashchange', () => {
    takeAddress();
    choose({ a: view.a });
  });
  setInterval(() => {
    if (view.layout === 'blink') {
      blinkShowsB = !blinkShowsB;
      show();
    }
  }, 500);
}

function pressed(event) {
  if (isTaken(event)) return;
  const count = data.pictures.length;
  const next = (name, step) => choose({ [name]: (view[name] + step + count) % count });
  const digit = /^Digit(\d)$/.exec(event.code);
  if (digit) {
    const index = (Number(digit[1]) + 9) % 10 + (event.shiftKey ? 10 : 0);
    if (index < count) choose({ a: index });
    return;
  }
  const layout = { x: 'split', g: 'side', z: 'blink', d: 'difference' }[event.key.toLowerCase()];
  const modes = Object.keys(MODES);
  const centre = [parts.stage.clientWidth / 2, parts.stage.clientHeight / 2];
  const keys = {
    b: () => next('b', 1), B: () => next('b', -1),
    ArrowUp: () => next('a', -1), ArrowDown: () => next('a', 1), ArrowLeft: () => next('b', -1), ArrowRight: () => next('b', 1),
    f: () => choose({ layout: 'difference', mode: view.layout === 'difference' ? modes[(modes.indexOf(view.mode) + 1) % modes.length] : view.mode }),
    w: goToWorst, l: () => choose({ locked: !view.locked }), o: () => choose({ zoom: null }),
    '+': () => zoomAt(...centre, 1.5), '=': () => zoomAt(...centre, 1.5), '-': () => zoomAt(...centre, 1 / 1.5),
  };
  const act = layout ? () => choose({ layout }) : keys[event.key] ?? keys[event.key.toLowerCase()];
  if (act) {
    event.preventDefault();
    act();
  }
}

// --- The address ---

function address() {
  const of = { a: nameOf(view.a), b: nameOf(view.b), layout: view.layout };
  if (view.layout === 'split') of.split = view.split.toFixed(3);
  if (view.layout === 'difference') Object.assign(of, { mode: view.mode, amplify: view.amplify, low: view.low, high: view.high });
  if (view.zoom !== null) Object.assign(of, { zoom: view.zoom.toFixed(2), cx: view.x.toFixed(1), cy: view.y.toFixed(1) });
  if (view.pixel && view.locked) Object.assign(of, { x: view.pixel[0], y: view.pixel[1] });
  return of;
}

/// Applies the settings in the address, as far as this page supports them.
function takeAddress() {
  const given = readAddress();
  const number = (key, low, high) => (given.has(key) && Number.isFinite(Number(given.get(key))) ? clamp(Number(given.get(key)), low, high) : null);
  for (const name of ['a', 'b']) {
    const index = data.pictures.findIndex((_, at) => nameOf(at) === given.get(name));
    if (index >= 0) view[name] = index;
  }
  if (given.get('layout') in LAYOUTS) view.layout = given.get('layout');
  if (given.get('mode') in MODES) view.mode = given.get('mode');
  view.split = number('split', 0, 1) ?? view.split;
  view.amplify = number('amplify', 1, 1e7) ?? view.amplify;
  const [low, high] = [number('low', -12, 5), number('high', -11, 6)];
  if (low !== null && high !== null && low < high) [view.low, view.high] = [Math.round(low), Math.round(high)];
  const zoom = number('zoom', 0.01, 96);
  if (zoom !== null) Object.assign(view, { zoom, x: number('cx', 0, WIDTH) ?? WIDTH / 2, y: number('cy', 0, HEIGHT) ?? HEIGHT / 2 });
  const [x, y] = [number('x', 0, WIDTH - 1), number('y', 0, HEIGHT - 1)];
  if (x !== null && y !== null) Object.assign(view, { pixel: [Math.floor(x), Math.floor(y)], locked: true });
}

start(data.title, showCapture);
